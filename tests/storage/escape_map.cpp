#include <bloomery/detail/storage/escape_map.hpp>

#include "failing_allocator.hpp"
#include "random.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace bloomery::storage {
namespace {

using entries = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

entries sorted_of(const std::map<std::uint64_t, std::uint64_t>& expected) {
    return {expected.begin(), expected.end()};
}

TEST(EscapeMap, IsAMap) {
    testing::random_source random(1);
    escape_map<> made;
    std::map<std::uint64_t, std::uint64_t> expected;
    // Few places, so that erase meets clusters and the end of the array; up, down and up again.
    for (int step = 0; step < 60'000; ++step) {
        const std::uint64_t place = random.below(3000);
        const bool filling = step / 10'000 % 2 == 0;
        if (random.below(10) < (filling ? 8U : 3U)) {
            const std::uint64_t value = random.next() | 1U;
            made.reserve(1);
            made.put(place, value);
            expected[place] = value;
        } else {
            made.erase(place);
            expected.erase(place);
        }
        ASSERT_EQ(made.size(), expected.size());
        const auto found = expected.find(place);
        ASSERT_EQ(made.find(place), found == expected.end() ? 0 : found->second);
        if (step % 1000 == 0) {
            ASSERT_EQ(made.sorted(), sorted_of(expected));
            for (const auto& [at, value] : expected) ASSERT_EQ(made.find(at), value);
        }
    }
    made.clear();
    EXPECT_EQ(made.size(), 0U);
    EXPECT_EQ(made.byte_count(), 0U);
    EXPECT_EQ(made.find(5), 0U);
}

TEST(EscapeMap, TakesPlacesAtBothEnds) {
    escape_map<> made;
    made.reserve(2);
    made.put(0, 7);
    made.put((std::uint64_t{1} << 63) - 1, 8);
    EXPECT_EQ(made.find(0), 7U);
    EXPECT_EQ(made.find((std::uint64_t{1} << 63) - 1), 8U);
    EXPECT_EQ(made.find(1), 0U);
}

TEST(EscapeMap, IsDenseWhenItIsLoaded) {
    escape_map<> made;
    made.reserve_tightly(30'000);
    EXPECT_LE(made.byte_count(), 30'000 * 16 * 4 / 3 + 128);
    for (std::uint64_t i = 0; i < 30'000; ++i) made.put(i * i, i + 1);
    for (std::uint64_t i = 0; i < 30'000; ++i) ASSERT_EQ(made.find(i * i), i + 1);
}

TEST(EscapeMap, StaysWholeWithoutMemory) {
    using map = escape_map<testing::failing_allocator<std::uint64_t>>;
    map made;
    made.reserve(1);
    std::uint64_t held = 0;
    {
        const testing::no_memory none;
        try {
            for (;; ++held) {
                made.reserve(1);
                made.put(held, held + 1);
            }
        } catch (const memory_refused&) {
        }
    }
    ASSERT_GT(held, 0U);
    EXPECT_EQ(made.size(), held);
    for (std::uint64_t i = 0; i < held; ++i) EXPECT_EQ(made.find(i), i + 1);
    made.reserve(1);
    made.put(held, 99);
    EXPECT_EQ(made.find(held), 99U);
}

} // namespace
} // namespace bloomery::storage
