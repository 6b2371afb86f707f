// The arithmetic for GPUs is that of the library, bit for bit.
#include <bloomery/detail/gpu/block.hpp>
#include <bloomery/detail/kernel/split_bits.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/gpu/ref.hpp>
#include <bloomery/hash/xxh3.hpp>

#include "devices.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace {

using namespace bloomery;

template <class Which>
struct Block : testing::Test {};
using blocks = testing::Types<gpu::detail::block<layout_kind::split_8x32>,
                              gpu::detail::block<layout_kind::split_8x64>,
                              gpu::detail::block<layout_kind::split_16x32>>;
TYPED_TEST_SUITE(Block, blocks);

template <layout_kind Kind>
constexpr layout_kind kind_of(gpu::detail::block<Kind> /*which*/) {
    return Kind;
}

TYPED_TEST(Block, HasTheWordsOfTheDefinition) {
    constexpr layout_kind kind = kind_of(TypeParam{});
    for (const std::uint64_t high : on_devices::some_keys(10'000)) {
        const auto words = kernel::split_words<kind>(high);
        ASSERT_EQ(words.size(), TypeParam::words);
        for (unsigned j = 0; j < words.size(); ++j) {
            ASSERT_EQ(TypeParam::word(high, j), words[j]);
        }
    }
}

TYPED_TEST(Block, HasTheSameBitsInWordsOf32) {
    constexpr layout_kind kind = kind_of(TypeParam{});
    for (const std::uint64_t high : on_devices::some_keys(10'000)) {
        std::array<std::uint64_t, TypeParam::words> found{};
        for (unsigned i = 0; i < TypeParam::bits; ++i) {
            const gpu::detail::place32 bit = TypeParam::place(high, i);
            ASSERT_LT(bit.word, 2 * found.size());
            found[bit.word / 2] |= std::uint64_t{bit.mask} << (bit.word % 2 * 32);
        }
        ASSERT_EQ(found, kernel::split_words<kind>(high));
    }
}

template <class Filter, layout_kind Kind>
void compare_with(std::uint64_t seed, bool wide) {
    const native_hash hash = wide ? native_hash::seeded(seed).widened() : native_hash::seeded(seed);
    bloomery::filter expected(plan::shape{Kind, 512 * 1001, plan::facts_of(Kind).fixed_hashes},
                              hash, {});
    std::vector<std::uint64_t> words(expected.words().size());
    const gpu::ref<Kind> ref(
        words.data(), expected.layout().shape().block_count(),
        {seed, bloomery::hash::mixed_seed(seed), bloomery::hash::mixed_seed(~seed), wide});
    for (const std::uint64_t key : on_devices::some_keys(20'000, 3)) {
        ASSERT_EQ(ref.digest(key), expected.digest(key));
        ASSERT_EQ(ref.may_contain(key), expected.may_contain(key));
        ASSERT_EQ(ref.try_insert(key), expected.try_insert(key));
        ASSERT_TRUE(ref.may_contain(key));
    }
    EXPECT_TRUE(std::equal(words.begin(), words.end(), expected.words().begin()));
}

TYPED_TEST(Block, MakesARefOfTheSameFilter) {
    constexpr layout_kind kind = kind_of(TypeParam{});
    compare_with<bloomery::filter, kind>(0, false);
    compare_with<bloomery::filter, kind>(42, false);
    compare_with<bloomery::filter, kind>(42, true);
}

} // namespace
