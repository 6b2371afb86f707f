// Which structure for which situation, with the numbers that decide.
//
// The first matching rule wins, in this order: integers in a small range, few keys or no error
// allowed, all negatives known, an endless stream, counts, removal, unknown n, a fixed set, and at
// last the Bloom filters proper. The advice may be not to use a filter at all.
#pragma once

#include <bloomery/plan/shape.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::plan {

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
[[nodiscard]] std::string_view name_of(kind of);

/// What the caller knows. Everything but n (or its bounds, or a window) has a default.
struct situation {
    std::optional<items> n = std::nullopt;      ///< distinct keys
    std::optional<items> n_low = std::nullopt;  ///< at least, where n is not known
    std::optional<items> n_high = std::nullopt; ///< at most
    std::optional<rate> p = std::nullopt;       ///< 1 % when absent
    double key_bytes = 32;                      ///< mean length of a key

    std::optional<std::uint64_t> integer_range = std::nullopt; ///< keys are integers below this
    bool error_allowed = true;
    std::optional<items> known_negatives =
        std::nullopt; ///< every key that will be asked and is no member
    std::optional<items> window =
        std::nullopt; ///< endless stream: the last so many keys count, whatever n is
    bool needs_counts = false;
    bool counts_skewed = false;
    bool adaptive_width = false; ///< counters should follow the largest count
    bool needs_removal = false;
    bool query_bound = false;        ///< with removal: queries matter more than memory
    bool memory_bound = false;       ///< with removal: the other way round
    bool needs_merge = false;        ///< with removal: sum or union of filters
    bool fixed_set = false;          ///< built once, may be rebuilt
    bool one_line_per_query = false; ///< also where the classic layout takes much less memory
    bool refuses_overhead = false;   ///< more than 15 % above the classic size is too much

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
    double bytes;         ///< memory when it is made: of one that grows, of its beginning
    double bits_per_item; ///< bytes, for each key that it is then made for
    double fpp;           ///< 0 for exact structures
    std::string sentence; ///< the same in words
};

/// What a filter of the recommended kind is constructed from, so that it is the one that the
/// sentences describe.
struct recipe {
    items n{}; ///< the keys to size it for: of a scalable filter its first, of a window its last
    rate p{};
    bool usual_layout = true;      ///< of a native Bloom filter: `choose` takes its layout too
    bool minimal_increase = false; ///< of a spectral filter: its policy; else minimum selection
    bool keyed = false;            ///< with a keyed hash and a secret
};

/// The verdict. All texts are whole English sentences.
struct advice {
    option recommended;
    std::string headline;
    std::vector<std::string> reasons; ///< the numbers that decided
    option runner_up;
    std::vector<std::string> warnings;
    std::optional<shape> filter; ///< when it is a native Bloom filter: ready to build
    recipe make{};               ///< how to make what is recommended, if it is in this library
};

/// (1 - positives) (1 - p) backend - probe: what one query saves on average, in the unit of the
/// costs. Positive: the filter pays. O(1). Throws `bad_argument` for a fraction outside [0, 1].
[[nodiscard]] double saving_per_query(double positive_fraction, double fpp, double probe_cost,
                                      double backend_cost);

/// Decides. Milliseconds. Throws `bad_argument` when n is not known in any way or a value is bad.
[[nodiscard]] advice advise(const situation& of);

} // namespace bloomery::plan
