#include <bloomery/filter/any_kinds.hpp>

namespace bloomery::detail {

template struct filter_model<filter>;
template struct filter_model<borrowed_filter>;
template struct filter_model<accurate_filter>;
template struct filter_model<cascade>;
template struct filter_model<counting_filter>;
template struct filter_model<dleft_filter>;
template struct filter_model<dynamic_count_filter>;
template struct filter_model<minimal_increase_filter>;
template struct filter_model<recurring_minimum_filter>;
template struct filter_model<scalable_filter>;
template struct filter_model<spectral_filter>;
template struct filter_model<window_filter>;

} // namespace bloomery::detail
