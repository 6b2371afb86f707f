// Everything that determines the bits of a filter, in one value. Filters with equal specs can be
// merged.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/hash/hash_id.hpp>
#include <bloomery/detail/layout/scheme.hpp>
#include <bloomery/detail/plan/digest_floor.hpp>
#include <bloomery/plan/shape.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery::inline v0 {

/// The kind of a filter; part of the file format, never renumbered.
enum class filter_kind : std::uint16_t {
    bloom = 1,         ///< a set of bits: insert and query
    counting = 2,      ///< a counter instead of each bit: supports erase
    scalable = 3,      ///< several layers: the newest takes the keys, all are queried
    constant = 4,      ///< the same answer for every key, as some systems read from an empty file
    spectral = 5,      ///< wide counters: how often each key was inserted
    dynamic_count = 6, ///< the same, with counters as wide as the largest of them needs
    dleft = 7,         ///< fingerprints in buckets: erase in half the memory of counting
    accurate = 8,      ///< unary counters behind a plain Bloom filter: erase, with fast queries
    window = 9,        ///< remembers the last keys of a stream that never ends
    excepted = 10,     ///< another filter, plus keys for which its answer is known to be wrong
    cascade = 11, ///< Bloom filters that correct each other: exact for the keys it was built from
};

/// "bloom", "counting", "scalable", ...; "unknown" for an unknown number. O(1).
[[nodiscard]] BLOOMERY_EXPORT std::string_view name_of(filter_kind kind) noexcept;

/// Further parameters that determine the state of a filter; their meaning depends on the kind.
using kind_parameters = std::array<std::uint64_t, 8>;

/// Kind, layout, hash and seed: two filters with equal specs set equal bits for equal keys.
struct spec {
    filter_kind kind = filter_kind::bloom;
    layout::scheme_id scheme = layout::scheme_id::native;
    hash::hash_id hash = hash::hash_id::xxh3_64;
    std::uint64_t seed = 0; ///< for a keyed hash: the check value of its key
    plan::shape shape{};
    kind_parameters parameters{};

    friend bool operator==(const spec&, const spec&) = default;
};

/// What a filter was made for, or zero if unknown, and whether it is an intersection. Not part of
/// the spec, because it does not affect the bits.
struct design {
    std::uint64_t item_capacity = 0;
    double target_rate = 0;
    bool intersected = false; ///< from an intersection: its bits do not show how many keys it has

    friend bool operator==(const design&, const design&) = default;
};

/// Whether 64-bit digests would collide often enough to raise the rate noticeably.
[[nodiscard]] constexpr bool needs_wide_digests(const design& goal) noexcept {
    return plan::digest_bits_for({goal.item_capacity}, {goal.target_rate}) > 64;
}

/// Whether two filters can be combined and, if not, the first reason why.
struct compatibility {
    std::string reason; ///< empty when they are compatible

    explicit operator bool() const noexcept { return reason.empty(); }
};

/// Compares two specs field by field. O(1); throws std::bad_alloc.
[[nodiscard]] BLOOMERY_EXPORT compatibility compare(const spec& a, const spec& b);

namespace detail {

/// Throws incompatible, with the reason, unless two filters can be "merged", or whatever is to be
/// done to them. O(1).
BLOOMERY_EXPORT void require_compatible(const compatibility& verdict, std::string_view done);

} // namespace detail

} // namespace bloomery::inline v0
