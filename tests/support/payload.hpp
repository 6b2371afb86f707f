// All that a filter puts into a file, in one piece: what two filters are compared by.
#pragma once

#include <bloomery/filter/any_filter.hpp>

#include <cstdint>
#include <vector>

namespace bloomery::testing {

inline std::vector<std::uint64_t> payload_of(const any_filter& of) {
    const saved_words saved = of.saved();
    std::vector<std::uint64_t> words = saved.record;
    for (const auto& array : saved.arrays) {
        words.insert(words.end(), array.begin(), array.end());
    }
    return words;
}

} // namespace bloomery::testing
