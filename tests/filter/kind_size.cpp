// The size that is told before a filter is made is the size of the filter that is made.
#include <bloomery/detail/filter/kind_size.hpp>
#include <bloomery/error.hpp>

#include <gtest/gtest.h>

namespace bloomery::testing {

TEST(KindSize, IsThatOfTheFilter) {
    for (const std::string kind :
         {"counting", "counting,bits=8", "counting,layout=blocked", "dynamic-count", "dleft",
          "accurate", "spectral", "spectral,policy=recurring-minimum", "scalable",
          "window,span=24h"}) {
        const kind_choice choice = parse_kind(kind);
        const kind_size told = size_of_kind(choice, items{100'000}, rate{0.01});
        const any_filter made = make_of_kind(choice, items{100'000}, rate{0.01});
        EXPECT_NEAR(static_cast<double>(told.byte_count) / static_cast<double>(made.byte_count()),
                    1, 0.02)
            << kind;
        EXPECT_LE(told.expected_rate, 0.01) << kind;
        EXPECT_DOUBLE_EQ(told.bits_per_item, 8 * static_cast<double>(told.byte_count) / 100'000)
            << kind;
    }
}

TEST(KindSize, RefusesWhatNoFilterCanHave) {
    EXPECT_THROW(static_cast<void>(size_of_kind(parse_kind("counting"), items{0}, rate{0.01})),
                 bad_argument);
}

} // namespace bloomery::testing
