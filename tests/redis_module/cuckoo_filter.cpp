// Cuckoo filters of the module: RedisBloom's slots and counts, and nothing lost on the way.
#include "../../tools/redis-module/cuckoo_filter.hpp"

#include "cuckoo_help.hpp"
#include "random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

class CuckooFilter : public ::testing::Test {
protected:
    fake_server server_;
};

TEST_F(CuckooFilter, HasTheSizesOfRedisBloom) {
    const auto filter = cuckoo_shape{.capacity = 1000}.made();
    EXPECT_EQ(filter->fields().buckets, 512U);
    EXPECT_EQ(filter->memory(), 1080U);
    EXPECT_EQ((cuckoo_shape{.capacity = 10'000}.made()->fields().buckets), 8192U);
    EXPECT_EQ((cuckoo_shape{.capacity = 10}.made()->fields().buckets), 8U);
    EXPECT_EQ((cuckoo_shape{.capacity = 10, .expansion = 3}.made()->fields().expansion), 4U);
    EXPECT_EQ((cuckoo_shape{.capacity = 10, .expansion = 0}.made()->fields().expansion), 0U);
}

struct growth {
    cuckoo_shape shape;
    std::size_t filters;
};

// The numbers are those of RedisBloom, each after a thousand items.
TEST_F(CuckooFilter, GrowsAsRedisBloomDoes) {
    for (const growth& one :
         std::vector<growth>{{{.capacity = 64, .bucket_size = 1}, 18},
                             {{.capacity = 64}, 17},
                             {{.capacity = 256, .bucket_size = 4, .iterations = 500}, 4},
                             {{.capacity = 64, .expansion = 2}, 5},
                             {{.capacity = 64, .iterations = 500, .expansion = 4}, 3}}) {
        const auto filter = one.shape.made();
        add_numbers(*filter, 1000);
        EXPECT_EQ(filter->filters(), one.filters);
        EXPECT_EQ(filter->fields().items, 1000U);
        for (std::size_t i = 1; i < filter->filters(); ++i) {
            EXPECT_EQ(filter->buckets(i), filter->buckets(i - 1) * one.shape.expansion);
        }
    }
}

TEST_F(CuckooFilter, ReachesThirtyTwoSubFiltersWhenRedisBloomDoes) {
    const auto filter = cuckoo_shape{.capacity = 4}.made();
    add_numbers(*filter, 123);
    EXPECT_LT(filter->filters(), 32U);
    ASSERT_EQ(filter->insert(hash_of(123), no_limit), cuckoo_outcome::done);
    EXPECT_EQ(filter->filters(), 32U);
}

/// Checksums of what RedisBloom's CF.SCANDUMP gave.
struct dumped {
    cuckoo_shape shape;
    std::uint64_t added;
    std::uint64_t erased;
    std::uint64_t compacted;
};

TEST_F(CuckooFilter, PutsEveryItemWhereRedisBloomDoes) {
    for (const dumped& by : std::vector<dumped>{
             {{50, 3, 7, 2}, 0xdc3e9d7e3e3a7ce4, 0xe9bd50cf753896ea, 0x22f65670e5aa359b},
             {{64, 1, 20, 1}, 0xc3386a720aa2ca0f, 0x13cab69148f74aee, 0xd891a84a6f4e3b9b},
             {{200, 4, 500, 4}, 0x57ee3e82671e3012, 0xf9ddc011f8a769bc, 0xe093b26d45a01487},
             {{16, 2, 1, 1}, 0x7dcbc02163cc05c3, 0xd9e8dae707552eb3, 0xc82efa439b36a0d9}}) {
        const auto filter = by.shape.made();
        add_numbers(*filter, 1000);
        EXPECT_EQ(checksum(whole(*filter)), by.added);
        for (std::uint64_t i = 0; i < 1000; i += 3) ASSERT_TRUE(filter->erase(hash_of(i)));
        EXPECT_EQ(checksum(whole(*filter)), by.erased);
        filter->compact();
        EXPECT_EQ(checksum(whole(*filter)), by.compacted);
    }
}

TEST_F(CuckooFilter, LeavesEverySlotAsItWasWhenItIsFull) {
    for (const std::uint64_t bucket_size : {1U, 2U, 3U, 20U}) {
        for (const std::uint64_t iterations : {1U, 2U, 7U, 500U}) {
            const auto filter = cuckoo_shape{8 * bucket_size, bucket_size, iterations, 0}.made();
            std::uint64_t refused = 0;
            for (std::uint64_t i = 0; i < 400; ++i) {
                const std::string before = whole(*filter);
                const cuckoo_outcome became = filter->insert(hash_of(i), no_limit);
                if (became == cuckoo_outcome::done) continue;
                ++refused;
                ASSERT_EQ(became, cuckoo_outcome::full);
                ASSERT_EQ(whole(*filter), before);
            }
            EXPECT_EQ(filter->fields().items, 400 - refused);
            EXPECT_GT(refused, 0U);
        }
    }
}

// The four slots and no more.
TEST_F(CuckooFilter, TakesWhatAFixedFilterOfRedisBloomTakes) {
    const auto filter = cuckoo_shape{.capacity = 4, .expansion = 0}.made();
    for (const std::uint64_t i : {1U, 2U, 3U, 4U}) {
        EXPECT_EQ(filter->insert(hash_of(i), no_limit), cuckoo_outcome::done);
    }
    EXPECT_EQ(filter->insert(hash_of(5), no_limit), cuckoo_outcome::full);
    EXPECT_EQ(filter->insert_if_absent(hash_of(6), no_limit), cuckoo_outcome::full);
    EXPECT_EQ(filter->insert_if_absent(hash_of(1), no_limit), cuckoo_outcome::exists);
}

TEST_F(CuckooFilter, CountsAnItemAsOftenAsItWasAdded) {
    const auto filter = cuckoo_shape{.capacity = 1000}.made();
    const std::uint64_t item = hash_of("k1");
    EXPECT_EQ(filter->insert_if_absent(item, no_limit), cuckoo_outcome::done);
    EXPECT_EQ(filter->insert_if_absent(item, no_limit), cuckoo_outcome::exists);
    EXPECT_EQ(filter->count(item), 1U);
    EXPECT_EQ(filter->insert(item, no_limit), cuckoo_outcome::done);
    EXPECT_EQ(filter->count(item), 2U);
    EXPECT_TRUE(filter->erase(item));
    EXPECT_TRUE(filter->erase(item));
    EXPECT_EQ(filter->count(item), 0U);
    EXPECT_FALSE(filter->erase(item));
    EXPECT_EQ(filter->fields().deletes, 2U);
}

/// Adds, removes and compacts at random, and compares with a multiset.
void live_a_life(const cuckoo_shape& shape, std::uint64_t seed) {
    const auto filter = shape.made();
    std::multiset<std::uint64_t> model;
    random_source random(seed);
    for (int step = 0; step < 4000; ++step) {
        const std::uint64_t item = random.below(300);
        const bool shrinks = step / 1000 % 2 == 1;
        if (random.below(100) < (shrinks ? 35U : 65U)) {
            if (filter->insert(hash_of(item), no_limit) == cuckoo_outcome::done) model.insert(item);
        } else if (const auto found = model.find(item); found != model.end()) {
            ASSERT_TRUE(filter->erase(hash_of(item)));
            model.erase(found);
        }
        if (random.below(500) == 0) filter->compact();
        ASSERT_EQ(filter->fields().items, model.size());
        if (step % 100 != 0) continue;
        for (std::uint64_t i = 0; i < 300; ++i) {
            ASSERT_GE(filter->count(hash_of(i)), model.count(i)) << "step " << step;
            ASSERT_EQ(filter->contains(hash_of(i)), filter->count(hash_of(i)) != 0);
        }
    }
}

TEST_F(CuckooFilter, ForgetsNoItemWhateverIsDoneToOthers) {
    std::uint64_t seed = 1;
    for (const cuckoo_shape& shape : std::vector<cuckoo_shape>{{.capacity = 4},
                                                               {.capacity = 16, .expansion = 2},
                                                               {.capacity = 8, .expansion = 4},
                                                               {.capacity = 64, .bucket_size = 1},
                                                               {.capacity = 40, .bucket_size = 20},
                                                               {100, 3, 1, 1},
                                                               {.capacity = 300, .expansion = 0}}) {
        SCOPED_TRACE(seed);
        live_a_life(shape, seed++);
    }
}

TEST_F(CuckooFilter, CompactsToFewerSubFiltersAndLosesNothing) {
    const auto filter = cuckoo_shape{.capacity = 8, .iterations = 1, .expansion = 2}.made();
    add_numbers(*filter, 2000);
    const std::size_t filters = filter->filters();
    while (filter->compact()) {
    }
    EXPECT_LE(filter->filters(), filters);
    for (std::uint64_t i = 0; i < 2000; ++i) ASSERT_TRUE(filter->contains(hash_of(i)));
    const std::string before = whole(*filter);
    EXPECT_FALSE(filter->compact());
    EXPECT_EQ(whole(*filter), before);
}

TEST_F(CuckooFilter, ShrinksByItselfAsItemsGo) {
    const auto filter = cuckoo_shape{.capacity = 64, .expansion = 2}.made();
    add_numbers(*filter, 1000);
    EXPECT_EQ(filter->filters(), 5U);
    for (std::uint64_t i = 0; i < 1000; ++i) ASSERT_TRUE(filter->erase(hash_of(i)));
    EXPECT_EQ(filter->filters(), 1U);
    EXPECT_EQ(filter->fields().items, 0U);
    EXPECT_TRUE(
        std::ranges::all_of(filter->bytes(0), [](std::byte b) { return b == std::byte{}; }));
}

// One item over and over fills sub-filter after sub-filter, up to the last that RedisBloom can
// count, and each of them is looked at no more than a few times.
TEST_F(CuckooFilter, HasAtMostAsManySubFiltersAsSixteenBitsCount) {
    const auto filter = cuckoo_shape{.capacity = 2, .bucket_size = 1}.made();
    const std::uint64_t item = hash_of("1 ");
    cuckoo_outcome became = cuckoo_outcome::done;
    std::uint64_t added = 0;
    while ((became = filter->insert(item, no_limit)) == cuckoo_outcome::done) ++added;
    EXPECT_EQ(became, cuckoo_outcome::no_memory);
    EXPECT_EQ(filter->filters(), cuckoo_filter::most_filters);
    EXPECT_EQ(filter->fields().items, added);
    EXPECT_GE(filter->count(item), added);
    filter->compact();
    EXPECT_GE(filter->count(item), added);
    // A gap in an old sub-filter is found again.
    EXPECT_TRUE(filter->erase(item));
    EXPECT_EQ(filter->insert(item, no_limit), cuckoo_outcome::done);
}

// Sub-filters that were full are not looked at, until a piece of a dump frees a slot of them.
TEST_F(CuckooFilter, UsesSlotsThatAPieceFreed) {
    const auto filter = cuckoo_shape{.capacity = 2, .bucket_size = 1}.made();
    const std::uint64_t item = hash_of("1 ");
    while (filter->filters() < 10) {
        ASSERT_EQ(filter->insert(item, no_limit), cuckoo_outcome::done);
    }
    while (filter->count(item) < 20) {
        ASSERT_EQ(filter->insert(item, no_limit), cuckoo_outcome::done);
    }
    ASSERT_TRUE(filter->put_piece(0, bytes_of(std::string(2, '\0'))));
    EXPECT_EQ(filter->insert(item, no_limit), cuckoo_outcome::done);
    EXPECT_EQ(filter->filters(), 10U);
}

TEST_F(CuckooFilter, IsCountedInTheTotalsAsLongAsItLives) {
    using redis_module::cuckoo_totals;
    const std::uint64_t objects = cuckoo_totals.objects;
    const std::uint64_t bytes = cuckoo_totals.bytes;
    const std::uint64_t filters = cuckoo_totals.filters;
    {
        const auto filter = cuckoo_shape{.capacity = 64}.made();
        add_numbers(*filter, 1000);
        EXPECT_EQ(cuckoo_totals.objects, objects + 1);
        EXPECT_EQ(cuckoo_totals.bytes, bytes + filter->memory());
        EXPECT_EQ(cuckoo_totals.filters, filters + 17);
    }
    EXPECT_EQ(cuckoo_totals.objects, objects);
    EXPECT_EQ(cuckoo_totals.bytes, bytes);
    EXPECT_EQ(cuckoo_totals.filters, filters);
    EXPECT_EQ(fake_server::in_use(), 0);
}

constexpr std::uint64_t many_items = 700'000;

/// Three sub-filters, with all items in the newest.
std::unique_ptr<cuckoo_filter> large_filter() {
    auto made = cuckoo_filter::empty_from_fields({.buckets = std::uint64_t{1} << 19U, .filters = 3},
                                                 no_limit)
                    .filter;
    for (std::uint64_t i = 0; i < many_items; ++i) {
        EXPECT_EQ(made->insert(hash_of(i), no_limit), cuckoo_outcome::done);
    }
    return made;
}

TEST_F(CuckooFilter, CompactsALargeFilterInParts) {
    const auto filter = large_filter();
    EXPECT_TRUE(filter->compact());
    ASSERT_EQ(filter->filters(), 3U) << "one part is not all";
    std::uint64_t items = many_items; // more come meanwhile, and stay
    for (; items < many_items + 20; ++items) {
        ASSERT_EQ(filter->insert(hash_of(items), no_limit), cuckoo_outcome::done);
    }
    for (int part = 0; part < 20; ++part) filter->compact();
    EXPECT_EQ(filter->filters(), 2U);
    for (std::uint64_t i = 0; i < items; ++i) ASSERT_TRUE(filter->contains(hash_of(i))) << i;
}

TEST_F(CuckooFilter, CountsItemsAsDeletedUntilAllPartsAreCompacted) {
    const auto filter = large_filter();
    ASSERT_TRUE(filter->erase(hash_of(7)));
    ASSERT_EQ(filter->fields().deletes, 1U);
    EXPECT_TRUE(filter->compact());
    EXPECT_EQ(filter->fields().deletes, 1U);
    for (int i = 0; i < 20 && filter->fields().deletes != 0; ++i) EXPECT_TRUE(filter->compact());
    EXPECT_EQ(filter->fields().deletes, 0U);
}

} // namespace
} // namespace bloomery::testing
