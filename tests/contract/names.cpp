// Programs may write `using namespace bloomery;` and have names of ours: docs/quick-start.md says
// which. This file is such a program; most of the test is that it compiles.
#include <bloomery/bloomery.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace bloomery; // NOLINT(google-build-using-namespace): that is what is tested

namespace shop {

// In a namespace of your own every name is yours.
double rate(int of) { return of / 100.0; }
const std::vector<int> items{1, 2, 3};
using bytes = std::vector<unsigned char>;
struct bits {
    std::uint32_t hashes = 4;
};

double seen_at() {
    filter known(bloomery::items{1000}, bloomery::rate{0.01});
    for (const int item : items) known.insert(item);
    const bytes raw{1, 2};
    return rate(static_cast<int>(items.size() + raw.size() + bits{}.hashes)) +
           (known.may_contain(2) ? 1 : 0);
}

// A function of yours that takes a filter is found by its own name, not by a type of ours.
double rate(const filter& of) { return of.expected_rate(); }

struct basket {
    std::uint64_t bytes = 0; // members hide what lies outside
    int items = 0;
    [[nodiscard]] double rate() const { return items == 0 ? 0 : 1.0; }
};

} // namespace shop

// In the global namespace, say which: `::hashes` is yours, `bloomery::hashes` ours.
static std::string hashes() { return "mine"; }

TEST(Names, LocalsMembersAndOwnNamespacesDoNotCollide) {
    EXPECT_DOUBLE_EQ(shop::seen_at(), 1.09);
    const double rate = 0.5; // locals hide what lies outside
    const int bits = 3;
    const int items = 2;
    const auto bytes = [](int count) { return count * 8; };
    EXPECT_DOUBLE_EQ(rate * bits * items * bytes(1), 24.0);
    const filter made(bloomery::items{10}, bloomery::rate{rate});
    EXPECT_EQ(shop::rate(made), 0);
    EXPECT_EQ(shop::basket{}.rate(), 0);
    EXPECT_EQ(::hashes(), "mine");
}
