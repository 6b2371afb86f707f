// Keys as other systems encode them, compared with what those systems produced.
#include <bloomery/key/encodings.hpp>
#include <bloomery/key/key.hpp>

#include "foreign_manifest.hpp"
#include "test_paths.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace bloomery {
namespace {

using nlohmann::json;
using testing::to_hex;

constexpr auto least32 = std::numeric_limits<std::int32_t>::min();
constexpr auto most32 = std::numeric_limits<std::int32_t>::max();
constexpr auto least64 = std::numeric_limits<std::int64_t>::min();
constexpr auto most64 = std::numeric_limits<std::int64_t>::max();

template <std::size_t Size>
std::string hex(const std::array<std::byte, Size>& bytes) {
    const byte_view view = bytes_of(bytes); // a key as it is
    return to_hex({reinterpret_cast<const char*>(view.data()), view.size()});
}

struct codec {
    std::function<std::string(std::u16string_view)> text;
    std::function<std::string(std::int32_t)> integer;
    std::function<std::string(std::int64_t)> big;
};

std::string foreign_encoded(const json& key, const codec& by) {
    if (key.is_string()) return by.text(utf16_of(testing::text_of(key)));
    if (key.is_object()) return by.big(std::stoll(key.at("long").get<std::string>()));
    return by.integer(key.get<std::int32_t>());
}

TEST(Foreign, EncodesAsRedissonsCodecsDid) {
    const json manifest =
        testing::load_manifest(testing::test_data("/foreign/redisson/manifest.json"));
    const codec as_text{java_utf8, [](std::int32_t n) { return std::to_string(n); },
                        [](std::int64_t n) { return std::to_string(n); }};
    const codec kryo5{kryo5_string, kryo5_integer, kryo5_long};
    int rows = 0;
    for (const json& one : manifest.at("cases")) {
        if (one.value("type", "") != "indices") continue;
        const codec& by = one.at("codec") == "Kryo5Codec" ? kryo5 : as_text;
        for (const json& row : one.at("rows")) {
            EXPECT_EQ(to_hex(foreign_encoded(row.at(0), by)), row.at(1)) << row.at(0);
            ++rows;
        }
    }
    EXPECT_EQ(rows, 364);
}

TEST(Kryo5, WritesShortAsciiAsItselfAndTheRestWithALength) {
    const auto kryo = [](const std::u16string& text) { return to_hex(kryo5_string(text)); };
    EXPECT_EQ(kryo(u""), "0381");
    EXPECT_EQ(kryo({u'\0'}), "038200");
    EXPECT_EQ(kryo(u"a"), "038261");
    EXPECT_EQ(kryo(u"ab"), "0361e2");
    EXPECT_EQ(kryo({u'a', u'\0'}), "036180");
    EXPECT_EQ(kryo(std::u16string(32, u'a')), "03" + to_hex(std::string(31, 'a')) + "e1");
    EXPECT_EQ(kryo(std::u16string(33, u'a')), "03a2" + to_hex(std::string(33, 'a')));
    EXPECT_EQ(kryo(u"\u007f\u0080"), "03837fc280");
    EXPECT_EQ(kryo(u"\u07ff\u0800\uffff"), "0384dfbfe0a080efbfbf");
    EXPECT_EQ(kryo(u"\U0001f600"), "0383eda0bdedb880");
    EXPECT_EQ(kryo({static_cast<char16_t>(0xd800)}), "0382eda080");
}

// The length plus one, six bits in the first byte and seven in each further one.
TEST(Kryo5, CountsUnitsOverTheBordersOfItsLength) {
    const auto start = [](std::size_t length) {
        return to_hex(kryo5_string(std::u16string(length, u'a')).substr(1, 3));
    };
    EXPECT_EQ(start(62), "bf6161");
    EXPECT_EQ(start(63), "c00161");
    EXPECT_EQ(start(64), "c10161");
    EXPECT_EQ(start(64 * 128 - 2), "ff7f61");
    EXPECT_EQ(start(64 * 128 - 1), "c08001");
}

TEST(Kryo5, WritesNumbersZigZag) {
    EXPECT_EQ(to_hex(kryo5_integer(0)), "0200");
    EXPECT_EQ(to_hex(kryo5_integer(-1)), "0201");
    EXPECT_EQ(to_hex(kryo5_integer(63)), "027e");
    EXPECT_EQ(to_hex(kryo5_integer(64)), "028001");
    EXPECT_EQ(to_hex(kryo5_integer(-64)), "027f");
    EXPECT_EQ(to_hex(kryo5_integer(-65)), "028101");
    EXPECT_EQ(to_hex(kryo5_integer(most32)), "02feffffff0f");
    EXPECT_EQ(to_hex(kryo5_integer(least32)), "02ffffffff0f");
    EXPECT_EQ(to_hex(kryo5_long(0)), "0900");
    EXPECT_EQ(to_hex(kryo5_long((std::int64_t{1} << 55) - 1)), "09feffffffffffff7f");
    EXPECT_EQ(to_hex(kryo5_long(std::int64_t{1} << 55)), "09808080808080808001");
    EXPECT_EQ(to_hex(kryo5_long(most64)), "09feffffffffffffffff");
    EXPECT_EQ(to_hex(kryo5_long(least64)), "09ffffffffffffffffff");
}

TEST(FixedWidth, OrdersBytesAsItsNameSays) {
    EXPECT_EQ(hex(i32le(0x01020304)), "04030201");
    EXPECT_EQ(hex(i32be(0x01020304)), "01020304");
    EXPECT_EQ(hex(u32be(0xfffefdfc)), "fffefdfc");
    EXPECT_EQ(hex(i64le(0x0102030405060708)), "0807060504030201");
    EXPECT_EQ(hex(i64be(0x0102030405060708)), "0102030405060708");
    EXPECT_EQ(hex(i32le(-2)), "feffffff");
    EXPECT_EQ(hex(i32be(least32)), "80000000");
    EXPECT_EQ(hex(i64le(least64)), "0000000000000080");
    EXPECT_EQ(hex(i64be(most64)), "7fffffffffffffff");
    EXPECT_EQ(hex(f32le(1.0F)), "0000803f");
    EXPECT_EQ(hex(f32le(-0.0F)), "00000080");
    EXPECT_EQ(hex(f64le(1.0)), "000000000000f03f");
    EXPECT_EQ(hex(f64le(-0.0)), "0000000000000080");
}

} // namespace
} // namespace bloomery
