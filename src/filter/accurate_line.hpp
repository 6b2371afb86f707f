// The verbs of accurate_block.hpp for blocks of one cache line and processors that hold such a line
// in one register.
//
// Private to accurate_verbs.cpp, which chooses.
#pragma once

#include <bloomery/filter/accurate_block.hpp>

#include <cstdint>

namespace bloomery::detail {

#if defined(__x86_64__)
/// Whether the processor can, and may: AVX-512 with the shifts over two words (Ice Lake, Zen 4).
[[nodiscard]] bool can_register_lines() noexcept;
/// The verbs for keys of k places.
[[nodiscard]] const accurate_verbs& register_verbs(std::uint32_t k) noexcept;
#endif

} // namespace bloomery::detail
