// What the two forms of Guava's filters share.
#pragma once

#include <bloomery/format/foreign.hpp>

#include <cstdint>
#include <vector>

namespace bloomery::format {

/// The spec of a filter with the strategy of 64 bits, or of 32.
[[nodiscard]] spec guava_spec(bool wide, std::uint64_t bit_count, std::uint64_t k);

/// Throws incompatible for a filter that Guava cannot have.
void require_guava(const spec& what, const foreign_format& format);

/// What Guava tells of a filter.
[[nodiscard]] std::vector<foreign_fact> guava_facts(const any_filter& of);

/// An empty filter as Guava makes it. Throws bad_argument where Guava refuses.
[[nodiscard]] any_filter new_guava(bool wide, const foreign_options& options);

} // namespace bloomery::format
