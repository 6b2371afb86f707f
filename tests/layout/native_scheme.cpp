// The index scheme of native filters. Frozen: saved filters depend on every value here.
#include <bloomery/hash/native.hpp>
#include <bloomery/layout/classic.hpp>

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace bloomery::layout {
namespace {

template <class Digest>
std::vector<std::uint64_t> places(Digest digest, unsigned count) {
    auto walk = native_scheme::walk(digest);
    std::vector<std::uint64_t> found(count);
    for (std::uint64_t& place : found) {
        place = walk.next();
    }
    return found;
}

TEST(NativeScheme, StepsByTheGoldenRatio) {
    EXPECT_EQ(places(digest64{1}, 3),
              (std::vector<std::uint64_t>{1, 0x9E3779B97F4A7C15U, 0xDF442D22CE4859B9U}));
}

TEST(NativeScheme, WalksAWidenedDigestAsTheNarrowOne) {
    for (const std::uint64_t seed : {1ULL, 42ULL, 0xdeadbeefcafef00dULL, ~0ULL}) {
        EXPECT_EQ(places(digest64{seed}, 64), places(widen(digest64{seed}), 64));
    }
}

TEST(NativeScheme, UsesBothHalvesOfAWideDigest) {
    const auto one = places(digest128{1, 2}, 4);
    EXPECT_EQ(one[0], 1U);
    EXPECT_EQ(one[1], 2U);
    EXPECT_NE(places(digest128{1, 3}, 4), one);
}

TEST(NativeScheme, ReducesIntoTheArrayWhateverItsSize) {
    for (const std::uint64_t m : {1ULL, 2ULL, 63ULL, 64ULL, 1000003ULL, 1ULL << 40, ~0ULL}) {
        EXPECT_EQ(native_scheme::reduce(0, m), 0U);
        EXPECT_EQ(native_scheme::reduce(~0ULL, m), m - 1);
    }
}

TEST(Classic, SetsExactlyTheBitsOfItsPlaces) {
    const classic<> layout(bits{1000}, hashes{7});
    std::vector<std::uint64_t> words(layout.word_count());
    const digest64 digest{0x0123456789abcdefU};
    EXPECT_FALSE(layout.may_contain(words.data(), digest));
    EXPECT_TRUE(layout.insert(words.data(), digest));
    EXPECT_FALSE(layout.insert(words.data(), digest));
    EXPECT_TRUE(layout.may_contain(words.data(), digest));
    std::set<std::uint64_t> expected;
    for (const std::uint64_t place : places(digest, 7)) {
        expected.insert(native_scheme::reduce(place, 1000));
    }
    std::set<std::uint64_t> found;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        if ((words[i / 64] >> (i % 64) & 1) != 0) {
            found.insert(i);
        }
    }
    EXPECT_EQ(found, expected);
}

TEST(Classic, RefusesWhatNoFilterCanHave) {
    EXPECT_THROW(classic<>(bits{0}, hashes{1}), bad_argument);
    EXPECT_THROW(classic<>(bits{1}, hashes{0}), bad_argument);
    EXPECT_THROW(classic<>(bits{1}, hashes{256}), bad_argument);
    EXPECT_EQ(classic<>(bits{65}, hashes{1}).word_count(), 2U);
    EXPECT_EQ(classic<>(bits{~0ULL}, hashes{1}).word_count(), 1ULL << 58);
}

} // namespace
} // namespace bloomery::layout
