// The sizes that a filter can be folded to.
#include <bloomery/error.hpp>
#include <bloomery/plan/sizing.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace bloomery::plan {
namespace {

TEST(FoldFactors, AreTheDivisors) {
    for (std::uint64_t blocks = 1; blocks <= 2'000; ++blocks) {
        std::vector<std::uint64_t> divisors;
        for (std::uint64_t i = 1; i <= blocks; ++i) {
            if (blocks % i == 0) divisors.push_back(i);
        }
        ASSERT_EQ(fold_factors({layout_kind::blocked_512, blocks * 512, 6}), divisors);
        ASSERT_EQ(fold_factors({layout_kind::classic, blocks, 6}), divisors);
    }
}

TEST(FoldFactors, DoNotTakeForeverToFind) {
    constexpr std::uint64_t prime = 9'223'372'036'854'775'783; // the largest below 2^63
    EXPECT_EQ(fold_factors({layout_kind::classic, prime, 6}), (std::vector<std::uint64_t>{1}));
    EXPECT_EQ(fold_factors({layout_kind::classic, std::uint64_t{1} << 63U, 6}).size(), 64U);
    EXPECT_EQ(fold_factors({layout_kind::classic, 65'521ULL * 65'519ULL * 4, 6}).size(), 12U);
}

TEST(Foldable, IsLittleLargerAndFoldsToSizesThatAreCloseToEachOther) {
    std::vector<std::uint64_t> counts;
    for (std::uint64_t blocks = 1; blocks < 3'000; ++blocks) counts.push_back(blocks);
    for (std::uint64_t blocks = 3'001; blocks < 10'000'000'000'000; blocks = blocks * 7 / 6) {
        counts.push_back(blocks);
    }
    for (const std::uint64_t blocks : counts) {
        const shape before{layout_kind::blocked_512, blocks * 512, 6};
        const shape after = foldable(before);
        check(after);
        ASSERT_EQ(after.hash_count, before.hash_count);
        ASSERT_GE(after.bit_count, before.bit_count);
        ASSERT_LE(after.block_count() - blocks, blocks / (blocks < 1'024 ? 16 : 64)) << blocks;
        if (blocks < 76) continue; // too few to choose from
        const double most = blocks < 1'024 ? 2.5 : 2;
        const std::vector<std::uint64_t> factors = fold_factors(after);
        for (std::size_t i = 1; i < factors.size() && factors[i - 1] <= after.block_count() / 8;
             ++i) {
            ASSERT_LE(static_cast<double>(factors[i]), static_cast<double>(factors[i - 1]) * most)
                << blocks << " became " << after.block_count();
        }
    }
}

TEST(Foldable, LeavesInvalidAndVastShapesAlone) {
    EXPECT_THROW(static_cast<void>(foldable({layout_kind::classic, 0, 1})), bad_argument);
    const shape vast{layout_kind::classic, max_bit_count, 6};
    EXPECT_EQ(foldable(vast), vast);
    const shape prime{layout_kind::classic, 9'223'372'036'854'775'783, 6};
    EXPECT_EQ(foldable(prime), prime);
}

TEST(Folded, RefusesWhatIsNotADivisor) {
    const shape of{layout_kind::blocked_512, 512 * 12, 6};
    EXPECT_EQ(folded(of, 4).bit_count, 512U * 3);
    EXPECT_THROW(static_cast<void>(folded(of, 5)), bad_argument);
    EXPECT_THROW(static_cast<void>(folded(of, 0)), bad_argument);
}

} // namespace
} // namespace bloomery::plan
