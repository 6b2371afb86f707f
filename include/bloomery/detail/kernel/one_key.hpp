// Single keys in split blocks, through the kernel in use.
//
// A program compiled for every x86-64 cannot inline the vectors that its processor has. A call to
// them costs less than doing the same with the vectors of every x86-64.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/kernel/instructions.hpp>
#include <bloomery/detail/plan/layout_kind.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace bloomery::inline v0::kernel {

/// The verbs of one split layout, for the block at `block` and the high word of a digest.
struct one_key_functions {
    bool (*contains)(const std::uint64_t* block, std::uint64_t high) noexcept;
    void (*insert)(std::uint64_t* block, std::uint64_t high) noexcept;
    bool (*try_insert)(std::uint64_t* block, std::uint64_t high) noexcept;

    // With the answer at an address, and 0 returned. A function that returns a status can end in
    // such a call, with no register saved across it: a fifth of the time of a call from C.
    int (*contains_at)(const std::uint64_t* block, std::uint64_t high, bool* answer) noexcept;
    int (*try_insert_at)(std::uint64_t* block, std::uint64_t high, bool* answer) noexcept;
};

/// By layout; without functions for those that are not split.
using one_key_table = std::array<one_key_functions, plan::all_layouts.size()>;

/// That of the kernel in use. Before its first use, its functions choose the kernel.
BLOOMERY_EXPORT extern const one_key_table* one_key_in_use;

/// The functions of one layout. O(1).
BLOOMERY_INLINE const one_key_functions& one_key(layout_kind layout) noexcept {
    return (*__atomic_load_n(&one_key_in_use, __ATOMIC_RELAXED))[static_cast<std::size_t>(layout)];
}

} // namespace bloomery::inline v0::kernel
