// Single keys through the kernel in use set and find the bits that the definition says.
#include <bloomery/detail/kernel/one_key.hpp>
#include <bloomery/detail/kernel/split_bits.hpp>
#include <bloomery/kernel/kernel.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>

namespace bloomery::kernel {
namespace {

template <layout_kind Kind>
void expect_definition(std::mt19937_64& random) {
    std::array<std::uint64_t, plan::facts_of(Kind).block_bits / 64> block{};
    for (int i = 0; i < 200; ++i) {
        if (i % 20 == 0) {
            block.fill(0);
        }
        const std::uint64_t high = random();
        const auto bits = split_words<Kind>(high);
        auto expected = block;
        bool held = true;
        for (std::size_t j = 0; j < block.size(); ++j) {
            held = held && (bits[j] & ~block[j]) == 0;
            expected[j] |= bits[j];
        }
        EXPECT_EQ(one_key(Kind).contains(block.data(), high), held);
        auto other = block;
        EXPECT_EQ(one_key(Kind).try_insert(other.data(), high), !held);
        EXPECT_EQ(other, expected);
        bool answer = !held;
        EXPECT_EQ(one_key(Kind).contains_at(block.data(), high, &answer), 0);
        EXPECT_EQ(answer, held);
        other = block;
        EXPECT_EQ(one_key(Kind).try_insert_at(other.data(), high, &answer), 0);
        EXPECT_EQ(answer, !held);
        EXPECT_EQ(other, expected);
        one_key(Kind).insert(block.data(), high);
        EXPECT_EQ(block, expected);
        EXPECT_TRUE(one_key(Kind).contains(block.data(), high));
    }
}

TEST(OneKey, DoesWhatTheDefinitionDoesInEveryKernel) {
    const id before = active();
    std::mt19937_64 random(1);
    for (const id each : all) {
        if (is_usable(each)) {
            use(each);
            SCOPED_TRACE(name_of(each));
            expect_definition<layout_kind::split_8x32>(random);
            expect_definition<layout_kind::split_8x64>(random);
            expect_definition<layout_kind::split_16x32>(random);
        }
    }
    use(before);
}

} // namespace
} // namespace bloomery::kernel
