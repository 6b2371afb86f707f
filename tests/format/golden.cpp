// Files written by the first version of the format. They stay readable forever, are written back
// byte for byte, and give the same answers as on the day they were made, including false positives,
// which pin the hash and the layout as no generated test could.
#include "golden.hpp"

#include <bloomery/filter/filter.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/format/native.hpp>

#include "test_paths.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bloomery::testing {

namespace {

const format::decode_options with_secret{{},
                                         hash::sip_key{0x0123456789abcdefU, 0xfedcba9876543210U}};

} // namespace

const std::vector<golden>& all_golden() {
    static const std::vector<golden> files{
        {"v1-classic.bloom", "the first golden file", {306,  423,  541,  659,  880,  936,  981,
                                                       1080, 1090, 1097, 1161, 2316, 2389, 2407,
                                                       2537, 2565, 2838, 2944, 2973, 2994}},
        {"v1-blocked.bloom",
         "the second golden file",
         {57, 141, 167, 565, 692, 904, 1136, 1737, 2196, 2232, 2467, 2478, 2492, 2514, 2588, 2598,
          2783, 2817, 2937}},
        {"v1-keyed.bloom",
         "the third golden file",
         {109,  166,  266,  320,  482,  539,  882,  1014, 1091, 1192, 1334, 1492, 1547, 1568, 1611,
          1641, 1646, 1918, 1937, 2066, 2110, 2250, 2297, 2333, 2378, 2557, 2700, 2719, 2844, 2960},
         with_secret},
        {"v1-split-8x32.bloom",
         "the fourth golden file",
         {64, 357, 675, 1037, 1428, 1432, 1518, 1526, 1539, 1563, 1725, 1969, 2254, 2347, 2383,
          2667, 2692, 2697, 2870}},
        {"v1-split-8x64.bloom",
         "the fifth golden file",
         {6,    69,   103,  150,  271,  343,  363,  492,  496,  758,  1045, 1199, 1260,
          1375, 1442, 1667, 1862, 1962, 1963, 1999, 2008, 2010, 2018, 2036, 2060, 2069,
          2115, 2126, 2167, 2294, 2482, 2757, 2760, 2786, 2816, 2925, 2962}},
        {"v1-split-16x32.bloom",
         "the sixth golden file",
         {100, 341, 653, 659, 777, 808, 844, 920, 987, 1071, 1360, 1631, 2172, 2306, 2547, 2914}},
        {.name = "v1-mapped.bloom", // three chunks, synced twice
         .comment = "the seventh golden file",
         .false_positives = {143, 318, 399, 497, 1069, 1122, 1351, 1453, 1491, 1692, 1695, 1820,
                             1845, 1852, 2009, 2152, 2333, 2722},
         .as_saved = false},
        {.name = "v1-secret.bloom",
         .comment = "the eighth golden file",
         .false_positives = {382, 1061, 1232, 2778},
         .kept_secret = true},
        {.name = "v1-open.bloom",
         .comment = "the ninth golden file, which no writer lived to seal",
         .false_positives = {18,   66,   387,  410,  440,  862,  883,  973,  1120, 1337,
                             1412, 1519, 1706, 1765, 1831, 1834, 1928, 2012, 2074, 2139,
                             2233, 2256, 2263, 2344, 2464, 2714, 2928, 2969},
         .as_saved = false},
    };
    return files;
}

/// Those of other kinds.
const std::vector<golden>& golden_kinds() {
    static const std::vector<golden> files{
        {"v1-counting.bloom",
         "the first golden file of another kind",
         {26,   56,   86,   290,  402,  489,  664,  726,  985,  1079, 1232,
          1333, 1398, 1409, 1543, 1583, 1597, 1902, 1947, 2024, 2104, 2150,
          2159, 2165, 2178, 2197, 2383, 2445, 2529, 2581, 2725}},
        {"v1-counting-blocked.bloom", "the second", {9,    422,  469,  552,  554,  698,  1167, 1252,
                                                     1288, 1354, 1358, 1460, 1608, 1718, 1777, 2015,
                                                     2303, 2367, 2432, 2450, 2619, 2729}},
        {"v1-spectral.bloom", "the third", {26,   56,   86,   290,  402,  489,  664,  726,
                                            985,  1079, 1232, 1333, 1398, 1409, 1543, 1583,
                                            1597, 1902, 1947, 2024, 2104, 2150, 2159, 2165,
                                            2178, 2197, 2383, 2445, 2529, 2581, 2725}},
        {"v1-recurring-minimum.bloom",
         "the fourth",
         {26,   56,   86,   290,  402,  489,  664,  726,  985,  1079, 1232,
          1333, 1398, 1409, 1543, 1583, 1597, 1902, 1947, 2024, 2104, 2150,
          2159, 2165, 2178, 2197, 2383, 2445, 2529, 2581, 2725}},
        {"v1-dynamic-count.bloom", "the fifth", {26,   56,   86,   290,  402,  489,  664,  726,
                                                 985,  1079, 1232, 1333, 1398, 1409, 1543, 1583,
                                                 1597, 1902, 1947, 2024, 2104, 2150, 2159, 2165,
                                                 2178, 2197, 2383, 2445, 2529, 2581, 2725}},
        {"v1-dleft.bloom",
         "the sixth",
         {795, 1098, 1154, 1270, 1496, 1661, 1688, 2381, 2790, 2794}},
        {"v1-accurate.bloom", "the seventh", {17,   298,  541,  898,  948,  961,  1208, 1239,
                                              1393, 1464, 1500, 1661, 1691, 1709, 1833, 1849,
                                              2087, 2322, 2500, 2510, 2799, 2825, 2891}},
        {"v1-scalable.bloom", "the eighth", {207,  263,  290,  492,  587,  695,  704,  780,  829,
                                             1009, 1116, 1190, 1250, 1393, 1403, 1496, 1512, 1596,
                                             1795, 1833, 1896, 1929, 2078, 2458, 2683, 2813, 2885}},
        {"v1-window.bloom", "the ninth", {195,  299,  377,  442,  624,  625,  670,  690,
                                          711,  755,  1030, 1032, 1039, 1140, 1200, 1322,
                                          1361, 1440, 1441, 1612, 1703, 1724, 1900, 1918,
                                          2127, 2227, 2422, 2542, 2618, 2739, 2878, 2961}},
        {"v1-excepted.bloom",
         "the tenth",
         {2004, 2044, 2049, 2059, 2090, 2095, 2098, 2109, 2110, 2114, 2115, 2165, 2199, 2208,
          2238, 2253, 2256, 2324, 2372, 2483, 2505, 2519, 2554, 2576, 2626, 2630, 2638, 2720,
          2721, 2773, 2777, 2787, 2789, 2800, 2879, 2902, 2922, 2960, 2965, 2970, 2982}},
    };
    return files;
}

namespace {

class GoldenFile : public ::testing::TestWithParam<golden> {};

void expect_answers(const any_filter& f, const std::vector<int>& false_positives) {
    for (const char* word : {"surely", "not", "or", "maybe", ""}) {
        EXPECT_TRUE(f.may_contain(std::string_view(word))) << word;
    }
    for (const std::uint64_t number : {0ULL, 1ULL, 42ULL, ~0ULL}) {
        EXPECT_TRUE(f.may_contain(number)) << number;
    }
    for (int i = 0; i < 280; ++i) {
        EXPECT_TRUE(f.may_contain("member " + std::to_string(i))) << i;
    }
    std::vector<int> wrong;
    for (int i = 0; i < 3000; ++i) {
        if (f.may_contain("absent " + std::to_string(i))) {
            wrong.push_back(i);
        }
    }
    EXPECT_EQ(wrong, false_positives);
}

TEST_P(GoldenFile, AnswersAsOnTheFirstDay) {
    const golden& file = GetParam();
    const auto bytes = file.bytes();
    expect_answers(format::decode_native(bytes, file.options), file.false_positives);
    expect_answers(load(file.path(), file.options), file.false_positives);
    expect_answers(map(file.path(), map_mode::read_only, {file.options}), file.false_positives);
    EXPECT_EQ(format::decode_native_header(bytes).comment, file.comment);
}

TEST_P(GoldenFile, IsWrittenAgainByteForByte) {
    const golden& file = GetParam();
    std::vector<std::byte> again;
    format::encode_native(
        format::decode_native(file.bytes(), file.options),
        [&](byte_view part) { again.insert(again.end(), part.begin(), part.end()); },
        {file.comment, file.kept_secret});
    if (file.as_saved) {
        EXPECT_EQ(again, file.bytes());
    } else { // it is as it would be had it just been saved: another state, the same filter
        EXPECT_TRUE(format::decode_native_header(again).state.sealed);
        expect_answers(format::decode_native(again, file.options), file.false_positives);
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, GoldenFile, ::testing::ValuesIn(golden_kinds()),
                         [](const auto& of) { return test_name(of.param.name); });
INSTANTIATE_TEST_SUITE_P(Native, GoldenFile, ::testing::ValuesIn(all_golden()),
                         [](const auto& of) { return test_name(of.param.name); });

TEST(GoldenState, IsPinnedToo) {
    const auto state_of = [](const std::string& name) {
        return load_header(test_data("/native/" + name)).state;
    };
    EXPECT_EQ(state_of("v1-classic.bloom").generation, 1U);
    EXPECT_EQ(state_of("v1-mapped.bloom").generation, 5U)
        << "saved, opened, sealed, opened, sealed";
    EXPECT_TRUE(state_of("v1-mapped.bloom").sealed);
    EXPECT_EQ(state_of("v1-open.bloom").generation, 2U);
    EXPECT_FALSE(state_of("v1-open.bloom").sealed);
}

} // namespace
} // namespace bloomery::testing
