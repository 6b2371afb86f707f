// The sizes of other libraries, against tables that were made by running them.
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "test_paths.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

using namespace bloomery;
using namespace bloomery::plan;

namespace {

nlohmann::json table(const std::string& library) {
    std::ifstream file(bloomery::testing::test_data("/plan/compat.json"));
    return nlohmann::json::parse(file).at(library);
}

template <class Size>
void expect_table(const std::string& library, Size size) {
    const nlohmann::json rows = table(library);
    ASSERT_GT(rows.size(), 80U);
    for (const nlohmann::json& row : rows) {
        const items n{row[0].get<std::uint64_t>()};
        const rate p{row[1].get<double>()};
        if (row[2].is_null()) {
            EXPECT_THROW((void)size(n, p), bad_argument) << row;
        } else {
            EXPECT_EQ(size(n, p),
                      (compat_shape{row[2].get<std::uint64_t>(), row[3].get<std::uint32_t>()}))
                << row;
        }
    }
}

} // namespace

TEST(Compat, AMillionKeysAtOnePercent) {
    EXPECT_EQ(guava_shape({1'000'000}, {0.01}), (compat_shape{9'585'058, 7}));
    EXPECT_EQ(guava_33_4_shape({1'000'000}, {0.01}), (compat_shape{9'585'058, 7}));
    EXPECT_EQ(go_shape({1'000'000}, {0.01}), (compat_shape{9'585'059, 7}));
    EXPECT_EQ(redisson_shape({1'000'000}, {0.01}), (compat_shape{9'585'058, 7}));
}

TEST(Compat, GuavaUpTo33Point3) { expect_table("guava", guava_shape); }
TEST(Compat, GuavaFrom33Point4) { expect_table("guava_33_4", guava_33_4_shape); }
TEST(Compat, Redisson) { expect_table("redisson", redisson_shape); }

TEST(Compat, Go) {
    // Go answers p = 1 with 0 bits and n = 0 with nonsense; both are refused here.
    for (const nlohmann::json& row : table("go")) {
        const items n{row[0].get<std::uint64_t>()};
        const rate p{row[1].get<double>()};
        if (n.value == 0 || p.value == 1.0) {
            EXPECT_THROW((void)go_shape(n, p), bad_argument);
        } else {
            EXPECT_EQ(go_shape(n, p),
                      (compat_shape{row[2].get<std::uint64_t>(), row[3].get<std::uint32_t>()}))
                << row;
        }
    }
}

TEST(Compat, RefusesRatesThatAreNone) {
    EXPECT_THROW((void)guava_shape({10}, {0.0}), bad_argument);
    EXPECT_THROW((void)guava_33_4_shape({10}, {1.0}), bad_argument);
    EXPECT_THROW((void)go_shape({10}, {-1.0}), bad_argument);
    EXPECT_THROW((void)redisson_shape({10}, {1.0}), bad_argument);
    EXPECT_THROW((void)redisson_shape({0}, {0.1}), bad_argument);
    EXPECT_THROW((void)go_shape({~std::uint64_t{0}}, {1e-9}), bad_argument);
}
