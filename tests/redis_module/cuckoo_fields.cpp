// Cuckoo filters of the module from invalid files, without memory, and in pieces.
#include "../../tools/redis-module/cuckoo_filter.hpp"
#include "cuckoo_help.hpp"
#include "random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

using redis_module::server_bytes;

class CuckooFields : public ::testing::Test {
protected:
    fake_server server_;
};

constexpr cuckoo_fields good{.items = 3,
                             .deletes = 1,
                             .buckets = 8,
                             .filters = 3,
                             .bucket_size = 2,
                             .iterations = 20,
                             .expansion = 2};

cuckoo_outcome outcome_of(const cuckoo_fields& of, std::uint64_t most = no_limit) {
    return cuckoo_filter::empty_from_fields(of, most).why;
}

TEST_F(CuckooFields, MakeTheFilterTheyAreFrom) {
    const auto made = cuckoo_filter::empty_from_fields(good, no_limit);
    ASSERT_NE(made.filter, nullptr);
    EXPECT_EQ(made.filter->filters(), 3U);
    EXPECT_EQ(made.filter->buckets(2), 32U);
    EXPECT_EQ(made.filter->slots(), 2U * (8 + 16 + 32));
    EXPECT_EQ(made.filter->fields().items, 3U);
    EXPECT_EQ(made.filter->fields().deletes, 1U);
}

struct bad_field {
    std::uint64_t cuckoo_fields::* field;
    std::vector<std::uint64_t> values;
};

TEST_F(CuckooFields, AreRefusedOneByOne) {
    constexpr std::uint64_t most = ~std::uint64_t{0};
    for (const auto& [field, values] : std::vector<bad_field>{
             {&cuckoo_fields::bucket_size, {0, 256, 65'536, most}},
             {&cuckoo_fields::iterations, {0, 65'536, most}},
             {&cuckoo_fields::expansion, {0, 3, 6, 65'535, 65'536, most}},
             {&cuckoo_fields::filters, {0, 65'536, 65'537, std::uint64_t{1} << 32U, most}},
             {&cuckoo_fields::buckets,
              {0, 3, 7, 24, (std::uint64_t{1} << 56U) - 1, std::uint64_t{1} << 54U,
               std::uint64_t{1} << 63U, most}}}) {
        for (const std::uint64_t value : values) {
            cuckoo_fields bad = good;
            bad.*field = value;
            EXPECT_EQ(outcome_of(bad), cuckoo_outcome::bad_fields) << value;
        }
    }
    EXPECT_EQ(fake_server::in_use(), 0);
}

TEST_F(CuckooFields, MayNotMakeSubFiltersThatNobodyCanCount) {
    EXPECT_EQ(outcome_of({.buckets = 4, .filters = 5, .expansion = 32'768}),
              cuckoo_outcome::bad_fields);
    EXPECT_EQ(outcome_of({.buckets = 1, .filters = 65'535, .expansion = 2}),
              cuckoo_outcome::bad_fields);
    // Each could be counted; their sum could not.
    EXPECT_EQ(outcome_of({.buckets = std::uint64_t{1} << 55U, .filters = 500, .bucket_size = 255}),
              cuckoo_outcome::bad_fields);
    EXPECT_EQ(outcome_of({.buckets = 4, .filters = 2, .expansion = 0}), cuckoo_outcome::bad_fields);
    EXPECT_EQ(outcome_of({.buckets = 4, .filters = 1, .expansion = 0}), cuckoo_outcome::done);
}

TEST_F(CuckooFields, MayNotTakeMoreMemoryThanAllowed) {
    const std::uint64_t memory = 40 + 3 * 16 + 2 * (8 + 16 + 32);
    EXPECT_EQ(outcome_of(good, memory), cuckoo_outcome::done);
    EXPECT_EQ(outcome_of(good, memory - 1), cuckoo_outcome::over_limit);
    fake_server::refuse_above(1000);
    EXPECT_EQ(outcome_of({.buckets = 1024}), cuckoo_outcome::no_memory);
    EXPECT_EQ(outcome_of({.buckets = std::uint64_t{1} << 55U}), cuckoo_outcome::no_memory);
    EXPECT_EQ(fake_server::in_use(), 0);
}

TEST_F(CuckooFields, WantSubFiltersOfTheirSize) {
    for (std::uint64_t wrong = 0; wrong < good.filters; ++wrong) {
        for (const std::uint64_t by : {std::uint64_t{1}, ~std::uint64_t{0}}) {
            const auto made = cuckoo_filter::from_fields(
                good, no_limit, [&](std::uint64_t i, std::uint64_t, std::uint64_t size) {
                    return server_bytes(i == wrong ? size + by : size);
                });
            EXPECT_EQ(made.filter, nullptr);
            EXPECT_EQ(made.why, cuckoo_outcome::bad_fields);
        }
    }
    EXPECT_EQ(fake_server::in_use(), 0);
}

// Nothing can be compared with the counts, so they may be anything.
TEST_F(CuckooFields, DoNoHarmWithCountsThatAreNotTrue) {
    for (const std::uint64_t items : {std::uint64_t{0}, ~std::uint64_t{0}}) {
        for (const std::uint64_t deletes : {std::uint64_t{0}, ~std::uint64_t{0}}) {
            cuckoo_fields fields = good;
            fields.items = items;
            fields.deletes = deletes;
            auto made = cuckoo_filter::from_fields(
                fields, no_limit, [](std::uint64_t, std::uint64_t, std::uint64_t size) {
                    server_bytes full(size);
                    std::fill_n(full.data(), size, std::byte{7});
                    return full;
                });
            ASSERT_NE(made.filter, nullptr);
            std::uint64_t erased = 0;
            for (std::uint64_t i = 0; i < 2000; ++i) erased += made.filter->erase(hash_of(i));
            EXPECT_GT(erased, 0U);
            EXPECT_EQ(made.filter->fields().items, items == 0 ? 0 : items - erased);
            add_numbers(*made.filter, 200);
        }
    }
}

TEST_F(CuckooFields, LeaveNothingBehindWhenMemoryRunsOut) {
    std::size_t n = 0;
    for (;; ++n) {
        fake_server::refuse_from(n);
        const auto made = cuckoo_filter::empty_from_fields(good, no_limit);
        if (made.filter != nullptr) break;
        ASSERT_EQ(made.why, cuckoo_outcome::no_memory);
        ASSERT_EQ(fake_server::in_use(), 0);
    }
    EXPECT_GE(n, 4U);
}

TEST_F(CuckooFields, StayAsTheyWereWhenAFilterCannotGrow) {
    for (const bool by_limit : {true, false}) {
        const auto filter = cuckoo_shape{.capacity = 64, .expansion = 2}.made();
        const std::uint64_t limit = by_limit ? filter->memory() + 16 + 127 : no_limit;
        if (!by_limit) fake_server::refuse_from(0);
        std::uint64_t added = 0;
        std::string before = whole(*filter);
        cuckoo_outcome became = cuckoo_outcome::done;
        while ((became = filter->insert(hash_of(added), limit)) == cuckoo_outcome::done) {
            ++added;
            before = whole(*filter);
        }
        EXPECT_EQ(became, by_limit ? cuckoo_outcome::over_limit : cuckoo_outcome::no_memory);
        EXPECT_EQ(whole(*filter), before);
        fake_server::refuse_nothing();
        const std::uint64_t enough = filter->memory() + 16 + 128;
        EXPECT_EQ(filter->insert(hash_of(added), enough), cuckoo_outcome::done);
        EXPECT_EQ(filter->filters(), 2U);
        for (std::uint64_t i = 0; i <= added; ++i) ASSERT_TRUE(filter->contains(hash_of(i)));
    }
}

TEST_F(CuckooFields, ComeBackFromAHeader) {
    const auto filter = cuckoo_shape{50, 3, 7, 2}.made();
    add_numbers(*filter, 500);
    const auto header = filter->header();
    const auto read = cuckoo_filter::read_header(header).value_or(cuckoo_fields{});
    const auto made = cuckoo_filter::empty_from_fields(read, no_limit);
    ASSERT_NE(made.filter, nullptr);
    EXPECT_EQ(made.filter->header(), header);
    for (std::size_t size = 0; size < header.size(); ++size) {
        EXPECT_FALSE(cuckoo_filter::read_header(byte_view(header).first(size)).has_value());
    }
    EXPECT_FALSE(cuckoo_filter::read_header(bytes_of(std::string(39, '\1'))).has_value());
}

TEST_F(CuckooFields, AndPiecesOfAnySizeMakeTheSameFilter) {
    const auto filter = cuckoo_shape{50, 3, 7, 2}.made();
    add_numbers(*filter, 500);
    random_source random(5);
    for (const std::uint64_t largest : {1U, 7U, 100U, 100'000U}) {
        auto made = cuckoo_filter::empty_from_fields(filter->fields(), no_limit);
        for (std::uint64_t at = 0; at < filter->slots();) {
            const byte_view piece = filter->piece(at, 1 + random.below(largest));
            ASSERT_FALSE(piece.empty());
            ASSERT_TRUE(made.filter->put_piece(at, piece));
            at += piece.size();
        }
        EXPECT_EQ(whole(*made.filter), whole(*filter));
    }
    EXPECT_TRUE(filter->piece(filter->slots(), 10).empty());
    EXPECT_TRUE(filter->piece(~std::uint64_t{0}, 10).empty());
}

TEST_F(CuckooFields, TakePiecesWithinOneSubFilterOnly) {
    auto made = cuckoo_filter::empty_from_fields(good, no_limit); // 16, 32 and 64 slots
    const std::string piece(16, '\1');
    EXPECT_TRUE(made.filter->put_piece(0, bytes_of(piece)));
    EXPECT_FALSE(made.filter->put_piece(1, bytes_of(piece)));
    EXPECT_TRUE(made.filter->put_piece(16, bytes_of(piece)));
    EXPECT_TRUE(made.filter->put_piece(32, bytes_of(piece)));
    EXPECT_FALSE(made.filter->put_piece(33, bytes_of(piece)));
    EXPECT_TRUE(made.filter->put_piece(112 - 16, bytes_of(piece)));
    EXPECT_FALSE(made.filter->put_piece(112 - 15, bytes_of(piece)));
    EXPECT_FALSE(made.filter->put_piece(112, bytes_of(piece)));
    EXPECT_FALSE(made.filter->put_piece(~std::uint64_t{0}, bytes_of(piece)));
    EXPECT_FALSE(made.filter->put_piece(0, {}));
}

} // namespace
} // namespace bloomery::testing
