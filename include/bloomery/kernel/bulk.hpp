// Bulk calls on the bits of native layouts, with the instructions that the processor has.
//
// This is what filters are made of; people call their `insert_many` and `may_contain_many`.
#pragma once

#include <bloomery/hash/digest.hpp>
#include <bloomery/kernel/shared_words.hpp>
#include <bloomery/plan/layout_kind.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::kernel {

/// An array of bits and how keys are placed in it.
struct target {
    layout_kind layout;
    std::uint64_t* words;
    std::uint64_t block_count; ///< the number of bits for the classic layout
    std::uint32_t hash_count;
};

/// Keys that were hashed before.
using digests = std::span<const digest128>;

/// Integer keys that `mix64` hashes on the way, eight at a time where the processor can.
struct integers {
    std::span<const std::uint64_t> keys;
    std::uint64_t seed; ///< mixed: see hash/mix.hpp
};

/// Whether the memory is asked for ahead of time: by size, or never because the caller did.
enum class ahead : std::uint8_t { by_size, done };

/// Sets the bits of all keys. O(n k), allocates nothing, never throws.
void insert(const target& into, digests keys, access who = access::alone,
            ahead memory = ahead::by_size) noexcept;
void insert(const target& into, integers keys, access who = access::alone) noexcept;

/// The same, in order; bit i of `fresh`, which has (n + 63) / 64 words, tells whether key i changed
/// a bit. Bits past the last key are cleared. Costs as above.
void try_insert(const target& into, digests keys, std::uint64_t* fresh, access who = access::alone,
                ahead memory = ahead::by_size) noexcept;
void try_insert(const target& into, integers keys, std::uint64_t* fresh,
                access who = access::alone) noexcept;

/// Bit i of `maybe`, of the same size, tells whether all bits of key i are set. Costs as above.
void contains(const target& in, digests keys, std::uint64_t* maybe, access who = access::alone,
              ahead memory = ahead::by_size) noexcept;
void contains(const target& in, integers keys, std::uint64_t* maybe,
              access who = access::alone) noexcept;

/// The digests of all keys, widened. O(n), never throws.
void mix(integers keys, digest128* into) noexcept;

} // namespace bloomery::kernel
