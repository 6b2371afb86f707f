#include <bloomery/detail/filter/any_kinds.hpp>

namespace bloomery::inline v0::detail {

template <class Kind>
std::unique_ptr<filter_interface> compiled_model(Kind made) {
    return std::make_unique<filter_model<Kind>>(std::move(made));
}

template BLOOMERY_EXPORT std::unique_ptr<filter_interface> compiled_model(filter);
template BLOOMERY_EXPORT std::unique_ptr<filter_interface> compiled_model(borrowed_filter);
template BLOOMERY_EXPORT std::unique_ptr<filter_interface> compiled_model(filter_view);
template BLOOMERY_EXPORT std::unique_ptr<filter_interface> compiled_model(accurate_filter);
template BLOOMERY_EXPORT std::unique_ptr<filter_interface> compiled_model(cascade);
template BLOOMERY_EXPORT std::unique_ptr<filter_interface> compiled_model(counting_filter);
template BLOOMERY_EXPORT std::unique_ptr<filter_interface> compiled_model(dleft_filter);
template BLOOMERY_EXPORT std::unique_ptr<filter_interface> compiled_model(dynamic_count_filter);
template BLOOMERY_EXPORT std::unique_ptr<filter_interface> compiled_model(minimal_increase_filter);
template BLOOMERY_EXPORT std::unique_ptr<filter_interface> compiled_model(recurring_minimum_filter);
template BLOOMERY_EXPORT std::unique_ptr<filter_interface> compiled_model(scalable_filter);
template BLOOMERY_EXPORT std::unique_ptr<filter_interface> compiled_model(spectral_filter);
template BLOOMERY_EXPORT std::unique_ptr<filter_interface> compiled_model(window_filter);
template BLOOMERY_EXPORT std::unique_ptr<filter_interface> compiled_model(any_excepted);

} // namespace bloomery::inline v0::detail
