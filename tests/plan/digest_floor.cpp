// Digests collide whatever the size: the rates include this, and lower rates are refused.
#include <bloomery/detail/plan/digest_floor.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/family.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace bloomery::plan {
namespace {

TEST(DigestFloor, IsTheShareOfDigestsThatAreTaken) {
    EXPECT_DOUBLE_EQ(least_rate({1'000'000}), 1e6 / std::pow(2.0, 128));
    EXPECT_DOUBLE_EQ(collision_rate(1e6, 64), 1e6 / std::pow(2.0, 64));
    EXPECT_EQ(collision_rate(1e300, 64), 1.0);
}

TEST(DigestFloor, IsAddedWithoutLosingDigits) {
    EXPECT_DOUBLE_EQ(with_collisions(1e-300, 1e6, 128), least_rate({1'000'000}));
    EXPECT_DOUBLE_EQ(with_collisions(0.25, std::pow(2.0, 63), 64), 1 - 0.75 * 0.5);
    EXPECT_EQ(with_collisions(1.0, 1e300, 64), 1.0);
    EXPECT_EQ(with_collisions(0.01, 1e6, 0), 0.01);
}

TEST(DigestFloor, IsInTheRateOfAPlan) {
    const answer wide = solve({.n = items{1'000'000}, .p = rate{1e-30}});
    EXPECT_NEAR(wide.expected_rate / 1e-30, 1, 1e-6);
    const answer edge = solve({.n = items{1'000'000'000}, .p = rate{1e-9}});
    EXPECT_GT(edge.expected_rate,
              expected_rate(edge.filter, edge.n) + 5e-11); // 64 bits: a billion of 1.8e19
    const answer near = solve({.n = items{1'000'000}, .p = rate{4e-33}});
    EXPECT_LE(near.expected_rate, 4e-33 * (1 + 1e-9)); // the probes get what the digests leave
    EXPECT_GT(near.expected_rate, 3.9e-33);
    EXPECT_TRUE(near.meets_rate);
}

TEST(DigestFloor, LeavesOrdinarySizesAlone) {
    EXPECT_EQ(for_rate({1'000'000}, {0.01}).bit_count, 9'592'957U);
    EXPECT_LE(expected_rate(for_rate({1'000'000}, {1e-20}), 1e6), 1e-20);
}

TEST(DigestFloor, IsWhatIsRefusedAndNamed) {
    const auto refused = [](const auto& make) {
        try {
            make();
        } catch (const bad_argument& sentence) {
            return std::string(sentence.what());
        }
        return std::string();
    };
    const std::string told = refused([] { (void)for_rate({1'000'000}, {1e-300}); });
    EXPECT_NE(told.find("1,000,000 keys at a rate of 1e-300"), std::string::npos) << told;
    EXPECT_NE(told.find("ask for 3e-33 or more"), std::string::npos) << told;
    EXPECT_NO_THROW((void)for_rate({1'000'000}, {3e-33}));
    EXPECT_NE(refused([] { (void)choose(items{1'000'000}, rate{1e-33}); }), "");
    EXPECT_NE(refused([] { (void)solve({.n = items{1'000'000}, .p = rate{1e-33}}); }), "");
    EXPECT_NE(refused([] { (void)dleft_plan({1'000'000}, {1e-300}); }), "");
    EXPECT_NE(refused([] { (void)window_plan({1'000'000}, {1e-300}, 8); }), "");
    EXPECT_EQ(item_capacity({layout_kind::classic, 1'000'000, 64}, {1e-40}), 0U);
}

TEST(DigestFloor, DoesNotStandInTheWayOfMuchMemory) {
    EXPECT_NO_THROW((void)choose(bytes{1'000'000'000}, items{10}));
}

} // namespace
} // namespace bloomery::plan
