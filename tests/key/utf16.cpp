// Text in UTF-16: what UTF-8 becomes, what is refused, and what Java's charsets make of it.
#include <bloomery/error.hpp>
#include <bloomery/key/encodings.hpp>

#include "foreign_manifest.hpp"

#include <gtest/gtest.h>

#include <string>

namespace bloomery {
namespace {

using namespace std::string_literals;
using testing::to_hex;

// The sentence with which a text is refused; empty if it is not.
std::string refusal_of(std::string_view text) {
    try {
        static_cast<void>(utf16_of(text));
        return {};
    } catch (const bad_argument& reason) {
        return reason.what();
    }
}

// A unit for sure: a literal with a lone surrogate does not compile.
constexpr char16_t unit(unsigned value) { return static_cast<char16_t>(value); }

TEST(Utf16, DecodesEveryLength) {
    EXPECT_EQ(utf16_of(""), u"");
    EXPECT_EQ(utf16_of("a\0b"s), u"a\0b"s);
    EXPECT_EQ(utf16_of("\x7f\xc2\x80\xdf\xbf"), u"\u007f\u0080\u07ff");
    EXPECT_EQ(utf16_of("\xe0\xa0\x80\xef\xbf\xbf"), u"\u0800\uffff");
    EXPECT_EQ(utf16_of("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"), u"\U00010000\U0010ffff");
}

TEST(Utf16, KeepsSurrogatesAndJoinsThemIntoPairs) {
    EXPECT_EQ(utf16_of("x\xed\xa0\x80y"), (std::u16string{u'x', unit(0xd800), u'y'}));
    EXPECT_EQ(utf16_of("\xed\xbf\xbf"), (std::u16string{unit(0xdfff)}));
    EXPECT_EQ(utf16_of("\xed\xa0\xbd\xed\xb8\x80"), u"\U0001f600");
    EXPECT_EQ(utf16_of("\xed\x9f\xbf\xee\x80\x80"), u"\ud7ff\ue000");
}

TEST(Utf16, RefusesWhatIsNoUtf8AndNamesTheByte) {
    const auto refused = [](std::string_view text, const std::string& why) {
        const std::string sentence = refusal_of(text);
        EXPECT_NE(sentence.find(why), std::string::npos) << to_hex(text) << ": " << sentence;
        EXPECT_FALSE(is_utf8(text)) << to_hex(text);
    };
    refused("ab\xc0\x80", "byte 2 (counted from 0) is longer than");
    refused("\xc1\xbf", "byte 0 (counted from 0) is longer than");
    refused("\xe0\x9f\xbf", "is longer than");
    refused("\xf0\x8f\xbf\xbf", "is longer than");
    refused("\xf4\x90\x80\x80", "is beyond U+10FFFF");
    refused("\xf7\xbf\xbf\xbf", "is beyond U+10FFFF");
    refused("\x80", "starts with a byte that cannot start a character");
    refused("\xf8\x88\x80\x80\x80", "starts with a byte that cannot start a character");
    refused("\xff", "starts with a byte that cannot start a character");
    refused("a\xc3", "byte 1 (counted from 0) is truncated");
    refused("\xe5\xbc", "is truncated");
    refused("\xe5\xbc!", "is truncated");
    refused("\xf0\x9f\x98", "is truncated");
    refused("0123456789\xc3\x28", "byte 10 ");
}

TEST(Utf16, LeavesTheTargetAloneWhenItRefuses) {
    std::u16string units = u"before";
    EXPECT_THROW(append_utf16("ok\xff", units), bad_argument);
    EXPECT_EQ(units, u"before");
    append_utf16("!", units);
    EXPECT_EQ(units, u"before!");
}

TEST(Utf16, KnowsAsciiWhereverTheOtherByteStands) {
    for (std::size_t length = 0; length < 40; ++length) {
        std::string text(length, 'x');
        EXPECT_TRUE(is_ascii(text));
        EXPECT_TRUE(is_utf8(text));
        for (char& c : text) {
            c = '\x80';
            EXPECT_FALSE(is_ascii(text));
            EXPECT_FALSE(is_utf8(text));
            c = 'x';
        }
        for (std::size_t at = 0; at <= length; ++at) {
            EXPECT_TRUE(is_utf8(text.substr(0, at) + "\xe5\xbc\xa0" + text.substr(at)));
            EXPECT_FALSE(is_utf8(text.substr(0, at) + "\xed\xa0\x80" + text.substr(at)));
        }
    }
}

// Every code point, alone: decoding and encoding are each other's inverse, but for surrogates.
TEST(Utf16, EveryCodePointComesBack) {
    for (std::uint32_t code_point = 0; code_point < 0x110000; ++code_point) {
        const bool surrogate = code_point >= 0xd800 && code_point < 0xe000;
        std::u16string units;
        if (code_point < 0x10000) {
            units = unit(code_point);
        } else {
            units = {unit(0xd800 + ((code_point - 0x10000) >> 10)),
                     unit(0xdc00 + ((code_point - 0x10000) & 0x3ff))};
        }
        const std::string text = java_utf8(units);
        if (surrogate) {
            ASSERT_EQ(text, "?");
        } else {
            ASSERT_EQ(utf16_of(text), units) << code_point;
            ASSERT_TRUE(is_utf8(text)) << code_point;
        }
    }
}

struct in_charsets {
    std::u16string text;
    std::string utf8, latin1, utf16le, units;
};

TEST(JavaText, EncodesAsTheCharsetsDo) {
    const std::u16string high{unit(0xd83d)};
    const std::u16string low{unit(0xde00)};
    const in_charsets cases[]{
        {u"", "", "", "", ""},
        {u"\0"s, "00", "00", "0000", "0000"},
        {u"a", "61", "61", "6100", "6100"},
        {u"\u00e9\u00ff", "c3a9c3bf", "e9ff", "e900ff00", "e900ff00"},
        {u"\u0100", "c480", "3f", "0001", "0001"},
        {u"\u5f20x", "e5bca078", "3f78", "205f7800", "205f7800"},
        {u"\U0001f600", "f09f9880", "3f", "3dd800de", "3dd800de"},
        {high, "3f", "3f", "fdff", "3dd8"},
        {low, "3f", "3f", "fdff", "00de"},
        {low + high, "3f3f", "3f3f", "fdfffdff", "00de3dd8"},
        {high + high + low, "3ff09f9880", "3f3f", "fdff3dd800de", "3dd83dd800de"},
        {high + low + low, "f09f98803f", "3f3f", "3dd800defdff", "3dd800de00de"},
        {u"ab" + high + u"c", "61623f63", "61623f63", "61006200fdff6300", "610062003dd86300"},
    };
    for (const in_charsets& expected : cases) {
        const std::string name = expected.units;
        EXPECT_EQ(to_hex(java_utf8(expected.text)), expected.utf8) << name;
        EXPECT_EQ(to_hex(java_latin1(expected.text)), expected.latin1) << name;
        EXPECT_EQ(to_hex(java_utf16le(expected.text)), expected.utf16le) << name;
        EXPECT_EQ(to_hex(utf16le_units(expected.text)), expected.units) << name;
    }
}

TEST(JavaText, Appends) {
    std::string bytes = "<";
    append_java_utf8(u"a", bytes);
    append_java_latin1(u"b", bytes);
    append_java_utf16le(u"c", bytes);
    append_utf16le_units(u"d", bytes);
    EXPECT_EQ(bytes, "<abc\0d\0"s);
}

} // namespace
} // namespace bloomery
