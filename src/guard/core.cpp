#include "impl.hpp"

namespace bloomery::inline v0::detail {

guard_impl::guard_impl(std::unique_ptr<cache_handle> cache, std::unique_ptr<source_handle> source,
                       filter_maker filters, guard_options options)
    : how_(std::move(options)), filters_(std::move(filters)), source_(std::move(source)),
      front_(filters_.erases), flights_(how_.most_exceptions),
      cache_(std::move(cache), how_, counts_) {
    if (!(how_.planned.value > 0 && how_.planned.value < 1)) {
        throw bad_argument("the planned rate of a guard must be above 0 and below 1");
    }
    if (!(how_.headroom >= 0 && how_.headroom <= 1000)) {
        throw bad_argument("the headroom of a guard is a fraction of its keys: 0.25 for a quarter");
    }
    if (how_.policy == when_overfull::grow && !filters_.maps) {
        throw bad_argument("only a plain filter grows by layers; use the policy rebuild");
    }
    try {
        open();
    } catch (...) {
        stop();
        throw;
    }
}

guard_impl::~guard_impl() {
    try {
        close();
    } catch (const std::exception&) { // the next guard finds it open, and checks
    }
}

std::unique_ptr<guard_core> guard_core::make(std::unique_ptr<cache_handle> cache,
                                             std::unique_ptr<source_handle> source,
                                             filter_maker filters, guard_options options) {
    return std::make_unique<guard_impl>(std::move(cache), std::move(source), std::move(filters),
                                        std::move(options));
}

} // namespace bloomery::inline v0::detail
