// For calls that combine two filters.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/filter/spec.hpp>

#include <string>
#include <string_view>

namespace bloomery::detail {

/// Throws incompatible, with the reason, unless two filters can be "merged", or whatever is to be
/// done to them. O(1).
inline void require_compatible(const compatibility& verdict, std::string_view done) {
    if (!verdict) {
        throw incompatible("the filters cannot be " + std::string(done) + ": " + verdict.reason);
    }
}

} // namespace bloomery::detail
