#include "time_limit.hpp"

#include "settings.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <ctime>

namespace bloomery::redis_module {

namespace {

std::int64_t nanoseconds_of_this_thread() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// How many pages of memory the system has given to this thread, or copied after a fork.
std::int64_t pages_of_this_thread() noexcept {
    rusage used{};
    ::getrusage(RUSAGE_THREAD, &used);
    return used.ru_minflt;
}

} // namespace

time_limit::time_limit(const call& of, std::size_t items, std::size_t slice) noexcept
    : of_(of), items_(items) {
    if (items > slice) begin();
}

void time_limit::begin() noexcept {
    begin_ = nanoseconds_of_this_thread();
    pages_ = pages_of_this_thread();
}

bool time_limit::is_over(std::size_t layers) noexcept {
    // Sound filters need a tenth of this, besides the pages of a large one that is new, or of which
    // a child saves a copy: those take longer than all else.
    constexpr std::int64_t per_page = 3000;
    constexpr std::int64_t most_pages_of_item = 20;
    constexpr std::int64_t per_item = 2000;
    constexpr std::int64_t per_item_and_layer = 100;
    constexpr std::size_t most_layers = 64;
    if (is_first_) {
        is_first_ = false;
        return false;
    }
    if (begin_ == 0) begin();
    if (configured.time_limit == 0 || of_.must_obey()) return false;
    const auto per_each =
        per_item + static_cast<std::int64_t>(std::min(layers, most_layers)) * per_item_and_layer;
    const auto items = static_cast<std::int64_t>(items_);
    const std::int64_t pages =
        std::min(pages_of_this_thread() - pages_, items * most_pages_of_item);
    const std::int64_t allowed =
        configured.time_limit * 1'000'000 + items * per_each + pages * per_page;
    return nanoseconds_of_this_thread() - begin_ > allowed;
}

} // namespace bloomery::redis_module
