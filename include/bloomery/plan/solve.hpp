// Any sufficient part of n, p, m, k and memory in; everything out.
#pragma once

#include <bloomery/plan/shape.hpp>

#include <cstdint>
#include <optional>

namespace bloomery::plan {

/// What is known. Sufficient are two of: n, p, and one of m and memory; k may be added to any pair.
struct question {
    std::optional<items> n = std::nullopt;
    std::optional<rate> p = std::nullopt;
    std::optional<bits> m = std::nullopt;
    std::optional<hashes> k = std::nullopt;
    std::optional<bytes> memory = std::nullopt;
    layout_kind layout = layout_kind::classic;
};

/// A filter with all its numbers.
struct answer {
    shape filter;
    items n;                     ///< given, or the most keys that keep the rate p
    rate p;                      ///< the rate asked for; the rate reached when none was asked
    double fpp;                  ///< exact expected rate at n keys, collisions of digests included
    double bits_per_item;        ///< filter.bit_count / n
    bytes memory;                ///< filter.byte_count()
    std::uint64_t item_capacity; ///< the most keys at rate p
    bool meets_rate;             ///< the probes' rate is at most p: false only when n, p and m
                                 ///< were all given
};

/// Solves for what is missing. Milliseconds. Throws `bad_argument` that names what is missing when
/// the question is not sufficient, what contradicts when it is too much, or the value that is bad.
[[nodiscard]] answer solve(const question& asked);

} // namespace bloomery::plan
