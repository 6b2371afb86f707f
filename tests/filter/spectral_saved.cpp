// What a spectral filter is read from, and what is refused.
#include <bloomery/error.hpp>
#include <bloomery/filter/spectral.hpp>

#include "key_counts.hpp"
#include "random.hpp"
#include "saved_state.hpp"

#include <gtest/gtest.h>

#include <concepts>
#include <cstdint>
#include <map>
#include <utility>

namespace bloomery {
namespace {

using testing::most;

template <class Filter>
Filter spectral_saved_some(std::uint64_t seed) {
    auto made = testing::crowded<Filter>(seed);
    testing::random_source random(seed);
    std::map<std::uint64_t, std::uint64_t> truth;
    testing::live(made, truth, random, 100, [](auto...) {});
    return made;
}

template <class Filter>
class SpectralSaved : public ::testing::Test {};
TYPED_TEST_SUITE(SpectralSaved, testing::spectral_policies);

TYPED_TEST(SpectralSaved, ComesBackFromItsWords) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        auto made = spectral_saved_some<TypeParam>(seed);
        const auto words = testing::payload_of(made);
        auto back = testing::restored_from(made, words);
        ASSERT_EQ(back, made);
        ASSERT_EQ(testing::payload_of(back), words);
        ASSERT_EQ(back.made_for(), made.made_for());
        made.insert(1, 500);
        back.insert(1, 500);
        ASSERT_EQ(back, made);
        TypeParam copy = back;
        TypeParam moved = std::move(back);
        ASSERT_EQ(copy, moved);
    }
}

TYPED_TEST(SpectralSaved, RefusesOtherLengths) {
    testing::expect_lengths_refused(spectral_saved_some<TypeParam>(7));
}

TYPED_TEST(SpectralSaved, RefusesOrSurvivesAnyChangedWord) {
    testing::expect_refused_or_usable(spectral_saved_some<TypeParam>,
                                      [](auto& words, auto& random) {
                                          std::uint64_t& word = words[random.below(words.size())];
                                          switch (random.below(4)) {
                                          case 0:
                                              word ^= std::uint64_t{1} << random.below(64);
                                              break;
                                          case 1:
                                              word = random.next();
                                              break;
                                          case 2:
                                              word = most;
                                              break;
                                          default:
                                              word += random.below(3) - 1;
                                          }
                                      });
}

TYPED_TEST(SpectralSaved, RefusesAMapThatDoesNotFit) {
    TypeParam made(bits{50}, hashes{3}, {8});
    made.insert("a", 1000);
    const auto words = testing::payload_of(made);
    ASSERT_EQ(words[0], 3U);
    const auto refuses = [&](auto change) {
        auto damaged = words;
        change(damaged);
        EXPECT_THROW(testing::restored_from(made, damaged), bad_data);
    };
    refuses([](auto& w) { std::swap(w[2], w[4]); }); // not by place
    refuses([](auto& w) { w[4] = w[2]; });           // twice the same
    refuses([](auto& w) { w[6] = 50; });             // past the end
    refuses([](auto& w) { w[3] = 254; });            // would fit its counter
    refuses(
        [](auto& w) { w[2] = w[2] + 1 < w[4] ? w[2] + 1 : w[2] - 1; }); // a counter that is small
    refuses([](auto& w) { w[0] = most; });
    refuses([](auto& w) { w[0] = most / 2 + 2; }); // 2 w[0] is 4
    refuses([](auto& w) { w[1] = most; });
    const std::size_t first = made.saved().record.size();
    refuses([&](auto& w) { w[first + 6] |= std::uint64_t{1} << 16; }); // counter 50 of 50
    if constexpr (std::same_as<TypeParam, recurring_minimum_filter>) {
        refuses([](auto& w) { w.back() |= std::uint64_t{1} << 50; }); // mark 50 of 50
    }
}

TYPED_TEST(SpectralSaved, RefusesParametersOutOfRange) {
    const auto made = spectral_saved_some<TypeParam>(3);
    const auto words = testing::payload_of(made);
    const auto read = [&](auto change) { return testing::restored_with(made, words, change); };
    EXPECT_EQ(read([](spec&) {}), made);
    EXPECT_THROW(read([](spec& s) { s.parameters[0] = 4; }), unsupported);
    EXPECT_THROW(read([](spec& s) { s.parameters[0] = s.parameters[0] % 3 + 1; }), bad_data);
    EXPECT_THROW(read([](spec& s) { s.parameters[0] = 0; }), bad_data);
    EXPECT_THROW(read([](spec& s) { s.parameters[7] = 1; }), unsupported);
    for (const std::uint64_t width : {std::uint64_t{0}, std::uint64_t{5}, std::uint64_t{64},
                                      (std::uint64_t{1} << 32) + 8, most}) {
        EXPECT_THROW(read([=](spec& s) { s.parameters[1] = width; }), bad_data);
    }
    testing::expect_other_shapes_refused(read);
    EXPECT_THROW(read([](spec& s) { s.shape.layout = layout_kind::blocked_512; }), bad_data);
}

} // namespace
} // namespace bloomery
