// The rate of a filter as it is, found by asking it.
#pragma once

#include <bloomery/hash/mix.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace bloomery {

/// What a number of questions about absent keys gave.
struct measured_rate {
    std::uint64_t queries = 0;
    std::uint64_t positives = 0;

    [[nodiscard]] double value() const noexcept {
        return queries == 0 ? 0 : static_cast<double>(positives) / static_cast<double>(queries);
    }
    /// One standard deviation of `value()`, binomial.
    [[nodiscard]] double standard_error() const noexcept;
};

/// Asks for random keys of 24 bytes, which nobody inserted (two of them meet by chance once in 2^64
/// runs), through the filter's own hash. Changes nothing. O(queries * k).
template <class Filter>
[[nodiscard]] measured_rate measure_fpp(const Filter& asked, std::uint64_t queries,
                                        std::uint64_t seed = 0) {
    measured_rate result{queries, 0};
    for (std::uint64_t i = 0; i < queries; ++i) {
        std::array<char, 24> key{'f', 'p', 'p', ' ', 'p', 'r', 'o', 'b'};
        const digest128 noise = hash::mix128(i, seed);
        for (unsigned b = 0; b < 8; ++b) {
            key[8 + b] = static_cast<char>(noise.low >> (8 * b));
            key[16 + b] = static_cast<char>(noise.high >> (8 * b));
        }
        if (asked.may_contain(std::string_view(key.data(), key.size()))) {
            ++result.positives;
        }
    }
    return result;
}

} // namespace bloomery
