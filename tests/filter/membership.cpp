// The promise: what was inserted is found, whatever the key and the hash.
#include <bloomery/filter/filter.hpp>
#include <bloomery/hash/function_hash.hpp>

#include "random.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace bloomery {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

enum class colour { red, green };
struct person {
    std::string name;
    int born;
};
void bloomery_feed(key_sink& sink, const person& p) { sink.put(p.name, p.born); }

/// Inserts one key into an empty filter and asks for it and for another.
template <class Key>
void expect_found(const Key& inserted, const Key& absent) {
    filter f{items{100}, rate{1e-9}};
    EXPECT_FALSE(f.may_contain(inserted));
    EXPECT_TRUE(f.try_insert(inserted)) << "an empty filter has not seen it";
    EXPECT_FALSE(f.try_insert(inserted)) << "the second time nothing changes";
    EXPECT_TRUE(f.may_contain(inserted));
    EXPECT_FALSE(f.may_contain(absent));
}

TEST(Membership, TakesEveryKindOfKey) {
    expect_found("a key"s, "another"s);
    expect_found<const char*>("a key", "another");
    expect_found("a\0b"sv, "a\0c"sv);
    expect_found(42, 43);
    expect_found(colour::red, colour::green);
    expect_found(std::array<std::uint8_t, 4>{127, 0, 0, 1}, {127, 0, 0, 2});
    expect_found(std::array<int, 2>{1, 2}, {2, 1});
    expect_found(std::tuple(1, "x"s), std::tuple(1, "y"s));
    expect_found(std::pair("ab"s, "c"s), std::pair("a"s, "bc"s));
    expect_found(std::optional<int>(0), std::optional<int>());
    expect_found(std::vector{"a"s, "b"s}, std::vector{"ab"s});
    expect_found(person{"Ada", 1815}, person{"Ada", 1816});
    expect_found(by_bits(0.0), by_bits(-0.0));
}

TEST(Membership, HoldsTheEmptyKey) { expect_found(""s, "\0"s); }

TEST(Membership, IsTheSameForTheSameBytesInAnyDress) {
    filter f{items{10}, rate{1e-9}};
    f.insert("key");
    EXPECT_TRUE(f.may_contain("key"s));
    EXPECT_TRUE(f.may_contain("key"sv));
    EXPECT_TRUE(f.may_contain(std::vector<char>{'k', 'e', 'y'}));
    EXPECT_TRUE(f.may_contain(std::as_bytes(std::span("key", 3))));
    f.insert(7);
    EXPECT_TRUE(f.may_contain(std::uint64_t{7}));
    EXPECT_TRUE(f.may_contain(std::int8_t{7}));
}

RC_GTEST_PROP(Membership, NeverForgetsWhatWasInserted, (const std::set<std::string>& keys)) {
    filter f{items{std::max<std::size_t>(1, keys.size())}, rate{0.1}};
    for (const std::string& k : keys) {
        f.insert(k);
    }
    for (const std::string& k : keys) {
        RC_ASSERT(f.may_contain(k));
    }
}

RC_GTEST_PROP(Membership, NeverForgetsInAnyShape,
              (std::uint16_t m, std::uint8_t k, const std::vector<std::int64_t>& keys)) {
    filter f{bits{std::uint64_t{m} + 1}, hashes{k % 64U + 1U}};
    for (const std::int64_t key : keys) {
        f.insert(key);
    }
    for (const std::int64_t key : keys) {
        RC_ASSERT(f.may_contain(key));
    }
}

TEST(Membership, HoldsAMillionKeysWithoutAMiss) {
    filter f{items{1'000'000}, rate{0.01}};
    for (std::uint64_t i = 0; i < 1'000'000; ++i) {
        f.insert(i * 0x9e3779b1U);
    }
    for (std::uint64_t i = 0; i < 1'000'000; ++i) {
        ASSERT_TRUE(f.may_contain(i * 0x9e3779b1U)) << i;
    }
}

TEST(Membership, ReachesBitsFarPastFourBillion) {
    classic_filter f{bits{(std::uint64_t{1} << 36) + 12345},
                     hashes{5}}; // 8 GiB of zero pages, few used
    testing::random_source random(1);
    std::vector<std::uint64_t> keys(100);
    std::uint64_t beyond = 0;
    for (std::uint64_t& key : keys) {
        key = random.next();
        f.insert(key);
        for (const std::uint64_t raw : f.locations(key, f.hash_count())) {
            beyond += layout::native_scheme::reduce(raw, f.bit_count()) >> 32 != 0 ? 1U : 0U;
        }
    }
    EXPECT_GT(beyond, 400U) << "fifteen of sixteen probes lie past 2^32";
    for (const std::uint64_t key : keys) {
        EXPECT_TRUE(f.may_contain(key));
    }
    EXPECT_FALSE(f.may_contain(random.next()));
}

} // namespace
} // namespace bloomery
