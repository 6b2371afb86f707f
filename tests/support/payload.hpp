// All that a filter puts into a file, in one piece: what two filters are compared by.
#pragma once

#include <bloomery/detail/filter/saved_words.hpp>

#include <cstdint>
#include <vector>

namespace bloomery::testing {

inline std::vector<std::uint64_t> flattened(const saved_words& saved) {
    std::vector<std::uint64_t> words = saved.record;
    for (const auto& array : saved.arrays) {
        words.insert(words.end(), array.begin(), array.end());
    }
    return words;
}

template <class Filter>
std::vector<std::uint64_t> payload_of(const Filter& of) {
    return flattened(of.saved());
}

} // namespace bloomery::testing
