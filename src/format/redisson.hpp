// What the two forms of Redisson's filters share.
#pragma once

#include "foreign_parts.hpp"

#include <cstdint>
#include <vector>

namespace bloomery::format {

/// Two bits short of the longest string of Redis.
inline constexpr std::uint64_t largest_redisson = 4294967294;

/// The filter over a value of Redis. Throws bad_argument unless the options tell its size, and as
/// filter_of.
[[nodiscard]] any_filter redisson_of_value(byte_view value, const foreign_options& options);

/// Throws incompatible for a filter that Redisson cannot have.
void require_redisson(const spec& what, const foreign_format& format);

/// An empty filter as Redisson makes it. Throws bad_argument where Redisson refuses.
[[nodiscard]] any_filter new_redisson(const foreign_options& options);

/// What Redisson tells of a filter.
[[nodiscard]] std::vector<foreign_fact> redisson_facts(const any_filter& of);

} // namespace bloomery::format
