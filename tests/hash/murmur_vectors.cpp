// The four Murmurs equal the author's own code at every tail length and alignment.
#include <bloomery/detail/hash/murmur.hpp>

#include "vectors.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace hash = bloomery::hash;

namespace {

/// Calls `check(row, seed, key)` for each vector of that name, with the key at every alignment.
template <class Check>
void for_each_vector(const char* name, Check check) {
    for (const vectors::row& row : vectors::rows("murmur.txt", name)) {
        for (std::size_t shift = 0; shift < 8; ++shift) {
            const vectors::placed_key key(std::stoul(row[2]), shift);
            check(row, vectors::hex(row[1]), key.view());
        }
    }
}

TEST(Murmur3, X64Of128BitsMatchesTheReference) {
    for_each_vector("murmur3_x64_128", [](const vectors::row& row, std::uint64_t seed, auto key) {
        const bloomery::digest128 expected{vectors::hex(row[3]), vectors::hex(row[4])};
        EXPECT_EQ(hash::murmur3_x64_128(key, seed), expected) << row[2];
    });
}

TEST(Murmur3, X86Of32BitsMatchesTheReference) {
    for_each_vector("murmur3_x86_32", [](const vectors::row& row, std::uint64_t seed, auto key) {
        EXPECT_EQ(hash::murmur3_x86_32(key, static_cast<std::uint32_t>(seed)), vectors::hex(row[3]))
            << row[2];
    });
}

TEST(Murmur2, SixtyFourAMatchesTheReference) {
    for_each_vector("murmur64a", [](const vectors::row& row, std::uint64_t seed, auto key) {
        EXPECT_EQ(hash::murmur64a(key, seed), vectors::hex(row[3])) << row[2];
    });
}

TEST(Murmur2, ThirtyTwoBitsMatchTheReference) {
    for_each_vector("murmur2_32", [](const vectors::row& row, std::uint64_t seed, auto key) {
        EXPECT_EQ(hash::murmur2_32(key, static_cast<std::uint32_t>(seed)), vectors::hex(row[3]))
            << row[2];
    });
}

TEST(Murmur3, CountsTrailingNuls) {
    using namespace std::string_view_literals;
    EXPECT_NE(hash::murmur3_x64_128(vectors::bytes("a"sv)),
              hash::murmur3_x64_128(vectors::bytes("a\0"sv)));
    EXPECT_NE(hash::murmur3_x86_32(vectors::bytes("a"sv)),
              hash::murmur3_x86_32(vectors::bytes("a\0"sv)));
}

} // namespace
