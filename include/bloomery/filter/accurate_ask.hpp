// Many questions to an accurate filter at once.
#pragma once

#include <bloomery/filter/accurate_block.hpp>
#include <bloomery/hash/digest.hpp>

#include <cstdint>

namespace bloomery::detail {

/// Bit i of the result tells whether all places of key i, of at most 64, are set.
using accurate_ask = std::uint64_t (*)(const std::uint64_t* words, std::uint64_t blocks,
                                       const accurate_cut& cut, const digest128* keys,
                                       std::uint32_t count);

/// The one for this processor and blocks that are cut so; null if none beats asking for one key
/// after the other. O(1).
[[nodiscard]] accurate_ask ask_for(std::uint64_t blocks, const accurate_cut& cut) noexcept;

} // namespace bloomery::detail
