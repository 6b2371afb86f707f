// The accurate filter: counters equal to plain ones, no member denied, frozen blocks or not.
#include <bloomery/filter/accurate.hpp>

#include "random.hpp"
#include "saved_state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace bloomery {
namespace {

using testing::random_source;

/// Counters where the filter has them, by what its header says about digests.
struct oracle {
    std::uint64_t blocks;
    std::uint32_t places;
    std::uint32_t k;
    std::uint32_t digits;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> counters{};

    explicit oracle(const accurate_filter& of)
        : blocks(of.block_count()), places(of.first_level_bits()), k(of.hash_count()),
          digits(of.block_bits() == 512 ? 6 : 5) {}

    template <class Visit>
    void each(digest128 key, Visit visit) {
        const std::uint64_t block = hash::fastrange(key.low, blocks);
        std::uint64_t word = key.high;
        for (std::uint32_t i = 0; i < k; ++i) {
            if (i != 0 && i % digits == 0) {
                key.high *= digest_step;
                word = key.high;
            }
            const auto product = hash::multiply_wide(word, places);
            word = product.low;
            visit(counters[{block, product.high}]);
        }
    }
    void add(digest128 key, bool up) {
        each(key, [&](std::uint64_t& counter) { counter += up ? 1 : ~std::uint64_t{0}; });
    }
    std::uint64_t count(digest128 key) {
        std::uint64_t least = ~std::uint64_t{0};
        each(key, [&](std::uint64_t& counter) { least = std::min(least, counter); });
        return least;
    }
};

TEST(Accurate, CountsAsPlainCountersDo) {
    for (const std::uint32_t block_bits : {512U, 2048U}) {
        for (const double p : {0.03, 0.01, 0.001, 1e-6}) {
            if (block_bits == 512 && p < 1e-5) {
                continue;
            }
            accurate_filter made(items{400}, rate{p}, {block_bits, 0});
            oracle plain(made);
            random_source random(block_bits);
            std::vector<digest128> in;
            for (int turn = 0; turn < 1500; ++turn) {
                const bool up = in.size() < 400 && (in.empty() || random.below(3) != 0);
                if (up) {
                    in.push_back({random.next(), random.next()});
                } else {
                    std::swap(in.back(), in[random.below(in.size())]);
                }
                const digest128 key = in.back();
                ASSERT_EQ(up ? made.try_insert(key).state : made.erase(key), status::ok);
                plain.add(key, up);
                if (!up) {
                    in.pop_back();
                }
                const digest128 other{random.next(), random.next()};
                ASSERT_EQ(made.count(key), plain.count(key));
                ASSERT_EQ(made.count(other), plain.count(other));
                ASSERT_EQ(made.may_contain(other), plain.count(other) != 0);
            }
            for (const digest128 key : in) {
                ASSERT_EQ(made.count(key), plain.count(key));
                ASSERT_TRUE(made.may_contain(key));
            }
            ASSERT_TRUE(made.saved().record.empty());
            ASSERT_EQ(testing::copy_of(made), made);
            for (const digest128 key : in) {
                ASSERT_EQ(made.erase(key), status::ok);
            }
            EXPECT_EQ(made.stats().bits_set, 0U);
            EXPECT_EQ(testing::payload_of(made), std::vector<std::uint64_t>(made.byte_count() / 8));
        }
    }
}

TEST(Accurate, DeniesNoMemberWhenBlocksFreeze) {
    for (const std::uint32_t block_bits : {512U, 2048U}) {
        accurate_filter made(items{300}, rate{0.01}, {block_bits, 0});
        random_source random(4);
        std::vector<digest128> in;
        std::uint64_t before = 0;
        for (int turn = 0; turn < 4000; ++turn) { // up to three times as many as it is made for
            if (in.size() < 900 && (in.empty() || random.below(5) < 3)) {
                in.push_back({random.next(), random.next()});
                made.insert(in.back());
            } else {
                std::swap(in.back(), in[random.below(in.size())]);
                ASSERT_NE(made.erase(in.back()), status::not_present);
                in.pop_back();
            }
            const std::uint64_t frozen = made.frozen_blocks();
            ASSERT_GE(frozen, before) << "what is frozen stays";
            before = frozen;
            if (turn % 100 == 0) {
                for (const digest128 key : in) {
                    ASSERT_TRUE(made.may_contain(key));
                    ASSERT_GE(made.count(key), 1U);
                }
                ASSERT_EQ(testing::copy_of(made), made);
            }
        }
        EXPECT_GT(before, 0U);
        made.clear();
        EXPECT_EQ(made, accurate_filter(items{300}, rate{0.01}, {block_bits, 0}));
    }
}

TEST(Accurate, AFrozenBlockSaysSo) {
    accurate_filter made(items{1}, rate{0.01}); // one block
    ASSERT_EQ(made.block_count(), 1U);
    std::uint64_t key = 0;
    while (made.try_insert(key).state == status::ok) {
        ++key;
    }
    EXPECT_EQ(made.frozen_blocks(), 1U);
    const accurate_filter before = made;
    EXPECT_EQ(made.erase(0), status::saturated);
    EXPECT_EQ(made, before);
    EXPECT_TRUE(made.may_contain(key));
    EXPECT_EQ(made.try_insert(key), (insertion{false, status::saturated}));
    for (std::uint64_t i = 0; i < 100'000; ++i) {
        made.insert(i);
    }
    EXPECT_EQ(made.stats().expected_rate, 1.0);
    EXPECT_TRUE(made.stats().items.saturated);
}

TEST(Accurate, MergeEqualsAFilterOfBoth) {
    random_source random(6);
    accurate_filter a(items{1000}, rate{0.01});
    accurate_filter b = a;
    accurate_filter both = a;
    for (int i = 0; i < 1000; ++i) {
        const digest128 key{random.next(), random.next()};
        (i % 2 == 0 ? a : b).insert(key);
        both.insert(key);
    }
    a.merge(b);
    EXPECT_EQ(a, both);
    EXPECT_THROW(a.merge(accurate_filter(items{2000}, rate{0.01})), incompatible);
    EXPECT_THROW(a.merge(accurate_filter(items{1000}, rate{0.01}, {}, native_hash::seeded(3))),
                 incompatible);
    EXPECT_EQ(a, both);
}

TEST(Accurate, MergeKeepsEveryMemberWhenBlocksFreeze) {
    random_source random(7);
    accurate_filter a(items{500}, rate{0.01});
    accurate_filter b = a;
    std::vector<digest128> in;
    for (int i = 0; i < 1100; ++i) {
        in.push_back({random.next(), random.next()});
        (i % 2 == 0 ? a : b).insert(in.back());
    }
    const std::uint64_t frozen = std::max(a.frozen_blocks(), b.frozen_blocks());
    a.merge(b);
    EXPECT_GT(a.frozen_blocks(), frozen);
    for (const digest128 key : in) {
        ASSERT_TRUE(a.may_contain(key));
    }
    EXPECT_EQ(testing::copy_of(a), a);
    b.merge(b);
    EXPECT_EQ(testing::copy_of(b), b);
}

TEST(Accurate, EstimatesItsKeysAndItsRate) {
    for (const std::uint64_t n : {1000U, 20'000U}) {
        accurate_filter made(items{n}, rate{0.01});
        for (std::uint64_t i = 0; i < n; ++i) {
            made.insert(i);
        }
        const statistics now = made.stats();
        EXPECT_NEAR(now.items.items, static_cast<double>(n), 5 * now.items.standard_error);
        EXPECT_LT(now.items.standard_error, 0.05 * static_cast<double>(n));
        EXPECT_NEAR(now.expected_rate, made.rate_at(items{n}), 0.002);
        EXPECT_LE(made.rate_at(items{n}), 0.01);
        EXPECT_EQ(made.facts().at(3).value, "0");
    }
}

TEST(Accurate, RefusesWhatNoFilterIsMadeOf) {
    EXPECT_THROW(accurate_filter(items{0}, rate{0.01}), bad_argument);
    EXPECT_THROW(accurate_filter(items{1}, rate{0}), bad_argument);
    EXPECT_THROW(accurate_filter(items{1}, rate{0.01}, {1024, 0}), bad_argument);
    EXPECT_THROW(accurate_filter(items{1}, rate{0.01}, {512, 1}), bad_argument);
    EXPECT_THROW(accurate_filter(items{1}, rate{0.01}, {512, -1}), bad_argument);
    EXPECT_THROW(accurate_filter(items{~std::uint64_t{0}}, rate{0.01}), bad_argument);
}

TEST(AccurateSaved, RefusesOtherLengthsAndParameters) {
    accurate_filter made(items{100}, rate{0.01});
    made.insert("key");
    const auto words = testing::payload_of(made);
    testing::expect_lengths_refused(made);
    const auto changed = [&](auto change) { return testing::restored_with(made, words, change); };
    const auto with = [&](std::size_t index, std::uint64_t value) {
        return changed([=](spec& s) { s.parameters[index] = value; });
    };
    EXPECT_EQ(testing::restored_from(made, words), made);
    EXPECT_THROW((void)with(0, 1024), unsupported);
    EXPECT_THROW((void)with(2, 1), unsupported);
    EXPECT_THROW((void)with(0, 2048), bad_data);
    for (const std::uint64_t bad : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{493},
                                    std::uint64_t{496}, ~std::uint64_t{0} - 3}) {
        EXPECT_THROW((void)with(1, bad), bad_data) << bad;
    }
    for (const std::uint32_t k : {0U, 25U, 300U}) {
        EXPECT_THROW(changed([=](spec& s) { s.shape.hash_count = k; }), bad_data) << k;
    }
    for (const std::uint64_t bits :
         {std::uint64_t{0}, std::uint64_t{1} << 63U, made.spec().shape.bit_count + 1}) {
        EXPECT_THROW(changed([=](spec& s) { s.shape.bit_count = bits; }), bad_data) << bits;
    }
    EXPECT_THROW(changed([](spec& s) { s.kind = filter_kind::dleft; }), bad_data);
    EXPECT_THROW(changed([](spec& s) { // places that would wrap around when k is added
                     s.parameters[1] = ~std::uint64_t{0};
                     s.shape = {layout_kind::classic, ~std::uint64_t{0}, 1};
                 }),
                 bad_data);
}

TEST(AccurateSaved, RefusesOrSurvivesEveryChange) {
    accurate_filter made(items{40}, rate{0.01});
    random_source random(2);
    for (int i = 0; i < 60; ++i) {
        made.insert(digest128{random.next(), random.next()});
    }
    const auto words = testing::payload_of(made);
    int accepted = 0;
    for (int turn = 0; turn < 4000; ++turn) {
        auto changed = words;
        std::uint64_t& word = changed[random.below(changed.size())];
        word = random.below(2) == 0 ? word ^ std::uint64_t{1} << random.below(64) : random.next();
        if (random.below(4) == 0) { // a frozen block takes any level 1
            changed[7] = std::uint64_t{1} << 63U;
            changed[5] = changed[6] = 0;
            changed[4] &= made.first_level_bits() < 320 ? 0xffffffffU : ~std::uint64_t{0};
        }
        try {
            accurate_filter read = testing::restored_from(made, changed);
            ++accepted;
            ASSERT_EQ(testing::payload_of(read), changed);
            for (int i = 0; i < 150; ++i) {
                const digest128 key{random.next(), random.next()};
                read.insert(key);
                ASSERT_TRUE(read.may_contain(key));
                ASSERT_NE(read.erase(key), status::not_present);
                read.insert(key);
            }
            (void)read.facts();
            read.merge(made);
            ASSERT_EQ(testing::copy_of(read), read);
        } catch (const bad_data&) {
        }
    }
    EXPECT_GT(accepted, 100);
}

TEST(Accurate, MapsDigestsAsItsFilesDo) {
    const auto print = [](std::uint32_t block_bits) {
        return testing::print_of_three_digests(
            accurate_filter(items{100}, rate{1e-3}, {block_bits, 0}));
    };
    EXPECT_EQ(print(512), 12041969172887028906U);
    EXPECT_EQ(print(2048), 11850793338280923404U);
}

} // namespace
} // namespace bloomery
