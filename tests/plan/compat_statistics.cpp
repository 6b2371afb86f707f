// What other libraries said about their own filters.
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "foreign_tables.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

using namespace bloomery;
using namespace bloomery::plan;
using nlohmann::json;

TEST(CompatStatistics, Guava) {
    for (const std::string folder : {"guava-31.1", "guava-33.4plus"}) {
        for (const json& one : foreign::cases(folder, "")) {
            const std::uint64_t ones = one["bit_count"];
            const bits m{one["bit_size"]};
            const hashes k{one["k"]};
            EXPECT_EQ(guava_expected_rate(ones, m, k), foreign::hex_double(one["expected_fpp"]))
                << one["id"];
            const json& count = one["approximate_element_count"];
            if (count.is_number()) {
                EXPECT_EQ(guava_approximate_count(ones, m, k), count) << one["id"];
            } else {
                EXPECT_THROW((void)guava_approximate_count(ones, m, k), bad_argument) << one["id"];
            }
        }
    }
    for (const json& one : foreign::cases("guava-31.1", "putall")) {
        const std::string file =
            bloomery::testing::foreign_file("guava-31.1", one["file_or"].get<std::string>());
        const std::uint64_t ones = foreign::ones_in(std::string_view(file).substr(6));
        const bits m{(file.size() - 6) * 8};
        const hashes k{static_cast<unsigned char>(file[1])};
        EXPECT_EQ(guava_expected_rate(ones, m, k), foreign::hex_double(one["expected_fpp_or"]));
        EXPECT_EQ(guava_approximate_count(ones, m, k), one["approximate_element_count_or"]);
    }
    EXPECT_THROW((void)guava_approximate_count(64, {64}, {3}), bad_argument);
    EXPECT_THROW((void)guava_expected_rate(65, {64}, {3}), bad_argument);
    EXPECT_THROW((void)guava_expected_rate(0, {0}, {3}), bad_argument);
    EXPECT_THROW((void)guava_expected_rate(1, {64}, {0}), bad_argument);
    EXPECT_EQ(guava_expected_rate(64, {64}, {3}), 1.0);
}

TEST(CompatStatistics, Go) {
    for (const json& one : foreign::cases("go-bloom-v3", "")) {
        EXPECT_EQ(go_approximated_size(one["bit_count"], bits{one["m"]}, hashes{one["k"]}),
                  one["approximated_size"])
            << one["id"];
    }
    EXPECT_EQ(go_approximated_size(100, {64}, {3}), 0U); // more bits set than m: no number
    EXPECT_EQ(go_approximated_size(0, {0}, {0}), 0U);
}

TEST(CompatStatistics, Redisson) {
    for (const json& one : foreign::cases("redisson", "redis")) {
        EXPECT_EQ(redisson_count(one["bitcount"], bits{one["size"]}, hashes{one["hashIterations"]}),
                  one["count"])
            << one["id"];
    }
    EXPECT_EQ(redisson_count(64, {64}, {3}), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(redisson_count(65, {64}, {3}), 0U);
    EXPECT_EQ(redisson_count(0, {64}, {3}), 0U);
}

TEST(CompatStatistics, Spark) {
    for (const json& one : foreign::cases("spark", "")) {
        EXPECT_EQ(spark_expected_rate(one["cardinality"], bits{one["bit_size"]}, hashes{one["k"]}),
                  foreign::hex_double(one["expected_fpp"]))
            << one["id"];
    }
}

TEST(CompatStatistics, Hutool) {
    for (const json& one : foreign::cases("hutool", "bitset")) {
        EXPECT_EQ(hutool_rate(one["c"], one["n"], one["k"]), one["fpp"].get<double>()) << one["id"];
    }
    EXPECT_THROW((void)hutool_rate(0, 1, 3), bad_argument);
}
