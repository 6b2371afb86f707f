// Bulk calls on filters of other systems: the same answers and bits as single calls, in arrays that
// fit into the caches and in larger ones, which are prefetched.
#include <bloomery/filter/foreign.hpp>
#include <bloomery/kernel/kernel.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace bloomery {
namespace {

template <class Filter>
class ForeignBulk : public ::testing::Test {};

using filters_of_others =
    ::testing::Types<guava_filter, guava_32_filter, go_filter, redisson_filter, spark_2_filter,
                     cassandra_filter, hadoop_filter, hbase_murmur3_filter, redisbloom_filter,
                     leveldb_filter, datasketches_filter, dcso_filter, rocksdb_4_filter,
                     rocksdb_5_filter, parquet_filter, redisson_split_filter>;
TYPED_TEST_SUITE(ForeignBulk, filters_of_others);

template <class Filter>
std::vector<std::string> text_keys(int from, int count) {
    std::vector<std::string> keys;
    for (int i = 0; i < count; ++i) {
        keys.push_back("key-" + std::to_string(from + i));
    }
    if constexpr (!Filter::may_lack_places()) { // Hadoop throws for an empty key
        keys.emplace_back();
    }
    return keys;
}

/// Few probes, some, and more than are fetched ahead.
template <class Filter>
std::vector<std::uint32_t> hash_counts() {
    std::vector<std::uint32_t> counts{8};
    for (const std::uint32_t k : {1U, 2U, 32U, 33U}) {
        if (!std::is_same_v<Filter, parquet_filter> && k <= Filter::layout_type::most_hashes) {
            counts.push_back(k);
        }
    }
    return counts;
}

template <class Filter>
void expect_same_answers(std::uint64_t lines, std::uint32_t k) {
    constexpr int count = 1500;
    Filter one(bits{512 * lines}, hashes{k});
    Filter many = one;
    const auto first = text_keys<Filter>(0, count);
    bitmap fresh;
    many.try_insert_many(first, fresh);
    for (std::size_t i = 0; i < first.size(); ++i) {
        ASSERT_EQ(one.try_insert(first[i]), fresh[i]) << first[i];
    }
    Filter shared = one;
    EXPECT_TRUE(one == many);
    const auto both = text_keys<Filter>(count / 2, count); // half of them are in
    bitmap maybe;
    many.may_contain_many(both, maybe);
    for (std::size_t i = 0; i < both.size(); ++i) {
        ASSERT_EQ(one.may_contain(both[i]), maybe[i]) << both[i];
    }
    bitmap told;
    shared.shared().may_contain_many(both, told);
    EXPECT_EQ(told, maybe);
    many.insert_many(both);
    shared.shared().insert_many(both);
    for (const std::string& key : both) {
        one.insert(key);
    }
    EXPECT_TRUE(one == many);
    EXPECT_TRUE(one == shared);
}

TYPED_TEST(ForeignBulk, AnswersAsSingleCallsDo) {
    for (const std::uint64_t lines : {std::uint64_t{40}, kernel::cache_byte_count() / 64 * 3}) {
        for (const std::uint32_t k : hash_counts<TypeParam>()) {
            expect_same_answers<TypeParam>(lines, k);
        }
    }
}

} // namespace
} // namespace bloomery
