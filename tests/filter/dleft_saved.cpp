// What a d-left filter is read from, and what is refused.
#include <bloomery/filter/dleft.hpp>

#include "random.hpp"
#include "saved_state.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace bloomery {
namespace {

using testing::payload_of;
using testing::random_source;
using testing::restored_from;

/// Two buckets a table, so full that the stash is in use.
dleft_filter crowded() {
    dleft_filter made(items{30}, rate{0.01});
    random_source random(1);
    for (int i = 0; i < 80; ++i) {
        made.insert(digest128{random.next(), random.next()});
    }
    EXPECT_GT(made.stash_size(), 3U);
    return made;
}

TEST(DLeftSaved, ComesBackEqual) {
    const dleft_filter made = crowded();
    EXPECT_EQ(testing::copy_of(made), made);
    EXPECT_EQ(payload_of(made).size(), made.saved().word_count());
    const dleft_filter empty(items{1}, rate{1e-9}, {8, 0});
    EXPECT_EQ(testing::copy_of(empty), empty);
}

TEST(DLeftSaved, RefusesOtherLengths) { testing::expect_lengths_refused(crowded()); }

TEST(DLeftSaved, RefusesOrSurvivesEveryChange) {
    const dleft_filter made = crowded();
    const auto words = payload_of(made);
    random_source random(2);
    int accepted = 0;
    for (int turn = 0; turn < 4000; ++turn) {
        auto changed = words;
        std::uint64_t& word = changed[random.below(changed.size())];
        word = random.below(2) == 0 ? word ^ std::uint64_t{1} << random.below(64) : random.next();
        try {
            dleft_filter read = restored_from(made, changed);
            ++accepted;
            ASSERT_EQ(payload_of(read), changed);
            for (int i = 0; i < 30; ++i) {
                const digest128 key{random.next(), random.next()};
                ASSERT_LE(read.match_count(key), 1U);
                if (read.try_insert(key).state != status::full) {
                    ASSERT_TRUE(read.may_contain(key));
                    ASSERT_NE(read.erase(key), status::not_present);
                }
            }
            (void)read.facts();
            dleft_filter sum(items{30}, rate{0.01});
            sum.merge(read);
        } catch (const bad_data&) {
        } catch (const filter_full&) {
        }
    }
    EXPECT_GT(accepted, 100);
}

TEST(DLeftSaved, RefusesKeysThatAreInTwice) {
    dleft_filter made(items{24}, rate{0.01}); // one bucket a table, of 14 bytes
    const digest128 key{0, 0x1230000000000000};
    made.insert(key);
    const detail::dleft_bucket bucket(12, 2);
    for (const std::uint64_t at : {std::uint64_t{0}, std::uint64_t{14}, std::uint64_t{42}}) {
        auto words = payload_of(made);
        bucket.write(words.data() + 1, at, 5, bucket.cell(0x123, 1));
        EXPECT_THROW((void)restored_from(made, words), bad_data) << at;
        bucket.write(words.data() + 1, at, 5, bucket.cell(0x124, 1));
        EXPECT_EQ(restored_from(made, words).stats().bits_set, 2U) << at;
        bucket.write(words.data() + 1, at, 5, bucket.cell(0x124, 0));
        EXPECT_THROW((void)restored_from(made, words), bad_data)
            << "an empty cell with a remainder";
    }
    auto stashed = payload_of(made);
    stashed[0] = 1;
    stashed.insert(stashed.begin() + 1, {0, 0x123, 1});
    EXPECT_THROW((void)restored_from(made, stashed), bad_data);
    stashed[2] = 0x124;
    EXPECT_EQ(restored_from(made, stashed).stash_size(), 1U);
    stashed[3] = 0;
    EXPECT_THROW((void)restored_from(made, stashed), bad_data) << "a count of 0";
    stashed[3] = 4;
    EXPECT_THROW((void)restored_from(made, stashed), bad_data) << "a count that does not fit";
    stashed[3] = 3;
    stashed[1] = 1;
    EXPECT_THROW((void)restored_from(made, stashed), bad_data) << "a bucket that does not exist";
    stashed[1] = 0;
    stashed[2] = 0x1000;
    EXPECT_THROW((void)restored_from(made, stashed), bad_data) << "a remainder that does not fit";
}

TEST(DLeftSaved, RefusesAStashOutOfOrder) {
    const dleft_filter made(items{24}, rate{0.01});
    auto words = payload_of(made);
    words[0] = 2;
    words.insert(words.begin() + 1, {0, 5, 1, 0, 4, 1});
    EXPECT_THROW((void)restored_from(made, words), bad_data);
    words[2] = 4;
    EXPECT_THROW((void)restored_from(made, words), bad_data) << "twice";
    words[2] = 3;
    EXPECT_EQ(restored_from(made, words).stash_size(), 2U);
    EXPECT_THROW((void)testing::restored_with(made, words, [](spec& s) { s.parameters[4] = 1; }),
                 bad_data)
        << "more than it has room for";
}

TEST(DLeftSaved, RefusesParametersOutOfRange) {
    const dleft_filter made(items{24}, rate{0.01});
    const auto words = payload_of(made);
    const auto changed = [&](auto change) { return testing::restored_with(made, words, change); };
    const auto with = [&](std::size_t index, std::uint64_t value) {
        return changed([=](spec& s) { s.parameters[index] = value; });
    };
    EXPECT_THROW((void)with(0, 3), unsupported);
    EXPECT_THROW((void)with(1, 16), unsupported);
    EXPECT_THROW((void)with(5, 1), unsupported);
    EXPECT_THROW((void)with(7, 1), unsupported);
    for (const std::uint64_t bad : {std::uint64_t{0}, std::uint64_t{7}, std::uint64_t{57},
                                    std::uint64_t{13}, ~std::uint64_t{0}}) {
        EXPECT_THROW((void)with(2, bad), bad_data) << bad;
    }
    for (const std::uint64_t bad :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{9}, std::uint64_t{1} << 32U}) {
        EXPECT_THROW((void)with(3, bad), bad_data) << bad;
    }
    EXPECT_THROW((void)with(4, 1025), bad_data);
    for (const std::uint64_t cells : {std::uint64_t{0}, std::uint64_t{31}, std::uint64_t{64},
                                      std::uint64_t{1} << 63U, ~std::uint64_t{0} - 31}) {
        EXPECT_THROW(changed([=](spec& s) { s.shape.bit_count = cells; }), bad_data) << cells;
    }
    EXPECT_THROW(changed([](spec& s) { s.kind = filter_kind::bloom; }), bad_data);
    EXPECT_THROW(changed([](spec& s) { s.shape.hash_count = 5; }), bad_data);
}

} // namespace
} // namespace bloomery
