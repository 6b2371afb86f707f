// Other hashes than the native one: a user's own, a weak one, a keyed one.
#include <bloomery/filter/filter.hpp>
#include <bloomery/hash/function_hash.hpp>

#include "binomial.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace bloomery {
namespace {

struct point {
    int x, y;
};
struct point_hash {
    std::size_t operator()(const point& p) const noexcept {
        return static_cast<std::size_t>(p.x) * 31 + static_cast<std::size_t>(p.y);
    }
};

struct avalanching_identity {
    static constexpr bool is_avalanching = true; // a lie, to see that the mark is honoured
    std::uint64_t operator()(std::uint64_t x) const noexcept { return x; }
};

struct short_hash {
    static constexpr bool is_avalanching = true;
    std::uint32_t operator()(byte_view bytes) const noexcept {
        return static_cast<std::uint32_t>(hash::xxh3_64{}(bytes).value);
    }
};

template <class Hash>
using filter_with = basic_filter<layout::classic<>, Hash>;

TEST(Hashes, AUsersOwnHashPlugsIn) {
    filter_with<point_hash> f{items{100}, rate{1e-6}};
    f.insert(point{1, 2});
    EXPECT_TRUE(f.may_contain(point{1, 2}));
    EXPECT_FALSE(f.may_contain(point{2, 1}));
    filter_with<std::hash<std::string>> g{items{100}, rate{1e-6}};
    g.insert(std::string("a"));
    EXPECT_TRUE(g.may_contain(std::string("a")));
    EXPECT_FALSE(g.may_contain(std::string("b")));
}

// std::hash<int> is the identity: unmixed, its high bits are empty and every key would hit bit 0.
TEST(Hashes, AWeakHashIsMixed) {
    filter_with<std::hash<std::uint64_t>> f{items{10'000}, rate{0.01}};
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        f.insert(i);
    }
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 1'000'000; i < 1'100'000; ++i) {
        wrong += f.may_contain(i) ? 1U : 0U;
    }
    EXPECT_TRUE(testing::binomial_bounds(100'000, f.expected_rate()).contain(wrong)) << wrong;
    EXPECT_NEAR(f.estimated_items().items, 10'000, 7 * f.estimated_items().standard_error);
}

TEST(Hashes, AHashMarkedAvalanchingIsLeftAlone) {
    filter_with<avalanching_identity> f{items{1000}, rate{0.01}};
    EXPECT_EQ(f.digest(std::uint64_t{5}).value, 5U);
}

TEST(Hashes, AShortHashIsSpreadOverSixtyFourBits) {
    filter_with<short_hash> f{items{10'000}, rate{0.01}};
    for (int i = 0; i < 10'000; ++i) {
        f.insert(i);
    }
    EXPECT_NEAR(f.estimated_items().items, 10'000, 7 * f.estimated_items().standard_error);
}

TEST(Hashes, TheClassicalOnesWorkAsHashesOfAFilter) {
    filter_with<hash::bkdr_hash> f{items{1000}, rate{0.01}};
    for (int i = 0; i < 1000; ++i) {
        f.insert("key " + std::to_string(i));
    }
    for (int i = 0; i < 1000; ++i) {
        EXPECT_TRUE(f.may_contain("key " + std::to_string(i)));
    }
    EXPECT_EQ(f.spec().hash, hash::hash_id::bkdr);
}

TEST(Hashes, TheRuntimeHashSetsTheBitsOfTheCompiledOne) {
    filter_with<hash::xxh3_64> compiled(bits{10'007}, hashes{7}, hash::xxh3_64{9});
    filter chosen(bits{10'007}, hashes{7}, native_hash::seeded(9));
    for (int i = 0; i < 500; ++i) {
        compiled.insert(i);
        chosen.insert(i);
        compiled.insert(std::to_string(i));
        chosen.insert(std::to_string(i));
    }
    EXPECT_TRUE(std::ranges::equal(compiled.words(), chosen.words()));
    EXPECT_EQ(compiled.spec(), chosen.spec());
}

TEST(Hashes, SeedsAndKeysMakeDifferentFilters) {
    const auto made = [](native_hash h) {
        filter f(bits{100'003}, hashes{5}, h);
        for (int i = 0; i < 1000; ++i) {
            f.insert(i);
        }
        return std::vector<std::uint64_t>(f.words().begin(), f.words().end());
    };
    EXPECT_NE(made(native_hash::seeded(0)), made(native_hash::seeded(1)));
    EXPECT_NE(made(native_hash::keyed({1, 2})), made(native_hash::keyed({1, 3})));
    EXPECT_EQ(made(native_hash::keyed({1, 2})), made(native_hash::keyed({1, 2})));
    EXPECT_NE(made(native_hash::keyed({1, 2})), made(native_hash::keyed({1, 2}).widened()));
}

TEST(Hashes, HugeOrVeryAccurateFiltersUse128Bits) {
    EXPECT_EQ(filter(items{1000}, rate{1e-3}).spec().hash, hash::hash_id::xxh3_64);
    EXPECT_EQ(filter(items{1000}, rate{1e-10}).spec().hash, hash::hash_id::xxh3_128);
    EXPECT_EQ(filter(items{2'000'000'000}, rate{0.01}).spec().hash, hash::hash_id::xxh3_128);
    EXPECT_EQ(filter(items{10}, rate{1e-10}, native_hash::keyed({1, 2})).spec().hash,
              hash::hash_id::siphash13_128);
}

} // namespace
} // namespace bloomery
