#include "time_limit.hpp"

#include "settings.hpp"

#include <algorithm>
#include <ctime>

namespace bloomery::redis_module {

namespace {

std::int64_t nanoseconds_of_this_thread() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

} // namespace

time_limit::time_limit(const call& of, std::size_t items, std::size_t slice) noexcept
    : of_(of), items_(items), begin_(items > slice ? nanoseconds_of_this_thread() : 0) {}

bool time_limit::is_over(std::size_t layers) noexcept {
    // Sound filters need a tenth of this.
    constexpr std::int64_t per_item = 2000;
    constexpr std::int64_t per_item_and_layer = 100;
    constexpr std::size_t most_layers = 64;
    if (is_first_) {
        is_first_ = false;
        return false;
    }
    if (begin_ == 0) begin_ = nanoseconds_of_this_thread();
    if (configured.time_limit == 0 || of_.must_obey()) return false;
    const auto per_each =
        per_item + static_cast<std::int64_t>(std::min(layers, most_layers)) * per_item_and_layer;
    const std::int64_t allowed =
        configured.time_limit * 1'000'000 + static_cast<std::int64_t>(items_) * per_each;
    return nanoseconds_of_this_thread() - begin_ > allowed;
}

} // namespace bloomery::redis_module
