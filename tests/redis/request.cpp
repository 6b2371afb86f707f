// Commands as bytes, and the slots of their keys.
#include <bloomery/detail/redis/request.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace bloomery::testing {
namespace {

using redis::request;
using redis::slot_of;

// CRC-16/XMODEM of "123456789" is 0x31c3; the others are what CLUSTER KEYSLOT of Redis says.
TEST(SlotOf, IsTheOneThatRedisComputes) {
    EXPECT_EQ(slot_of("123456789"), 12'739);
    EXPECT_EQ(slot_of("foo"), 12'182);
    EXPECT_EQ(slot_of("bar"), 5'061);
    EXPECT_EQ(slot_of(""), 0);
}

TEST(SlotOf, HashesWhatStandsInTheFirstBraces) {
    EXPECT_EQ(slot_of("{user1000}.following"), slot_of("{user1000}.followers"));
    EXPECT_EQ(slot_of("{user1000}.following"), slot_of("user1000"));
    EXPECT_EQ(slot_of("foo{{bar}}zap"), slot_of("{bar"));
    EXPECT_EQ(slot_of("foo{bar}{zap}"), slot_of("bar"));
    EXPECT_EQ(slot_of("seen:{seen:0}:config"), slot_of("seen:0"));
}

TEST(SlotOf, HashesAllOfAKeyWithoutThem) {
    // With the slot of nothing, 0, these would all be one.
    EXPECT_EQ(slot_of("foo{}{bar}"), 8'363);
    EXPECT_NE(slot_of("foo{bar"), slot_of("bar"));
    EXPECT_NE(slot_of("foo}bar{"), slot_of("foo"));
    EXPECT_NE(slot_of("{}a"), slot_of("{}b"));
}

TEST(Request, IsAnArrayOfTexts) {
    const request made = request::of("SETBIT", "key", 7, 1);
    EXPECT_EQ(made.bytes(), "*4\r\n$6\r\nSETBIT\r\n$3\r\nkey\r\n$1\r\n7\r\n$1\r\n1\r\n");
    EXPECT_EQ(made.slot(), slot_of("key"));
    EXPECT_FALSE(made.is_write());
    EXPECT_FALSE(made.is_only_once());
}

TEST(Request, HasWordsOfAnyBytes) {
    const std::string word("\r\n\0$", 4);
    EXPECT_EQ(request(2).add("ECHO").add(word).bytes(),
              "*2\r\n$4\r\nECHO\r\n$4\r\n" + word + "\r\n");
    EXPECT_EQ(request(1).add("").bytes(), "*1\r\n$0\r\n\r\n");
}

TEST(Request, HasNumbersInDecimal) {
    request made(3);
    made.add(std::numeric_limits<std::uint64_t>::max()).add(std::int64_t{-7}).add(0U);
    EXPECT_EQ(made.bytes(), "*3\r\n$20\r\n18446744073709551615\r\n$2\r\n-7\r\n$1\r\n0\r\n");
}

TEST(Request, GoesAnywhereWithoutAKey) {
    EXPECT_FALSE(request(1).slot().has_value());
    EXPECT_EQ(request(2, "{a}b").slot(), slot_of("a"));
}

TEST(Request, KeepsItsMarks) {
    EXPECT_TRUE(request::of("INCR", "n").writes().is_write());
    EXPECT_TRUE(request::of("INCR", "n").only_once().is_only_once());
}

} // namespace
} // namespace bloomery::testing
