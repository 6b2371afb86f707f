// What becomes of the words that a filter saved when they are damaged.
#pragma once

#include <bloomery/error.hpp>

#include "payload.hpp"
#include "random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bloomery::testing {

/// Every truncation, and a word too many, must be refused; a changed word must be refused or give
/// something that `use` can use. Returns how many changes were refused.
template <class Restore, class Use>
std::size_t damage(const std::vector<std::uint64_t>& good, std::size_t rounds, Restore restore,
                   Use use) {
    using view = std::span<const std::uint64_t>;
    for (std::size_t length = 0; length < good.size(); ++length) {
        EXPECT_THROW((void)restore(view(good).first(length)), bad_data) << length;
    }
    std::vector<std::uint64_t> longer = good;
    longer.push_back(0);
    EXPECT_THROW((void)restore(view(longer)), bad_data);

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
        try {
            auto made = restore(view(bad));
            use(made);
        } catch (const error&) {
            ++refused;
        }
    }
    return refused;
}

} // namespace bloomery::testing
