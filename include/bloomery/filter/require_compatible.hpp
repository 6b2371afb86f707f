// For calls that combine two filters.
#pragma once

#include <bloomery/filter/spec.hpp>

#include <string_view>

namespace bloomery::detail {

/// Throws incompatible, with the reason, unless two filters can be "merged", or whatever is to be
/// done to them. O(1).
void require_compatible(const compatibility& verdict, std::string_view done);

} // namespace bloomery::detail
