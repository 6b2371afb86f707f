// FNV-1 and FNV-1a. The short vectors are those of the authors' Internet draft, those over all byte
// values come from Perl's integers, and the one with another start from libstdc++.
#include <bloomery/detail/hash/fnv.hpp>

#include "vectors.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>

namespace hash = bloomery::hash;

namespace {

std::array<std::byte, 256> every_byte() {
    std::array<std::byte, 256> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(i);
    }
    return bytes;
}

TEST(Fnv, Fnv1Of32BitsMatchesTheDraft) {
    EXPECT_EQ(hash::fnv1_32(vectors::bytes("")), 0x811c9dc5U);
    EXPECT_EQ(hash::fnv1_32(vectors::bytes("a")), 0x050c5d7eU);
    EXPECT_EQ(hash::fnv1_32(vectors::bytes("foobar")), 0x31f0b262U);
    EXPECT_EQ(hash::fnv1_32(every_byte()), 0x8e8881c5U);
}

TEST(Fnv, Fnv1aOf32BitsMatchesTheDraft) {
    EXPECT_EQ(hash::fnv1a_32(vectors::bytes("")), 0x811c9dc5U);
    EXPECT_EQ(hash::fnv1a_32(vectors::bytes("a")), 0xe40c292cU);
    EXPECT_EQ(hash::fnv1a_32(vectors::bytes("foobar")), 0xbf9cf968U);
    EXPECT_EQ(hash::fnv1a_32(every_byte()), 0x90a458c5U);
}

TEST(Fnv, Fnv1Of64BitsMatchesTheDraft) {
    EXPECT_EQ(hash::fnv1_64(vectors::bytes("")), 0xcbf29ce484222325U);
    EXPECT_EQ(hash::fnv1_64(vectors::bytes("a")), 0xaf63bd4c8601b7beU);
    EXPECT_EQ(hash::fnv1_64(vectors::bytes("foobar")), 0x340d8765a4dda9c2U);
    EXPECT_EQ(hash::fnv1_64(every_byte()), 0x21adfaec4e616525U);
}

TEST(Fnv, Fnv1aOf64BitsMatchesTheDraft) {
    EXPECT_EQ(hash::fnv1a_64(vectors::bytes("")), 0xcbf29ce484222325U);
    EXPECT_EQ(hash::fnv1a_64(vectors::bytes("a")), 0xaf63dc4c8601ec8cU);
    EXPECT_EQ(hash::fnv1a_64(vectors::bytes("foobar")), 0x85944171f73967e8U);
    EXPECT_EQ(hash::fnv1a_64(every_byte()), 0x4242dc5249c33625U);
}

TEST(Fnv, StartsWhereItIsTold) {
    EXPECT_EQ(hash::fnv1a_64(vectors::bytes("foobar"), hash::fnv_start_64 + 1),
              0x12e5911e92eeb40fU);
    EXPECT_EQ(hash::fnv1a_64(vectors::bytes("bar"), hash::fnv1a_64(vectors::bytes("foo"))),
              hash::fnv1a_64(vectors::bytes("foobar")));
}

} // namespace
