#include "body.hpp"

namespace bloomery::detail {

guard_core::body::body(std::unique_ptr<cache_handle> cache, std::unique_ptr<source_handle> source,
                       filter_maker filters, guard_options options)
    : how_(std::move(options)), filters_(std::move(filters)), source_(std::move(source)),
      front_(filters_.erases), flights_(how_.most_exceptions),
      cache_(std::move(cache), how_, counts_) {
    if (!(how_.planned.value > 0 && how_.planned.value < 1)) {
        throw bad_argument("the planned rate of a guard must be above 0 and below 1");
    }
    if (!(how_.headroom >= 0 && how_.headroom <= 1000)) {
        throw bad_argument("the headroom of a guard is a share of its keys: 0.25 for a quarter");
    }
    if (how_.policy == when_overfull::grow && !filters_.maps) {
        throw bad_argument("only a plain filter grows by layers; take the policy rebuild");
    }
    try {
        open();
    } catch (...) {
        stop();
        throw;
    }
}

guard_core::body::~body() {
    try {
        close();
    } catch (const std::exception&) { // the next one finds it open, and looks
    }
}

guard_core::guard_core(std::unique_ptr<cache_handle> cache, std::unique_ptr<source_handle> source,
                       filter_maker filters, guard_options options)
    : body_(std::make_unique<body>(std::move(cache), std::move(source), std::move(filters),
                                   std::move(options))) {}
guard_core::guard_core(guard_core&&) noexcept = default;
guard_core& guard_core::operator=(guard_core&&) noexcept = default;
guard_core::~guard_core() = default;

std::optional<std::string> guard_core::get(std::string_view key) { return body_->get(key); }
std::vector<std::optional<std::string>> guard_core::get_many(store::keys keys) {
    return body_->get_many(keys);
}
void guard_core::put(std::string_view key, std::string_view value) { body_->put(key, value); }
bool guard_core::erase(std::string_view key) { return body_->erase(key); }
void guard_core::rebuild() { body_->rebuild(); }
bool guard_core::start_rebuild() { return body_->start_rebuild(); }
void guard_core::catch_up() { body_->catch_up(); }
void guard_core::checkpoint() { body_->checkpoint(); }
guard_numbers guard_core::numbers() const { return body_->numbers(); }

} // namespace bloomery::detail
