// XXH3 as inlined here equals the shared library that wrote the vectors, at every cut point.
#include <bloomery/hash/xxh3.hpp>

#include "vectors.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace hash = bloomery::hash;

namespace {

TEST(Xxh3, SixtyFourBitsMatchTheLibrary) {
    for (const vectors::row& row : vectors::rows("xxh3.txt", "xxh3_64")) {
        const hash::xxh3_64 hasher{vectors::hex(row[1])};
        for (std::size_t shift = 0; shift < 8; ++shift) {
            const vectors::placed_key key(std::stoul(row[2]), shift);
            ASSERT_EQ(hasher(key.view()).value, vectors::hex(row[3])) << row[2];
        }
    }
}

TEST(Xxh3, HundredTwentyEightBitsMatchTheLibrary) {
    for (const vectors::row& row : vectors::rows("xxh3.txt", "xxh3_128")) {
        const hash::xxh3_128 hasher{vectors::hex(row[1])};
        for (std::size_t shift = 0; shift < 8; ++shift) {
            const vectors::placed_key key(std::stoul(row[2]), shift);
            const bloomery::digest128 expected{vectors::hex(row[3]), vectors::hex(row[4])};
            ASSERT_EQ(hasher(key.view()), expected) << row[2];
        }
    }
}

TEST(Xxh3, IntegersAreMixed) {
    EXPECT_EQ(hash::xxh3_64{7}.integer(42).value, hash::mix64(42, 7));
    EXPECT_EQ(hash::xxh3_128{7}.integer(42), hash::mix128(42, 7));
}

TEST(Xxh3, TellsNulsAndLengthsApart) {
    using namespace std::string_view_literals;
    const hash::xxh3_64 hasher;
    EXPECT_NE(hasher(vectors::bytes(""sv)), hasher(vectors::bytes("\0"sv)));
    EXPECT_NE(hasher(vectors::bytes("a\0b"sv)), hasher(vectors::bytes("a\0c"sv)));
}

TEST(Xxh3, EqualsOnlyUnderTheSameSeed) {
    EXPECT_EQ(hash::xxh3_64{}, hash::xxh3_64{0});
    EXPECT_NE(hash::xxh3_64{}, hash::xxh3_64{1});
    EXPECT_NE(hash::xxh3_128{}, hash::xxh3_128{1});
}

} // namespace
