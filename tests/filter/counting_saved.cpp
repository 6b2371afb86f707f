// What a counting filter is read from, and what is refused.
#include <bloomery/error.hpp>

#include "counting_case.hpp"
#include "random.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace bloomery {
namespace {

using enum counter_layout;

class CountingSaved : public testing::counting_case {};
INSTANTIATE_TEST_SUITE_P(EveryOption, CountingSaved, ::testing::ValuesIn(testing::every_option),
                         testing::option_name);

TEST_P(CountingSaved, ComesBackFromItsWords) {
    counting_filter f(items{500}, rate{0.01}, GetParam(), native_hash::seeded(5));
    for (std::uint64_t i = 0; i < 700; ++i) f.insert(i);
    const counting_filter back = testing::copy_of(f);
    EXPECT_EQ(back, f);
    EXPECT_EQ(back.made_for(), f.made_for());
    EXPECT_EQ(back.saved().word_count() * 8, f.byte_count());
    EXPECT_EQ(back.spec(), f.spec());
    EXPECT_EQ(back.layout(), GetParam().layout);
}

TEST_P(CountingSaved, RestoresNothingButWhatAFilterSaves) {
    counting_filter f = small();
    for (std::uint64_t i = 0; i < 30; ++i) f.insert(i);
    testing::expect_lengths_refused(f);
    const std::vector<std::uint64_t> words = testing::payload_of(f);
    // Any word is a word of counters, unless it has bits that no counter has; whatever is accepted
    // can be used.
    testing::random_source random(9);
    for (int round = 0; round < 300; ++round) {
        std::vector<std::uint64_t> changed = words;
        changed[random.below(words.size())] = random.next();
        try {
            counting_filter back = testing::restored_from(f, changed);
            EXPECT_EQ(testing::payload_of(back), changed);
            for (std::uint64_t i = 0; i < 50; ++i) {
                back.insert(i);
                back.erase(i + 25);
            }
            back.merge(f);
            EXPECT_LE(back.stats().expected_rate, 1.0);
            EXPECT_FALSE(back.facts().empty());
        } catch (const bad_data&) {
            EXPECT_NE(64 % GetParam().counter_bits + f.bit_count() % (64 / GetParam().counter_bits),
                      0U);
        }
    }
}

TEST_P(CountingSaved, RefusesBitsThatNoCounterHas) {
    const counting_filter f = small();
    const std::uint32_t width = f.counter_bits();
    const std::uint64_t in_word = 64 / width;
    for (std::uint64_t bit = 0; bit < f.byte_count() * 8; ++bit) {
        std::vector<std::uint64_t> words = testing::payload_of(f);
        words[bit / 64] = std::uint64_t{1} << (bit % 64);
        const bool counts =
            bit % 64 < in_word * width && bit / 64 * in_word + bit % 64 / width < f.bit_count();
        if (counts) {
            EXPECT_NO_THROW((void)testing::restored_from(f, words));
        } else {
            EXPECT_THROW((void)testing::restored_from(f, words), bad_data) << bit;
        }
    }
}

TEST_P(CountingSaved, RefusesASpecThatNoFilterHas) {
    const counting_filter f = small();
    const std::vector<std::uint64_t> words = testing::payload_of(f);
    const auto changed = [&](auto change) { return testing::restored_with(f, words, change); };
    EXPECT_NO_THROW(changed([](spec&) {}));
    for (const std::uint64_t width :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{33}, std::uint64_t{64},
          (std::uint64_t{1} << 32) + 4, ~std::uint64_t{0}}) {
        EXPECT_THROW(changed([&](spec& s) { s.parameters[0] = width; }), bad_data) << width;
    }
    for (const std::uint64_t m : {std::uint64_t{0}, f.bit_count() + 64, f.bit_count() - 64,
                                  ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
        EXPECT_THROW(changed([&](spec& s) { s.shape.bit_count = m; }), bad_data) << m;
    }
    EXPECT_THROW(changed([](spec& s) { s.shape.hash_count = 0; }), bad_data);
    EXPECT_THROW(changed([](spec& s) { s.shape.hash_count = 256; }), bad_data);
    EXPECT_THROW(changed([](spec& s) { s.kind = filter_kind::bloom; }), bad_data);
    EXPECT_THROW(changed([](spec& s) { s.scheme = layout::scheme_id::go; }), bad_data);
    EXPECT_THROW(changed([](spec& s) { s.shape.layout = layout_kind::split_8x64; }), bad_data);
    EXPECT_THROW(changed([](spec& s) { s.seed = 1; }), bad_data);
    EXPECT_THROW(changed([](spec& s) { s.hash = hash::hash_id::xxh3_128; }), bad_data);
    EXPECT_THROW(changed([](spec& s) { s.parameters[1] = 2; }), unsupported);
    EXPECT_THROW(changed([](spec& s) { s.parameters[2] = 1; }), unsupported);
    EXPECT_THROW(changed([](spec& s) { s.parameters[7] = 1; }), unsupported);
    if (f.layout() == blocked) {
        EXPECT_THROW(changed([](spec& s) { s.shape.hash_count = 9; }), bad_data);
    }
    EXPECT_THROW((void)counting_filter::restored(f.spec(), {2'000'000'000, 0.01}, f.hash(), words),
                 bad_data);
}

} // namespace
} // namespace bloomery
