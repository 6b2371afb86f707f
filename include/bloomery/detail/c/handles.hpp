// Handles of the C interface for filters that only C++ can make, such as those in Redis: what uses
// the C interface from C++ then treats them like all others.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/filter/any_filter.hpp>

struct bloomery_filter;

namespace bloomery::inline v0::c {

/// A handle, which bloomery_close frees. O(1). Throws std::bad_alloc.
[[nodiscard]] BLOOMERY_EXPORT bloomery_filter* handle_of(any_filter made);

/// The filter behind a handle. O(1). Throws unsupported for a shared handle.
[[nodiscard]] BLOOMERY_EXPORT any_filter& filter_of(bloomery_filter& handle);

} // namespace bloomery::inline v0::c
