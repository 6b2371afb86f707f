// Bits in the order of Redis and in ours, whatever bit a shard begins at.
#include "../../src/redis/bit_slices.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

bool bit_of(const std::vector<std::uint64_t>& words, std::uint64_t at) {
    return (words[at / 64] >> at % 64 & 1U) != 0;
}

/// As GETBIT counts them.
bool redis_bit(const std::string& bytes, std::uint64_t at) {
    const std::uint64_t byte = static_cast<unsigned char>(bytes[at / 8]);
    return (byte >> (7 - at % 8) & 1U) != 0;
}

RC_GTEST_PROP(BitSlices, HaveTheBitsFromThePlaceGivenOn, (std::vector<std::uint64_t> words)) {
    RC_PRE(!words.empty());
    const auto first = *rc::gen::inRange<std::uint64_t>(0, words.size() * 64);
    const auto end = *rc::gen::inRange<std::uint64_t>(first, words.size() * 64 + 1);
    const auto size = *rc::gen::inRange<std::size_t>(0, (end - first) / 8 + 3);
    const std::string bytes = redis::slice_of(words, first, end, size);
    RC_ASSERT(bytes.size() == size);
    for (std::uint64_t i = 0; i < 8 * size; ++i) {
        RC_ASSERT(redis_bit(bytes, i) == (first + i < end && bit_of(words, first + i)));
    }
}

RC_GTEST_PROP(BitSlices, ComeBackAsTheyWere, (std::vector<std::uint64_t> words)) {
    RC_PRE(!words.empty());
    const auto first = *rc::gen::inRange<std::uint64_t>(0, words.size() * 64);
    const auto end = *rc::gen::inRange<std::uint64_t>(first, words.size() * 64 + 1);
    const std::string bytes = redis::slice_of(words, first, end, (end - first) / 8 + 1);
    std::vector<std::uint64_t> back(words.size());
    redis::add_slice(back, first, end, bytes);
    for (std::uint64_t i = 0; i < words.size() * 64; ++i) {
        RC_ASSERT(bit_of(back, i) == (i >= first && i < end && bit_of(words, i)));
    }
}

// What is past the last bit of a shard is not a bit of the next.
TEST(BitSlices, EndWhereTheyAreTold) {
    std::vector<std::uint64_t> words(2);
    redis::add_slice(words, 3, 13, std::string(8, '\xff'));
    EXPECT_EQ(words[0], 0x1ff8U);
    EXPECT_EQ(words[1], 0U);
}

} // namespace
} // namespace bloomery::testing
