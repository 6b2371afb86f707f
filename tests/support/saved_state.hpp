// What becomes of the words that a filter saved: read back, cut, damaged.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/hash/digest.hpp>

#include "payload.hpp"
#include "random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace bloomery::testing {

using word_view = std::span<const std::uint64_t>;

template <class Filter>
Filter restored_from(const Filter& like, word_view words) {
    return Filter::restored(like.spec(), like.made_for(), like.hash(), words);
}

/// As the filter comes back from its own words.
template <class Filter>
Filter copy_of(const Filter& made) {
    return restored_from(made, payload_of(made));
}

/// As it would come back if its file said something else about it.
template <class Filter, class Change>
Filter restored_with(const Filter& like, word_view words, Change change) {
    spec what = like.spec();
    change(what);
    return Filter::restored(what, like.made_for(), like.hash(), words);
}

template <class Filter>
void expect_refused(const Filter& made, std::size_t at, std::uint64_t value) {
    std::vector<std::uint64_t> words = payload_of(made);
    words.at(at) = value;
    EXPECT_THROW((void)restored_from(made, words), bad_data) << at << " " << value;
}

/// Every truncation, and a word too many, must be refused.
template <class Restore>
void expect_lengths_refused(const std::vector<std::uint64_t>& good, Restore restore) {
    for (std::size_t length = 0; length < good.size(); ++length) {
        EXPECT_THROW((void)restore(word_view(good).first(length)), bad_data) << length;
    }
    std::vector<std::uint64_t> longer = good;
    longer.push_back(0);
    EXPECT_THROW((void)restore(word_view(longer)), bad_data);
}

template <class Filter>
void expect_lengths_refused(const Filter& made) {
    expect_lengths_refused(payload_of(made),
                           [&](word_view words) { return restored_from(made, words); });
}

/// Other lengths must be refused; a changed word must be refused or give something that `use` can
/// use. Returns how many changes were refused.
template <class Restore, class Use>
std::size_t damage(const std::vector<std::uint64_t>& good, std::size_t rounds, Restore restore,
                   Use use) {
    expect_lengths_refused(good, restore);
    random_source random(1);
    std::size_t refused = 0;
    for (std::size_t round = 0; round < rounds; ++round) {
        std::vector<std::uint64_t> bad = good;
        // Half of the changes go to the record, where the harm is.
        const std::size_t reach =
            round % 2 == 0 ? std::min<std::size_t>(16, bad.size()) : bad.size();
        std::uint64_t& word = bad[random.below(reach)];
        switch (random.below(4)) {
        case 0:
            word = random.next();
            break;
        case 1:
            word ^= std::uint64_t{1} << random.below(64);
            break;
        case 2:
            word += random.below(3) - 1;
            break;
        default:
            word = random.below(2) == 0 ? 0 : ~std::uint64_t{0};
            break;
        }
        auto made = [&] {
            using filter = decltype(restore(word_view(bad)));
            try {
                return std::optional<filter>(restore(word_view(bad)));
            } catch (const bad_data&) {
                ++refused;
            } catch (const unsupported&) {
                ++refused;
            } catch (const bad_argument&) { // another secret than the words were made with
                ++refused;
            }
            return std::optional<filter>();
        }();
        if (made) {
            use(*made);
        }
    }
    return refused;
}

/// Counters of one width, as they stand in words: none goes across two.
inline std::vector<std::uint64_t> counters_in(word_view words, std::uint64_t width,
                                              std::uint64_t count) {
    const std::uint64_t in_word = 64 / width;
    std::vector<std::uint64_t> all(count);
    for (std::uint64_t at = 0; at < count; ++at) {
        all[at] = words[at / in_word] >> (at % in_word * width) & ((std::uint64_t{1} << width) - 1);
    }
    return all;
}

/// A number for the words of a filter that has three digests: they are in files, and never change.
template <class Filter>
std::uint64_t print_of_three_digests(Filter empty) {
    empty.insert(digest128{0x0123456789abcdef, 0xfedcba9876543210});
    empty.insert(digest128{0xffffffffffffffff, 0x0000000000000000});
    empty.insert(digest128{0x8000000000000000, 0x8000000000000000});
    std::uint64_t print = 0;
    for (const std::uint64_t word : payload_of(empty)) {
        print = (print ^ word) * 0x9e3779b97f4a7c15U;
        print ^= print >> 29U;
    }
    return print;
}

} // namespace bloomery::testing
