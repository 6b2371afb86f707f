// The sizes of other libraries' filters, against the filters and the tables that they made.
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "foreign_tables.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

using namespace bloomery;
using namespace bloomery::plan;
using nlohmann::json;

namespace {

items n_of(const json& row) { return {row.at(0).get<std::uint64_t>()}; }
rate p_of(const json& row) { return {row.at(1).get<double>()}; }

// The last column holds the bits of the filter that was made, the exception, or "not_created" where
// there was no memory for it: what Guava would refuse among those is known from its limits.
bool refused(const json& row) {
    if (row[4] != "not_created") return row[4].is_string();
    return row[3] > 255 || foreign::rounded_up(row[2], 64) / 64 >= std::uint64_t{1} << 31U;
}

template <class Size>
void expect_guava(const std::string& folder, Size size) {
    for (const json& row : foreign::rows(folder)) {
        if (refused(row)) {
            EXPECT_THROW((void)size(n_of(row), p_of(row)), bad_argument) << row;
            continue;
        }
        EXPECT_EQ(size(n_of(row), p_of(row)), (compat_shape{row[2], row[3]})) << row;
        if (row[4].is_number()) {
            EXPECT_EQ(foreign::rounded_up(row[2], 64), row[4]);
        }
    }
    for (const json& one : foreign::cases(folder, "")) {
        const compat_shape chosen = size(items{one["n"]}, rate{one["fpp"]});
        EXPECT_EQ(chosen, (compat_shape{one["optimal_num_bits"], one["k"]})) << one["id"];
        EXPECT_EQ(foreign::rounded_up(chosen.bit_count, 64), one["bit_size"]) << one["id"];
    }
}

} // namespace

TEST(CompatForeign, Guava) {
    expect_guava("guava-31.1", guava_shape);
    expect_guava("guava-33.4plus", guava_33_4_shape);
}

TEST(CompatForeign, Go) {
    for (const std::string folder : {"go-bloom-v2.0.0-fnv", "go-bloom-v3"}) {
        for (const json& row : foreign::rows(folder)) {
            if (n_of(row).value == 0 || p_of(row).value == 1) { // nonsense there
                EXPECT_THROW((void)go_shape(n_of(row), p_of(row)), bad_argument) << row;
            } else {
                EXPECT_EQ(go_shape(n_of(row), p_of(row)), (compat_shape{row[2], row[3]})) << row;
            }
        }
        for (const json& one : foreign::cases(folder, "")) {
            if (!one.contains("p")) continue;
            EXPECT_EQ(go_shape(items{one["n"]}, rate{one["p"]}),
                      (compat_shape{one["m"], one["k"]}));
        }
    }
}

TEST(CompatForeign, Redisson) {
    for (const json& row : foreign::rows("redisson")) {
        if (row[3].is_string()) {
            EXPECT_THROW((void)redisson_shape(n_of(row), p_of(row)), bad_argument) << row;
        } else {
            EXPECT_EQ(redisson_shape(n_of(row), p_of(row)), (compat_shape{row[2], row[3]})) << row;
        }
    }
    for (const std::string type : {"indices", "redis"}) {
        for (const json& one : foreign::cases("redisson", type)) {
            EXPECT_EQ(redisson_shape(items{one["n"]}, rate{one["fpp"]}),
                      (compat_shape{one["size"], one["hashIterations"]}));
        }
    }
}

TEST(CompatForeign, Spark) {
    for (const json& one : foreign::cases("spark", "")) {
        const bits m{one["num_bits_arg"]};
        EXPECT_EQ(spark_hashes(items{one["n"]}, m).value, one["k"]) << one["id"];
        EXPECT_EQ(foreign::rounded_up(m.value, 64), one["bit_size"]) << one["id"];
    }
    // Where both take the same numbers, Spark's formula is that of Guava.
    for (const json& row : foreign::rows("guava-31.1")) {
        if (refused(row) || row[0] == 0) continue;
        EXPECT_EQ(spark_shape(n_of(row), p_of(row)), (compat_shape{row[2], row[3]})) << row;
    }
    EXPECT_EQ(spark_shape({1}, {1e-100}), (compat_shape{479, 332})); // Guava ends at 255
    EXPECT_THROW((void)spark_shape({0}, {0.1}), bad_argument);
    EXPECT_THROW((void)spark_shape({1}, {0.9}), bad_argument);
    EXPECT_THROW((void)spark_hashes({10}, {0}), bad_argument);
    EXPECT_THROW((void)spark_hashes({10}, {(std::uint64_t{1} << 37U) - 63}), bad_argument);
}

TEST(CompatForeign, DataSketches) {
    for (const json& row : foreign::rows("datasketches")) {
        EXPECT_EQ(datasketches_shape(n_of(row), p_of(row)), (compat_shape{row[2], row[4]})) << row;
        EXPECT_EQ(datasketches_hashes(n_of(row), bits{row[2]}).value, row[3]) << row;
    }
    EXPECT_THROW((void)datasketches_shape({0}, {0.1}), bad_argument);
    EXPECT_THROW((void)datasketches_shape({10}, {0.0}), bad_argument);
    EXPECT_THROW((void)datasketches_shape({std::uint64_t{1} << 40U}, {0.1}), bad_argument);
    EXPECT_THROW((void)datasketches_hashes({1}, {0}), bad_argument);
    EXPECT_THROW((void)datasketches_hashes({1}, {17179868921}), bad_argument);
    EXPECT_THROW((void)datasketches_hashes({1}, {17179868920}), bad_argument);
    EXPECT_EQ(datasketches_hashes({std::uint64_t{1} << 40U}, {17179868920}).value, 1U);
}

TEST(CompatForeign, Dcso) {
    for (const json& one : foreign::cases("dcso", "")) {
        const compat_shape chosen = dcso_shape(items{one["n"]}, rate{one["p"]});
        const auto shown = one["show"].get<std::string>();
        EXPECT_NE(shown.find("Bits:\t\t\t" + std::to_string(chosen.bit_count) + "\n"),
                  std::string::npos)
            << shown;
        EXPECT_NE(shown.find("Hash functions:\t\t" + std::to_string(chosen.hash_count) + "\n"),
                  std::string::npos)
            << shown;
    }
    EXPECT_THROW((void)dcso_shape({1}, {0.9}), bad_argument);
    EXPECT_THROW((void)dcso_shape({0}, {0.5}), bad_argument);
    EXPECT_THROW((void)dcso_shape({1}, {1.0}), bad_argument);
}

TEST(CompatForeign, Hutool) {
    for (const json& one : foreign::cases("hutool", "bitset")) {
        EXPECT_EQ(hutool_bitset_shape(one["c"], one["n"], one["k"]),
                  (compat_shape{one["bits"], one["k"]}));
    }
    for (const json& one : foreign::cases("hutool", "bitmap")) {
        EXPECT_EQ(hutool_bitmap_bits(one["m"]).value, one["bits_each"]);
    }
    EXPECT_THROW((void)hutool_bitmap_bits(4), bad_argument);
    EXPECT_THROW((void)hutool_bitset_shape(300'000'000, 1, 8), bad_argument);
    EXPECT_THROW((void)hutool_bitset_shape(0, 1, 3), bad_argument);
    EXPECT_THROW((void)hutool_bitset_shape(-5, 1, -3), bad_argument);
    EXPECT_THROW((void)hutool_bitmap_bits(40960), bad_argument);
    EXPECT_EQ(hutool_bitset_shape(600'000'000, 1, 8), (compat_shape{505'032'704, 8})); // it wraps
}
