// A filter's saved words in one piece, as a file would have them, and the way back.
#pragma once

#include <bloomery/filter/saved_words.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace bloomery::testing {

template <class Filter>
std::vector<std::uint64_t> words_of(const Filter& filter) {
    const saved_words saved = filter.saved();
    std::vector<std::uint64_t> all = saved.record;
    for (const auto& array : saved.arrays) {
        all.insert(all.end(), array.begin(), array.end());
    }
    return all;
}

template <class Filter>
Filter restored_from(const Filter& like, std::span<const std::uint64_t> words) {
    return Filter::restored(like.spec(), like.made_for(), like.hash(), words);
}

} // namespace bloomery::testing
