// What is a key and what is not, decided at compile time.
#include <bloomery/error.hpp>
#include <bloomery/key/key.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace bloomery {
namespace {

struct convertible {
    operator std::string_view() const { return "x"; } // NOLINT: implicit on purpose
};
struct stranger {};
struct fed {
    int x;
};
void bloomery_feed(key_sink& sink, const fed& f) { sink.put(f.x); }

static_assert(key<std::string> && key<std::string_view> && key<const char*> && key<char[6]>);
static_assert(key<std::span<const std::byte>> && key<std::vector<std::byte>> && key<convertible>);
static_assert(key<std::vector<unsigned char>> && key<std::array<std::uint8_t, 16>>);
static_assert(key<std::u8string>);
static_assert(key<int> && key<unsigned long long> && key<bool> && key<char> && key<std::byte>);
static_assert(key<std::array<int, 3>> && key<std::tuple<int, std::string>>);
static_assert(key<std::optional<std::string>> && key<std::vector<std::string>>);
static_assert(key<std::map<int, std::string>> && key<fed> && key<std::vector<fed>>);
static_assert(key<float_bits>);

static_assert(!key<double> && !key<float> && !key<std::tuple<int, double>>,
              "floating-point numbers are keys only by explicit choice");
static_assert(!key<std::unordered_set<int>> && !key<std::unordered_map<int, int>>,
              "equal unordered containers may list their elements differently");
static_assert(!key<int*> && !key<stranger> && !key<std::vector<stranger>>);
static_assert(!key<std::filesystem::path>, "a path is a range of paths, without end");

static_assert(!key<std::nullptr_t> && !key<std::tuple<int, std::nullptr_t>>,
              "a null pointer is not a string");

static_assert(byte_string<std::array<char, 4>> && !byte_string<std::array<int, 4>>);

TEST(BytesOf, RefusesANullPointer) {
    const char* const none = nullptr;
    EXPECT_THROW((void)bytes_of(none), bad_argument);
    key_sink sink;
    EXPECT_THROW(feed(sink, std::tuple(1, none)), bad_argument);
}

TEST(BytesOf, KeepsEveryByteOfABuffer) {
    const std::array<char, 3> buffer{'a', '\0', 'b'};
    EXPECT_EQ(bytes_of(buffer).size(), 3U);
    EXPECT_EQ(bytes_of(std::string_view("a\0b", 3)).size(), 3U);
    EXPECT_EQ(bytes_of("").size(), 0U);
}

static_assert(!key<wchar_t> && !key<std::wstring>, "their width differs between platforms");
static_assert(!key<char16_t[4]> && key<std::u16string> && key<char8_t[4]>);

TEST(BytesOf, TakesALiteralAsTheStringItSpells) {
    EXPECT_EQ(bytes_of(u8"abc").size(), 3U);
    EXPECT_EQ(bytes_of(u8"abc").size(), bytes_of(std::u8string(u8"abc")).size());
    EXPECT_EQ(bytes_of("abc").size(), bytes_of(std::string("abc")).size());
    const unsigned char raw[3] = {'a', 0, 0};
    EXPECT_EQ(bytes_of(raw).size(), 3U) << "raw bytes are not a literal";
}

TEST(IntegerOf, TakesAPlainCharAsUnsignedEverywhere) {
    enum class letter : char { e_acute = '\xE9' };
    EXPECT_EQ(integer_of('\xE9'), 0xE9U);
    EXPECT_EQ(integer_of(letter::e_acute), 0xE9U);
    EXPECT_EQ(integer_of(static_cast<signed char>(-1)), ~std::uint64_t{0});
}

TEST(BytesOf, EndsALiteralAtItsFirstNul) { EXPECT_EQ(bytes_of("a\0b").size(), 1U); }

} // namespace
} // namespace bloomery
