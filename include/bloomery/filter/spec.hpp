// The facts that decide a filter's bits, in one value. Equal specs mean mergeable filters.
#pragma once

#include <bloomery/hash/hash_id.hpp>
#include <bloomery/layout/scheme.hpp>
#include <bloomery/plan/digest_floor.hpp>
#include <bloomery/plan/shape.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery {

/// What kind of thing a filter is; part of the file format, never renumbered.
enum class filter_kind : std::uint16_t {
    bloom = 1,    ///< a set of bits: insert and ask
    counting = 2, ///< a counter in place of each bit: erase too
    scalable = 3, ///< several of them, one on the other: the newest takes the keys, all are asked
    constant = 4, ///< one answer for every key: what some systems read from a file without bits
    spectral = 5, ///< wide counters: how often was each key inserted?
    dynamic_count = 6, ///< the same, with counters as wide as the largest of them needs
    dleft = 7,         ///< fingerprints in buckets: erase in half the memory of counting
    accurate = 8,  ///< unary counters behind a plain Bloom filter: erase, and ask as fast as that
    window = 9,    ///< remembers the last keys of a stream that never ends
    excepted = 10, ///< another filter, and keys for which its answer is known to be wrong
    cascade = 11,  ///< Bloom filters that mend each other: exact for the keys it was built from
};

/// "bloom", "counting", "scalable", ...; "unknown" for a number that no kind has. O(1).
[[nodiscard]] std::string_view name_of(filter_kind kind) noexcept;

/// What else decides the state of a filter of one kind; each kind says what it keeps here.
using kind_parameters = std::array<std::uint64_t, 8>;

/// Kind, layout, hash and seed: two filters with equal specs set equal bits for equal keys.
struct spec {
    filter_kind kind = filter_kind::bloom;
    layout::scheme_id scheme = layout::scheme_id::native;
    hash::hash_id hash = hash::hash_id::xxh3_64;
    std::uint64_t seed = 0; ///< of a keyed hash: the check of its key
    plan::shape shape{};
    kind_parameters parameters{};

    friend bool operator==(const spec&, const spec&) = default;
};

/// What a filter was made for, zero where nobody said, and of what. Not part of the spec: it
/// decides no bit.
struct design {
    std::uint64_t item_capacity = 0;
    double target_rate = 0;
    bool intersected = false; ///< an intersection went into it: its bits do not tell how many keys

    friend bool operator==(const design&, const design&) = default;
};

/// Whether 64-bit digests would collide often enough to show in the rate.
[[nodiscard]] constexpr bool needs_wide_digests(const design& goal) noexcept {
    return plan::digest_bits_for({goal.item_capacity}, {goal.target_rate}) > 64;
}

/// Whether two filters can be combined and, if not, the first fact that forbids it.
struct compatibility {
    std::string reason; ///< empty when they are compatible

    explicit operator bool() const noexcept { return reason.empty(); }
};

/// Compares two specs fact by fact. O(1); throws std::bad_alloc.
[[nodiscard]] compatibility compare(const spec& a, const spec& b);

} // namespace bloomery
