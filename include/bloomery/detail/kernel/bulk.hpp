// Bulk calls on the bits of native layouts, with the instructions that the processor has.
// Filters are built on this; users call their `insert_many` and `may_contain_many`.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kernel/shared_words.hpp>
#include <bloomery/detail/plan/layout_kind.hpp>
#include <bloomery/hash/digest.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace bloomery::inline v0::kernel {

/// An array of bits and how keys are placed in it; `Word` is std::uint64_t, const if the bits are
/// only queried.
template <class Word>
struct basic_target {
    layout_kind layout;
    Word* words;
    std::uint64_t block_count; ///< the number of bits for the classic layout
    std::uint32_t hash_count;

    /// Bits that may be changed may also be queried.
    constexpr operator basic_target<const std::uint64_t>() const noexcept // NOLINT: as a pointer
        requires(!std::is_const_v<Word>)
    {
        return {layout, words, block_count, hash_count};
    }
};
using target = basic_target<std::uint64_t>;
using const_target = basic_target<const std::uint64_t>;

/// Keys that are already hashed.
using digests = std::span<const digest128>;

/// Integer keys that `mix64` hashes on the way, eight at a time if the processor supports it.
struct integers {
    std::span<const std::uint64_t> keys;
    std::uint64_t seed; ///< mixed: see detail/hash/mix.hpp
};

/// Whether to prefetch: depending on the size, or never because the caller has done it.
enum class ahead : std::uint8_t { by_size, done };

/// Sets the bits of all keys. O(n k), never throws. `access::shared` with a key or more per word
/// of the array may allocate up to half of the second-level cache; nothing else allocates.
BLOOMERY_EXPORT void insert(const target& into, digests keys, access who = access::alone,
                            ahead memory = ahead::by_size) noexcept;
BLOOMERY_EXPORT void insert(const target& into, integers keys, access who = access::alone) noexcept;

/// The same, in order; bit i of `fresh`, which has (n + 63) / 64 words, becomes whether key i
/// changed a bit. Bits past the last key are cleared. Costs as above.
BLOOMERY_EXPORT void try_insert(const target& into, digests keys, std::uint64_t* fresh,
                                access who = access::alone, ahead memory = ahead::by_size) noexcept;
BLOOMERY_EXPORT void try_insert(const target& into, integers keys, std::uint64_t* fresh,
                                access who = access::alone) noexcept;

/// Bit i of `maybe`, of the same size, becomes whether all bits of key i are set. Costs as above.
BLOOMERY_EXPORT void contains(const const_target& in, digests keys, std::uint64_t* maybe,
                              access who = access::alone, ahead memory = ahead::by_size) noexcept;
BLOOMERY_EXPORT void contains(const const_target& in, integers keys, std::uint64_t* maybe,
                              access who = access::alone) noexcept;

/// Sets the bits of those keys whose blocks are in one of `parts` equal parts of the array, which
/// is not classic. Threads that do this with different parts share no block, and so need no atomic
/// operations; each of them looks at all keys. O(n + n k / parts).
BLOOMERY_EXPORT void insert_part(const target& into, digests keys, std::size_t part,
                                 std::size_t parts) noexcept;
BLOOMERY_EXPORT void insert_part(const target& into, integers keys, std::size_t part,
                                 std::size_t parts) noexcept;

/// The digests of all keys, widened. O(n), never throws.
BLOOMERY_EXPORT void mix(integers keys, digest128* into) noexcept;

} // namespace bloomery::inline v0::kernel
