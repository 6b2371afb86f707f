// Streams of keys that occur more than once, the same in every run.
#pragma once

#include "random.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bloomery::testing {

/// Every key of [0, n) as often as any other, in random order.
inline std::vector<std::uint64_t> even_stream(std::uint64_t n, std::uint64_t each,
                                              std::uint64_t seed) {
    std::vector<std::uint64_t> keys(n * each);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = i % n;
    random_source random(seed);
    for (std::size_t i = keys.size(); i > 1; --i) std::swap(keys[i - 1], keys[random.below(i)]);
    return keys;
}

/// Keys of [0, n), drawn with chances of 1 / (key + 1)^skew: 0 is uniform, 1 is Zipf's law.
inline std::vector<std::uint64_t> drawn_stream(std::uint64_t n, std::uint64_t length, double skew,
                                               std::uint64_t seed) {
    std::vector<double> below(n);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        below[i] = sum += std::pow(static_cast<double>(i + 1), -skew);
    }
    random_source random(seed);
    std::vector<std::uint64_t> keys(length);
    for (std::uint64_t& key : keys) {
        const double at = static_cast<double>(random.next() >> 11U) * 0x1p-53 * sum;
        const auto found = std::ranges::upper_bound(below, at);
        key = std::min(static_cast<std::uint64_t>(found - below.begin()), n - 1);
    }
    return keys;
}

/// How often each key of [0, n) occurs.
inline std::vector<std::uint64_t> occurrences(const std::vector<std::uint64_t>& stream,
                                              std::uint64_t n) {
    std::vector<std::uint64_t> counts(n);
    for (const std::uint64_t key : stream) ++counts[key];
    return counts;
}

} // namespace bloomery::testing
