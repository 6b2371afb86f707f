// any_filter of each kind, compiled in the library: include this where a filter of a known kind
// becomes one, and it is not compiled again.
#pragma once

#include <bloomery/filter/accurate.hpp>
#include <bloomery/filter/any_excepted.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/cascade.hpp>
#include <bloomery/filter/counting.hpp>
#include <bloomery/filter/dleft.hpp>
#include <bloomery/filter/dynamic_count.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/scalable.hpp>
#include <bloomery/filter/spectral.hpp>
#include <bloomery/filter/window.hpp>

namespace bloomery::detail {

extern template struct filter_model<accurate_filter>;
extern template struct filter_model<cascade>;
extern template struct filter_model<counting_filter>;
extern template struct filter_model<dleft_filter>;
extern template struct filter_model<dynamic_count_filter>;
extern template struct filter_model<minimal_increase_filter>;
extern template struct filter_model<recurring_minimum_filter>;
extern template struct filter_model<scalable_filter>;
extern template struct filter_model<spectral_filter>;
extern template struct filter_model<window_filter>;

} // namespace bloomery::detail
