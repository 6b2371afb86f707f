#include <bloomery/error.hpp>
#include <bloomery/plan/shape.hpp>

#include <gtest/gtest.h>

#include <string_view>

using namespace bloomery;
using namespace bloomery::plan;

TEST(Layout, NamesReadBackAsTheirLayouts) {
    for (const layout_facts& facts : all_layouts) {
        EXPECT_EQ(layout_named(facts.name), facts.kind);
        EXPECT_EQ(name_of(facts.kind), facts.name);
        EXPECT_EQ(&facts_of(facts.kind), &facts);
    }
    EXPECT_EQ(layout_named("blocked"), layout_kind::blocked_512);
    EXPECT_EQ(layout_named("split-16x32"), layout_kind::split_16x32);
    EXPECT_FALSE(layout_named("Classic"));
    EXPECT_FALSE(layout_named(""));
}

TEST(Layout, SplitBlocksAreTheirWordsAndOneProbeEach) {
    for (const layout_facts& facts : all_layouts) {
        if (facts.words == 0) continue;
        EXPECT_EQ(facts.words * facts.word_bits, facts.block_bits);
        EXPECT_EQ(facts.words, facts.fixed_hashes);
    }
}

TEST(Shape, TakesWholeWordsOfMemory) {
    EXPECT_EQ((shape{layout_kind::classic, 1, 1}.byte_count()), 8U);
    EXPECT_EQ((shape{layout_kind::classic, 64, 1}.byte_count()), 8U);
    EXPECT_EQ((shape{layout_kind::classic, 65, 1}.byte_count()), 16U);
    EXPECT_EQ((shape{layout_kind::split_8x64, 1024, 8}.block_count()), 2U);
    EXPECT_EQ((shape{layout_kind::classic, max_bit_count, 1}.byte_count()),
              std::uint64_t{1} << 60U);
}

TEST(Shape, RefusesWhatNoFilterCanBe) {
    EXPECT_NO_THROW(check({layout_kind::classic, 1, 64}));
    EXPECT_THROW(check({layout_kind::classic, 0, 1}), bad_argument);
    EXPECT_THROW(check({layout_kind::classic, max_bit_count + 1, 1}), bad_argument);
    EXPECT_THROW(check({layout_kind::classic, 10, 0}), bad_argument);
    EXPECT_THROW(check({layout_kind::classic, 10, 65536}), bad_argument);
    EXPECT_NO_THROW(check({layout_kind::classic, 10, 255})) << "as filters of other libraries have";
    EXPECT_THROW(check({layout_kind::blocked_512, 512, 65}), bad_argument);
    EXPECT_THROW(check({layout_kind::blocked_512, 513, 3}), bad_argument);
    EXPECT_THROW(check({layout_kind::split_8x64, 512, 7}), bad_argument);
}
