// How a batch is sorted: within the memory that is allowed, and only where that can pay.
#include "gpu/work.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace {

using namespace bloomery;
using gpu::detail::plan_sort;
using gpu::detail::purpose;
using gpu::detail::sort_plan;

constexpr std::uint64_t mib = std::uint64_t{1} << 20U;
/// Like an H200.
constexpr gpu::detail::limits large_gpu{64 << 10, 60 * mib, 11, 16, true};

gpu::detail::target filter_of(std::uint64_t bytes) {
    return {nullptr, bytes / 32, layout_kind::split_8x32};
}

sort_plan plan_of(std::uint64_t filter_bytes, std::uint64_t keys, purpose why,
                  std::optional<gpu::way> forced = {}, std::optional<std::uint64_t> scratch = {}) {
    return plan_sort(filter_of(filter_bytes), keys, 8, why, large_gpu, forced, scratch,
                     [] { return std::uint64_t{100} << 30U; });
}

TEST(SortPlan, KeepsWithinTheMemoryThatIsAllowed) {
    constexpr std::uint64_t around = 64 << 10; // counts of ranges, and what rounding takes
    for (const purpose why : {purpose::insert, purpose::ask}) {
        const std::uint64_t per_key = why == purpose::ask ? 13 : 8;
        for (const std::uint64_t filter : {mib, 16 * mib, 200 * mib, 5000 * mib}) {
            for (std::uint64_t scratch = mib / 2; scratch < 3000 * mib; scratch = scratch * 5 / 4) {
                const sort_plan how =
                    plan_of(filter, 1'000'000'007, why, gpu::way::sorted, scratch);
                if (!how.sorts) {
                    EXPECT_LT(scratch, 30 * mib) << "there was room for that";
                    continue;
                }
                EXPECT_LE((std::uint64_t{how.room} << how.bits) * per_key, scratch + around);
                EXPECT_EQ(how.keys % 64, 0U);
                EXPECT_GE(std::uint64_t{how.room} << how.bits, how.keys);
                EXPECT_LT(std::uint64_t{how.room} << how.bits, std::uint64_t{1} << 32U);
            }
        }
    }
}

TEST(SortPlan, SortsOnlyWhereThatPays) {
    EXPECT_FALSE(plan_of(128 * mib, 1'000'000, purpose::insert).sorts) << "few keys";
    EXPECT_FALSE(plan_of(mib, 100'000'000, purpose::insert).sorts) << "a small filter";
    EXPECT_FALSE(plan_of(4096 * mib, 10'000'000, purpose::insert).sorts) << "few keys per block";
    EXPECT_TRUE(plan_of(16 * mib, 100'000'000, purpose::insert).sorts);
    EXPECT_FALSE(plan_of(16 * mib, 100'000'000, purpose::ask).sorts) << "it is in the cache";
    EXPECT_TRUE(plan_of(1024 * mib, 100'000'000, purpose::ask).sorts);
    EXPECT_FALSE(plan_of(1024 * mib, 100'000'000, purpose::ask, gpu::way::direct).sorts);
}

TEST(SortPlan, ChoosesRangesThatFitWhereTheyAreWorkedOn) {
    const sort_plan small = plan_of(128 * mib, 100'000'000, purpose::insert);
    EXPECT_TRUE(small.shared);
    EXPECT_LE(128 * mib >> small.bits, large_gpu.shared_bytes);
    const sort_plan large = plan_of(1024 * mib, 100'000'000, purpose::insert);
    EXPECT_FALSE(large.shared);
    EXPECT_LE(1024 * mib >> large.bits, large_gpu.cache_bytes / 2);
}

} // namespace
