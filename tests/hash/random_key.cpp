// Secrets come from the system and do not repeat.
#include <bloomery/detail/hash/siphash.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <utility>

namespace hash = bloomery::hash;

namespace {

TEST(RandomKey, NeverRepeats) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    for (int i = 0; i < 1000; ++i) {
        const hash::sip_key key = hash::random_key();
        EXPECT_TRUE(seen.emplace(key.k0, key.k1).second);
    }
}

TEST(RandomKey, FillsEveryBit) {
    hash::sip_key ones{};
    hash::sip_key zeros{};
    for (int i = 0; i < 128; ++i) {
        const hash::sip_key key = hash::random_key();
        ones = {ones.k0 | key.k0, ones.k1 | key.k1};
        zeros = {zeros.k0 | ~key.k0, zeros.k1 | ~key.k1};
    }
    constexpr std::uint64_t all = ~std::uint64_t{0};
    EXPECT_EQ(ones, (hash::sip_key{all, all}));
    EXPECT_EQ(zeros, (hash::sip_key{all, all}));
}

} // namespace
