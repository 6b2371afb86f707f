// Bitmaps that programs fill with SETBIT by Java's hash code.
#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/redis/client.hpp>
#include <bloomery/redis/filter.hpp>

#include "via.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

using layout::scheme_id;
using redis::redis_filter;

/// A text as Java has it. Short ones have small hash codes, so that the value in Redis stays short.
std::string java_text(const std::string& digits) {
    std::string units;
    for (const char c : digits) units.append({c, '\0'});
    return units;
}

std::vector<std::string> texts(int from, int to) {
    std::vector<std::string> all;
    for (int i = from; i < to; ++i) all.push_back(java_text(std::to_string(i)));
    return all;
}

/// The numbers of the bits of a value of Redis, which counts from the high bit of a byte.
std::vector<std::uint64_t> ones_of(const std::string& value) {
    std::vector<std::uint64_t> found;
    for (std::size_t i = 0; i < value.size() * 8; ++i) {
        const auto byte = static_cast<unsigned char>(value[i / 8]);
        if ((byte >> (7 - i % 8) & 1) != 0) found.push_back(i);
    }
    return found;
}

template <class Filter>
std::vector<std::uint64_t> ones_of_words(const Filter& in) {
    std::vector<std::uint64_t> found;
    for (std::size_t i = 0; i < in.words().size(); ++i) {
        for (std::uint64_t word = in.words()[i]; word != 0; word &= word - 1) {
            found.push_back(i * 64 + static_cast<unsigned>(std::countr_zero(word)));
        }
    }
    return found;
}

/// What a call gives, or that it throws.
template <class Call>
std::string outcome(Call call) {
    try {
        return call() ? "yes" : "no";
    } catch (const no_place&) {
        return "throws";
    }
}

hash_code_6_filter in_memory() { return {bits{layout::hash_code_6_scheme::bit_count}, hashes{6}}; }

TEST(SetbitFilter, HasTheBitsOfTheOneInMemory) {
    redis_server server;
    auto made = redis_filter::setbit(client_of(server), "bits", scheme_id::hash_code_6);
    hash_code_6_filter memory = in_memory();
    const std::vector<std::string> keys = texts(0, 300);
    for (std::size_t i = 0; i < 100; ++i) {
        EXPECT_EQ(made.try_insert(keys[i]), memory.try_insert(keys[i])) << i;
    }
    made.insert_many(keys);
    memory.insert_many(keys);
    EXPECT_EQ(ones_of(server.run({"GET", "bits"}).text), ones_of_words(memory));
    EXPECT_EQ(server.run({"DBSIZE"}).integer, 1) << "it has no config";
    const std::vector<std::string> asked = texts(200, 2000);
    bitmap maybe;
    made.may_contain_many(asked, maybe);
    for (std::size_t i = 0; i < asked.size(); ++i) {
        ASSERT_EQ(maybe[i], memory.may_contain(asked[i])) << i;
    }
}

TEST(SetbitFilter, ReadsWhatOthersSet) {
    redis_server server;
    hash_code_6_filter memory = in_memory();
    memory.insert(java_text("key"));
    for (const std::uint64_t bit : ones_of_words(memory)) {
        server.run({"SETBIT", "bits", std::to_string(bit), "1"});
    }
    const auto made = redis_filter::setbit(client_of(server), "bits", scheme_id::hash_code_6);
    EXPECT_TRUE(made.may_contain(java_text("key")));
    EXPECT_FALSE(made.may_contain(java_text("other")));
}

TEST(SetbitFilter, IsEmptyWhereNothingIs) {
    redis_server server;
    const auto made = redis_filter::setbit(client_of(server), "none", scheme_id::hash_code_6);
    EXPECT_FALSE(made.may_contain(java_text("key")));
    EXPECT_EQ(server.run({"DBSIZE"}).integer, 0);
}

// The number i has itself as its hash code; one below zero has a negative second bit. These have
// low bits that keep the value in Redis short.
TEST(SetbitFilter, HasNoPlaceWhereTheOriginalThrows) {
    redis_server server;
    auto made = redis_filter::setbit(client_of(server), "bits", scheme_id::hash_code_6);
    hash_code_6_filter memory = in_memory();
    for (std::int32_t i = 0; i < 20; ++i) {
        const auto key = static_cast<std::int32_t>(0x8000'0000U + static_cast<std::uint32_t>(i));
        EXPECT_EQ(outcome([&] { return made.may_contain(key); }),
                  outcome([&] { return memory.may_contain(key); }))
            << key;
        EXPECT_EQ(outcome([&] { return made.try_insert(key); }), "throws") << key;
        EXPECT_EQ(outcome([&] { return memory.try_insert(key); }), "throws") << key;
        EXPECT_EQ(outcome([&] { return made.may_contain(key); }),
                  outcome([&] { return memory.may_contain(key); }))
            << key;
    }
    EXPECT_FALSE(ones_of_words(memory).empty());
    EXPECT_EQ(ones_of(server.run({"GET", "bits"}).text), ones_of_words(memory))
        << "the bits before the negative one stay";
}

TEST(SetbitFilter, MendedHasAPlaceForEveryKey) {
    redis_server server;
    auto made = redis_filter::setbit(client_of(server), "bits", scheme_id::hash_code_6_mended);
    hash_code_6_mended_filter memory{bits{layout::hash_code_6_mended_scheme::bit_count}, hashes{6}};
    for (std::int32_t key = 0; key < 50; ++key) {
        EXPECT_EQ(made.try_insert(key), memory.try_insert(key));
    }
    EXPECT_EQ(ones_of(server.run({"GET", "bits"}).text), ones_of_words(memory));
    EXPECT_TRUE(made.may_contain(49));
    EXPECT_EQ(made.may_contain(51), memory.may_contain(51));
}

TEST(SetbitFilter, OfAnotherSchemeIsRefused) {
    redis_server server;
    EXPECT_THROW((void)redis_filter::setbit(client_of(server), "bits", scheme_id::guava_64),
                 bad_argument);
    EXPECT_THROW((void)redis_filter::setbit(client_of(server), "bits", scheme_id::redisson),
                 bad_argument);
}

} // namespace
} // namespace bloomery::testing
