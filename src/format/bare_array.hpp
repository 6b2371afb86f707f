// Formats that are nothing but an array of bits, whose size must be told.
#pragma once

#include "foreign_parts.hpp"

#include <cstdint>
#include <span>

namespace bloomery::format {

/// The number of bytes up to the last one that is not zero: how long BitSet.toByteArray and a
/// string of Redis are. O(words).
[[nodiscard]] std::uint64_t used_bytes(std::span<const std::uint64_t> words) noexcept;

/// The filter of an array without the zeros at its end. Throws bad_data if there are more bytes
/// than the filter can have, and as filter_of.
[[nodiscard]] any_filter filter_of_used(const spec& what, byte_view used, bit_order order,
                                        const limits& most, design made_for = {});

} // namespace bloomery::format
