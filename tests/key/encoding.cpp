// The bytes of compound keys. They are part of every saved filter: a change here makes old files
// answer "definitely not" for keys that they hold.
#include <bloomery/key/key.hpp>

#include <gtest/gtest.h>

#include <array>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace bloomery {
namespace {

using namespace std::string_literals;

template <class... Parts>
std::string encoded(const Parts&... parts) {
    key_sink sink;
    sink.put(parts...);
    const byte_view bytes = sink.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string le64(std::uint64_t n) {
    std::string s;
    for (int i = 0; i < 8; ++i) {
        s += static_cast<char>(n >> (8 * i));
    }
    return s;
}

struct person {
    std::string name;
    int born;
};
void bloomery_feed(key_sink& sink, const person& p) { sink.put(p.name, p.born); }

enum class colour : std::int8_t { red = -1, blue = 2 };

TEST(Encoding, WritesIntegersAsEightLittleEndianBytes) {
    EXPECT_EQ(encoded(std::uint64_t{0x0102030405060708}), "\x08\x07\x06\x05\x04\x03\x02\x01"s);
    EXPECT_EQ(encoded(std::int8_t{-2}), le64(~std::uint64_t{1}));
    EXPECT_EQ(encoded(true), le64(1));
    EXPECT_EQ(encoded(colour::red), le64(~std::uint64_t{0}));
}

TEST(Encoding, DoesNotDependOnTheWidthOfAnInteger) {
    EXPECT_EQ(encoded(7), encoded(std::uint64_t{7}));
    EXPECT_EQ(encoded(std::int16_t{-7}), encoded(std::int64_t{-7}));
}

TEST(Encoding, PutsTheLengthBeforeABytestring) {
    EXPECT_EQ(encoded("ab"), le64(2) + "ab");
    EXPECT_EQ(encoded(""s), le64(0));
    EXPECT_EQ(encoded("a\0b"s), le64(3) + "a\0b"s);
    EXPECT_EQ(encoded(std::array<unsigned char, 3>{1, 0, 2}), le64(3) + "\x01\x00\x02"s);
}

TEST(Encoding, TellsApartWhatConcatenationWouldNot) {
    EXPECT_NE(encoded(std::tuple("ab", "c")), encoded(std::tuple("a", "bc")));
    EXPECT_NE(encoded(std::vector<std::vector<int>>{{1}, {2}}),
              encoded(std::vector<std::vector<int>>{{1, 2}, {}}));
    EXPECT_NE(encoded(std::optional<int>{}), encoded(std::optional<int>{0}));
}

TEST(Encoding, WritesTuplesAndArraysAsTheirParts) {
    EXPECT_EQ(encoded(std::pair(1, "x"s)), le64(1) + le64(1) + "x");
    EXPECT_EQ(encoded(std::array<int, 2>{3, 4}), le64(3) + le64(4));
    EXPECT_EQ(encoded(std::optional<int>{5}), "\x01"s + le64(5));
    EXPECT_EQ(encoded(std::optional<int>{}), "\x00"s);
}

TEST(Encoding, WritesRangesWithTheirCount) {
    EXPECT_EQ(encoded(std::vector<int>{3, 4}), le64(2) + le64(3) + le64(4));
    EXPECT_EQ(encoded(std::list<int>{3, 4}), encoded(std::vector<int>{3, 4}));
    EXPECT_EQ(encoded(std::vector<bool>{true, false}), le64(2) + le64(1) + le64(0));
    EXPECT_EQ(encoded(std::map<int, std::string>{{1, "a"}}), le64(1) + le64(1) + le64(1) + "a");
}

TEST(Encoding, AsksAUsersTypeForItsParts) {
    EXPECT_EQ(encoded(person{"Ada", 1815}), le64(3) + "Ada" + le64(1815));
    EXPECT_EQ(encoded(std::vector{person{"A", 1}}), le64(1) + le64(1) + "A" + le64(1));
}

TEST(Encoding, TakesFloatsByTheirBitsWhenTold) {
    EXPECT_EQ(encoded(by_bits(1.0)), le64(0x3ff0000000000000));
    EXPECT_NE(encoded(by_bits(0.0)), encoded(by_bits(-0.0)));
}

TEST(Encoding, KeepsKeysLongerThanTheInlineBuffer) {
    const std::string long_part(1000, 'x');
    EXPECT_EQ(encoded(1, long_part, 2), le64(1) + le64(1000) + long_part + le64(2));
    std::string all;
    key_sink sink;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        sink.append(i);
        all += le64(i);
    }
    EXPECT_EQ(sink.byte_count(), all.size());
    EXPECT_EQ(std::memcmp(sink.bytes().data(), all.data(), all.size()), 0);
}

} // namespace
} // namespace bloomery
