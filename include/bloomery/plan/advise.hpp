// Recommends a data structure for a situation, with the numbers that decide.
//
// The first matching rule wins, in this order: integers in a small range, few keys or no error
// allowed, all negatives known, an endless stream, counts, removal, unknown n, a fixed set, and
// finally the Bloom filters proper. The advice may be not to use a filter at all.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/plan/shape.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::inline v0::plan {

/// What can be recommended.
enum class kind : std::uint8_t {
    none, ///< no filter: it would cost more than it saves
    bitmap,
    hash_set,
    cascade,
    window,
    spectral,
    dynamic_count,
    accurate,
    dleft,
    counting,
    scalable,
    split_8x64,
    split_16x32,
    blocked,
    classic,
    binary_fuse, ///< not in this library; only ever a runner-up
    cuckoo,      ///< not in this library; only ever a runner-up
};

/// "none", "bitmap", "hash-set", "cascade", "window", "spectral", ... O(1), never throws.
[[nodiscard]] BLOOMERY_EXPORT std::string_view name_of(kind of);

/// What the caller knows. Everything except n (or its bounds, or a window) has a default.
struct situation {
    std::optional<items> n = std::nullopt;      ///< distinct keys
    std::optional<items> n_low = std::nullopt;  ///< at least, if n is not known
    std::optional<items> n_high = std::nullopt; ///< at most
    std::optional<rate> p = std::nullopt;       ///< 1 % when absent
    double key_bytes = 32;                      ///< mean length of a key

    std::optional<std::uint64_t> integer_range = std::nullopt; ///< keys are integers below this
    bool error_allowed = true;
    std::optional<items> known_negatives =
        std::nullopt; ///< every key that will be queried and is not a member
    std::optional<items> window =
        std::nullopt; ///< endless stream: only this many of the last keys count
    bool needs_counts = false;
    bool counts_skewed = false;
    bool adaptive_width = false; ///< counters should follow the largest count
    bool needs_removal = false;
    bool query_bound = false;        ///< with removal: queries matter more than memory
    bool memory_bound = false;       ///< with removal: memory matters more than queries
    bool needs_merge = false;        ///< with removal: sum or union of filters
    bool fixed_set = false;          ///< built once, may be rebuilt
    bool one_line_per_query = false; ///< even if the classic layout takes much less memory
    bool refuses_overhead = false;   ///< at most 15 % above the classic size

    bool untrusted_keys = false;
    std::optional<double> positive_fraction =
        std::nullopt; ///< share of queries for keys that are in the set
    std::optional<double> probe_cost_ns = std::nullopt;
    std::optional<double> backend_cost_ns = std::nullopt;
    std::optional<bytes> last_level_cache = std::nullopt;
};

/// One structure with its numbers.
struct option {
    kind what;
    double bytes;         ///< memory when created; for one that grows, at the start
    double bits_per_item; ///< per key that it is made for at that point
    double expected_rate; ///< 0 for exact structures
    std::string sentence; ///< a description in words
};

/// The arguments to construct a filter of the recommended kind, the one that the sentences
/// describe.
struct recipe {
    items n{}; ///< keys to size it for: the first for a scalable filter, the last for a window
    rate p{};
    bool usual_layout = true;      ///< native Bloom filters: `choose` picks the same layout
    bool minimal_increase = false; ///< spectral filters: the policy; otherwise minimum selection
    bool keyed = false;            ///< uses a keyed hash with a secret
};

/// The recommendation. All texts are complete English sentences.
struct advice {
    option recommended;
    std::string headline;
    std::vector<std::string> reasons; ///< the numbers that decided
    option runner_up;
    std::vector<std::string> warnings;
    std::optional<shape> filter; ///< for a native Bloom filter: ready to build
    recipe make{};               ///< how to make it, if it is in this library
};

/// (1 - positives) (1 - p) backend - probe: the average saving per query, in the unit of the costs.
/// If it is positive, the filter is worth it. O(1). Throws `bad_argument` for a fraction outside
/// [0, 1].
[[nodiscard]] BLOOMERY_EXPORT double saving_per_query(double positive_fraction,
                                                      double expected_rate, double probe_cost,
                                                      double backend_cost);

/// Returns the recommendation. Takes milliseconds. Throws `bad_argument` if n is unknown or a value
/// is invalid.
[[nodiscard]] BLOOMERY_EXPORT advice advise(const situation& of);

} // namespace bloomery::inline v0::plan
