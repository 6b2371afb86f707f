// The ways to make a filter, and what is refused.
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/pmr.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <list>
#include <memory_resource>
#include <ranges>
#include <string>
#include <vector>

namespace bloomery {
namespace {

using namespace literals;

TEST(Construction, FromItemsAndRateHoldsTheRate) {
    const filter f{items{1'000'000}, rate{0.01}};
    EXPECT_EQ(f.item_capacity(), 1'000'000U);
    EXPECT_LE(f.rate_at(items{1'000'000}), 0.01);
    EXPECT_GT(f.rate_at(items{1'000'100}), 0.01);
    EXPECT_EQ(f.fill_ratio(), 0);
    const classic_filter least{items{1'000'000}, rate{0.01}};
    EXPECT_EQ(least.hash_count(), 7U);
    EXPECT_EQ(least.bit_count(), 9'592'957U);
}

TEST(Construction, FromMemoryUsesAllOfIt) {
    const classic_filter f{1_MiB, items{1'000'000}};
    EXPECT_EQ(f.byte_count(), (1_MiB).value);
    EXPECT_EQ(f.bit_count(), (1_MiB).value * 8);
    EXPECT_EQ(f.hash_count(), 6U);
}

TEST(Construction, FromARangeHoldsItsKeys) {
    const std::vector<std::string> words{"a", "b", "c"};
    const filter f(words, rate{1e-6});
    EXPECT_EQ(f.item_capacity(), 3U);
    EXPECT_TRUE(f.may_contain("a") && f.may_contain("b") && f.may_contain("c"));
    EXPECT_FALSE(f.may_contain("d"));
    EXPECT_NO_THROW(filter(std::vector<int>{}, rate{0.1}));
}

TEST(Construction, FromAStreamThroughAnIterator) {
    filter f{items{100}, rate{1e-6}};
    std::ranges::copy(std::views::iota(0, 50), inserter(f));
    const std::list<std::string> more{"x", "y"};
    std::copy(more.begin(), more.end(), inserter(f));
    EXPECT_TRUE(f.may_contain(0) && f.may_contain(49) && f.may_contain("y"));
    EXPECT_FALSE(f.may_contain(50));
}

TEST(Construction, ByCollectingARangeOfUnknownLength) {
    auto odd = std::views::iota(0, 100) | std::views::filter([](int i) { return i % 2 == 1; });
    const filter f = collect(odd, items{50}, rate{1e-6});
    EXPECT_TRUE(f.may_contain(99));
    EXPECT_FALSE(f.may_contain(98));
}

TEST(Construction, FromExistingWords) {
    filter original(bits{640}, hashes{3});
    original.insert("kept");
    const filter again = filter::from_words(original.words(), hashes{3});
    EXPECT_EQ(again, original);
    EXPECT_TRUE(again.may_contain("kept"));
}

TEST(Construction, OverBorrowedWordsWritesThere) {
    std::vector<std::uint64_t> array(10);
    borrowed_filter f(layout::native({layout_kind::classic, 640, 3}),
                      storage::borrowed_words(array));
    f.insert("x");
    EXPECT_NE(array, std::vector<std::uint64_t>(10));
    EXPECT_THROW(borrowed_filter(layout::native({layout_kind::classic, 641, 3}),
                                 storage::borrowed_words(array)),
                 bad_argument);
    array[9] = ~std::uint64_t{0};
    EXPECT_THROW(borrowed_filter(layout::native({layout_kind::classic, 639, 3}),
                                 storage::borrowed_words(array)),
                 bad_argument)
        << "a bit past the end would never be cleared or counted right";
}

TEST(Construction, WithAnAllocator) {
    std::array<std::byte, 4096> arena{};
    std::pmr::monotonic_buffer_resource resource(arena.data(), arena.size(),
                                                 std::pmr::null_memory_resource());
    const std::pmr::polymorphic_allocator<std::uint64_t> allocator(&resource);
    pmr::filter f(items{1000}, rate{0.01}, native_hash{}, allocator);
    f.insert("x");
    const auto* const at = reinterpret_cast<const std::byte*>(f.words().data());
    EXPECT_TRUE(at >= arena.data() && at < arena.data() + arena.size());
    EXPECT_THROW(pmr::filter(items{1'000'000}, rate{0.01}, native_hash{}, allocator),
                 memory_refused);
}

TEST(Construction, RefusesNonsense) {
    EXPECT_THROW(filter(items{0}, rate{0.01}), bad_argument);
    for (const double p :
         {0.0, 1.0, -0.1, 1.5, std::nan(""), std::numeric_limits<double>::infinity()}) {
        EXPECT_THROW(filter(items{10}, rate{p}), bad_argument) << p;
    }
    EXPECT_THROW(filter(bits{0}, hashes{1}), bad_argument);
    EXPECT_THROW(filter(bits{10}, hashes{0}), bad_argument);
    EXPECT_THROW(filter(bytes{0}, items{1}), bad_argument);
    EXPECT_THROW(filter(items{~0ULL}, rate{1e-15}), bloomery::error);
    EXPECT_THROW(filter(bits{1ULL << 62}, hashes{1}), memory_refused);
}

/// A range as some libraries have it: its size is a signed number.
struct signed_size_range {
    std::vector<int> keys;
    [[nodiscard]] auto begin() const { return keys.begin(); }
    [[nodiscard]] auto end() const { return keys.end(); }
    [[nodiscard]] std::ptrdiff_t size() const { return std::ssize(keys); }
};

TEST(Construction, TakesARangeOfSignedSize) {
    const filter made(signed_size_range{{1, 2, 3}}, rate{0.01});
    EXPECT_EQ(made.item_capacity(), 3U);
    EXPECT_TRUE(made.may_contain(2));
    EXPECT_EQ(filter(signed_size_range{}, rate{0.01}).item_capacity(), 1U);
}

} // namespace
} // namespace bloomery
