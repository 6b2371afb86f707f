// Files written by the first version of the format. They are read for ever, written again byte for
// byte, and answer as they did on the day they were made, false positives included: those pin the
// hash and the layout, which no self-made test could.
#include <bloomery/filter/filter.hpp>
#include <bloomery/format/native.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace bloomery::format {
namespace {

std::vector<std::byte> golden(const std::string& name) {
    std::ifstream in(BLOOMERY_TEST_DATA "/native/" + name, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const byte_view bytes = bytes_of(text);
    return {bytes.begin(), bytes.end()};
}

/// Reads the file, checks its answers, and compares what it would write.
void expect_unchanged(const std::string& name, const std::string& comment,
                      const std::vector<int>& false_positives, const decode_options& options = {}) {
    const std::vector<std::byte> file = golden(name);
    any_filter found = decode_native(file, options);
    const filter* const f = found.get_if<filter>();
    ASSERT_NE(f, nullptr);
    for (const char* word : {"surely", "not", "or", "maybe", ""}) {
        EXPECT_TRUE(f->may_contain(word)) << word;
    }
    for (const std::uint64_t number : {0ULL, 1ULL, 42ULL, ~0ULL}) {
        EXPECT_TRUE(f->may_contain(number)) << number;
    }
    for (int i = 0; i < 280; ++i) {
        EXPECT_TRUE(f->may_contain("member " + std::to_string(i))) << i;
    }
    std::vector<int> wrong;
    for (int i = 0; i < 3000; ++i) {
        if (f->may_contain("absent " + std::to_string(i))) {
            wrong.push_back(i);
        }
    }
    EXPECT_EQ(wrong, false_positives);
    std::vector<std::byte> again;
    encode_native(
        found, [&](byte_view part) { again.insert(again.end(), part.begin(), part.end()); },
        comment);
    EXPECT_EQ(again, file);
}

TEST(GoldenFile, ClassicOfTheFirstVersion) {
    expect_unchanged("v1-classic.bloom", "the first golden file",
                     {306,  423,  541,  659,  880,  936,  981,  1080, 1090, 1097,
                      1161, 2316, 2389, 2407, 2537, 2565, 2838, 2944, 2973, 2994});
}

TEST(GoldenFile, BlockedOfTheFirstVersion) {
    expect_unchanged("v1-blocked.bloom", "the second golden file",
                     {57, 141, 167, 565, 692, 904, 1136, 1737, 2196, 2232, 2467, 2478, 2492, 2514,
                      2588, 2598, 2783, 2817, 2937});
}

TEST(GoldenFile, KeyedAndWideOfTheFirstVersion) {
    expect_unchanged("v1-keyed.bloom", "the third golden file",
                     {109,  166,  266,  320,  482,  539,  882,  1014, 1091, 1192,
                      1334, 1492, 1547, 1568, 1611, 1641, 1646, 1918, 1937, 2066,
                      2110, 2250, 2297, 2333, 2378, 2557, 2700, 2719, 2844, 2960},
                     {{}, hash::sip_key{0x0123456789abcdefU, 0xfedcba9876543210U}});
}

TEST(GoldenFile, SplitOf8x32OfTheFirstVersion) {
    expect_unchanged("v1-split-8x32.bloom", "the fourth golden file",
                     {64, 357, 675, 1037, 1428, 1432, 1518, 1526, 1539, 1563, 1725, 1969, 2254,
                      2347, 2383, 2667, 2692, 2697, 2870});
}

TEST(GoldenFile, SplitOf8x64OfTheFirstVersion) {
    expect_unchanged("v1-split-8x64.bloom", "the fifth golden file",
                     {6,    69,   103,  150,  271,  343,  363,  492,  496,  758,  1045, 1199, 1260,
                      1375, 1442, 1667, 1862, 1962, 1963, 1999, 2008, 2010, 2018, 2036, 2060, 2069,
                      2115, 2126, 2167, 2294, 2482, 2757, 2760, 2786, 2816, 2925, 2962});
}

TEST(GoldenFile, WideSplitOf16x32OfTheFirstVersion) {
    expect_unchanged(
        "v1-split-16x32.bloom", "the sixth golden file",
        {100, 341, 653, 659, 777, 808, 844, 920, 987, 1071, 1360, 1631, 2172, 2306, 2547, 2914});
}

} // namespace
} // namespace bloomery::format
