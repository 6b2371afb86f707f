// The 128-bit product, with and without a 128-bit integer, and the range reduction made from it.
#include <bloomery/detail/hash/bits.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace hash = bloomery::hash;

namespace {

constexpr std::uint64_t all = ~std::uint64_t{0};

TEST(WideMultiply, KnowsItsCorners) {
    constexpr hash::product128 square{1, all - 1};
    static_assert(hash::multiply_wide(all, all) == square);
    static_assert(hash::detail::multiply_halves(all, all) == square);
    EXPECT_EQ(hash::multiply_wide(0, all), (hash::product128{0, 0}));
    EXPECT_EQ(hash::multiply_wide(1, all), (hash::product128{all, 0}));
    // From Python's integers.
    EXPECT_EQ(hash::multiply_wide(0x9e3779b97f4a7c15, 0xc4ceb9fe1a85ec53),
              (hash::product128{0x90f8749f887296cf, 0x79a23cc91b1faf36}));
}

TEST(WideMultiply, FallbackEqualsTheCompilersOwn) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 100'000; ++i) {
        // Shifted, so that short factors and their carries come up too.
        const std::uint64_t a = random() >> (random() % 64);
        const std::uint64_t b = random() >> (random() % 64);
        ASSERT_EQ(hash::detail::multiply_halves(a, b), hash::multiply_wide(a, b)) << a << ' ' << b;
    }
}

TEST(Fastrange, CoversTheRangeAndNothingElse) {
    for (const std::uint64_t m :
         {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{1} << 40, all}) {
        EXPECT_EQ(hash::fastrange(0, m), 0U);
        EXPECT_EQ(hash::fastrange(all, m), m - 1);
    }
    EXPECT_EQ(hash::fastrange(all, 0), 0U);
    EXPECT_EQ(hash::fastrange(all / 2 + 1, 10), 5U);
}

} // namespace
