// Which functions of the kernel in use suit an array, and whether they should prefetch it.
#pragma once

#include "table.hpp"

#include <cstdint>

namespace bloomery::inline v0::kernel {

/// The vector kernels multiply block numbers of 32 bits; arrays of 128 GiB and more use the scalar
/// one.
inline const bulk_functions& functions_for(const const_target& on) noexcept {
    const bool vast = on.layout != layout_kind::classic && on.block_count >> 32U != 0;
    return vast ? scalar_bulk : *in_use().bulk.functions;
}

/// Up to this many times the second-level cache, prefetching costs more than it saves: measured
/// with bench/filter, see docs/performance.md.
constexpr std::uint64_t near_caches = 2;

inline bool is_far(std::uint64_t bits) noexcept {
    return prefetches && bits / 8 > near_caches * cache_byte_count();
}

inline bool worth_asking(const const_target& on, ahead memory) noexcept {
    return memory == ahead::by_size &&
           is_far(on.block_count * plan::facts_of(on.layout).block_bits);
}

} // namespace bloomery::inline v0::kernel
