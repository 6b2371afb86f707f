// Any filter with a list of exceptions: what files hold, and tools change.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/excepted.hpp>

namespace bloomery {

/// What a file with a list of exceptions holds, whatever the filter inside.
using any_excepted = excepted<any_filter>;

/// The filter with a list of exceptions, which is empty unless it had one. O(1).
[[nodiscard]] any_filter with_exceptions(any_filter of, const exception_options& options = {});

/// The filter that a list of exceptions belongs to, or the filter itself if it has none. O(1).
[[nodiscard]] const any_filter& without_exceptions(const any_filter& of) noexcept;

namespace detail {

extern template struct filter_model<any_excepted>;

} // namespace detail

} // namespace bloomery
