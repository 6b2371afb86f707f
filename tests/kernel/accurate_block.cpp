// Unary counters in a block, against plain ones.
#include <bloomery/detail/kernel/accurate_block.hpp>
#include <bloomery/kernel/kernel.hpp>

#include "kernel/table.hpp"
#include "random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace bloomery::detail {
namespace {

using testing::random_source;

/// A block and the counters that should be in it.
struct counted {
    accurate_cut cut;
    const accurate_verbs& verbs;
    std::vector<std::uint64_t> block;
    std::vector<std::uint32_t> counters;
    bool frozen = false;

    explicit counted(accurate_cut as, const accurate_verbs& by)
        : cut(as), verbs(by), block(as.block_words), counters(as.places) {}

    [[nodiscard]] bool has(const std::vector<std::uint32_t>& at) const {
        return std::ranges::all_of(at, [&](std::uint32_t place) { return counters[place] != 0; });
    }
    [[nodiscard]] std::uint32_t sum() const {
        return std::accumulate(counters.begin(), counters.end(), 0U);
    }
    void insert(const std::vector<std::uint32_t>& at) {
        const bool fresh = !has(at);
        if (!frozen && sum() + at.size() > cut.most()) {
            frozen = true;
            std::ranges::replace_if(counters, [](std::uint32_t count) { return count > 1; }, 1U);
        }
        const insertion done = verbs.insert(block.data(), cut, at.data());
        ASSERT_EQ(done, (insertion{fresh, frozen ? status::saturated : status::ok}));
        for (const std::uint32_t place : at) {
            counters[place] = frozen ? 1 : counters[place] + 1;
        }
    }
    void erase(const std::vector<std::uint32_t>& at) {
        const bool in = has(at);
        const auto before = block;
        const status done = verbs.erase(block.data(), cut, at.data());
        ASSERT_EQ(done, !in ? status::not_present : frozen ? status::saturated : status::ok);
        if (done != status::ok) {
            ASSERT_EQ(block, before);
            return;
        }
        for (const std::uint32_t place : at) { // a place twice that is in once stays at 0
            counters[place] -= counters[place] != 0 ? 1U : 0U;
        }
    }
    void expect_equal() const {
        ASSERT_EQ(is_frozen(block.data(), cut), frozen);
        ASSERT_TRUE(is_sound(block.data(), cut));
        ASSERT_EQ(counter_sum(block.data(), cut), frozen ? 0 : sum());
        for (std::uint32_t place = 0; place < cut.places; ++place) {
            ASSERT_EQ(counter_at(block.data(), cut, place), counters[place]) << place;
            ASSERT_EQ(bit_at(block.data(), place), counters[place] != 0 ? 1U : 0U) << place;
        }
        for (std::uint32_t at = cut.places + (frozen ? 0 : sum()); at < cut.usable_bits(); ++at) {
            ASSERT_EQ(bit_at(block.data(), at), 0U) << "past the last level";
        }
        std::vector<std::uint32_t> read(cut.places);
        read_counters(block.data(), cut, read);
        ASSERT_EQ(read, counters);
        if (!frozen) {
            std::vector<std::uint64_t> written(cut.block_words, ~std::uint64_t{0});
            write_counters(written.data(), cut, read);
            ASSERT_EQ(written, block) << "the counters alone decide the bits";
        }
    }
};

std::vector<std::uint32_t> places(const accurate_cut& cut, random_source& random) {
    std::vector<std::uint32_t> at(cut.hash_count);
    // Few places in turn, so that chains grow long and keys have a place twice.
    const std::uint64_t among = random.below(8) == 0 ? std::min(cut.places, 5U) : cut.places;
    for (std::uint32_t& place : at) {
        place = static_cast<std::uint32_t>(random.below(among));
    }
    return at;
}

std::vector<accurate_cut> cuts() {
    return {{8, 288, 4},   {8, 352, 3},    {8, 320, 5}, {8, 1, 1},  {8, 64, 2},
            {8, 256, 24},  {8, 492, 4},    {8, 63, 7},  {8, 65, 3}, {32, 1344, 4},
            {32, 1408, 7}, {32, 1024, 24}, {32, 100, 2}};
}

/// Functions, and the kernel that is for the processors that have their instructions.
struct path {
    const char* name;
    kernel::id needs;
    const kernel::accurate_functions* functions;
};
std::vector<path> paths() {
    using enum kernel::id;
    return {
        {"scalar", scalar, &kernel::scalar_accurate},
#if defined(__x86_64__)
        {"avx2", avx2, &kernel::avx2_accurate},
        {"avx2_without_pdep", avx2, &kernel::avx2_accurate_without_pdep},
        {"avx512_vbmi", avx512_vbmi, &kernel::avx512_vbmi_accurate},
#endif
    };
}

class AccurateBlockOn : public ::testing::TestWithParam<path> {
protected:
    void SetUp() override {
        if (!kernel::is_usable(GetParam().needs)) {
            GTEST_SKIP() << "not on this processor";
        }
    }
    static counted empty(const accurate_cut& cut) {
        return counted(cut, GetParam().functions->verbs_for(cut));
    }
};
INSTANTIATE_TEST_SUITE_P(Paths, AccurateBlockOn, ::testing::ValuesIn(paths()),
                         [](const auto& each) { return std::string(each.param.name); });

TEST_P(AccurateBlockOn, CountsAsPlainCountersDo) {
    for (const accurate_cut& cut : cuts()) {
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            random_source random(seed);
            counted both = empty(cut);
            std::vector<std::vector<std::uint32_t>> in;
            for (int turn = 0; turn < 300; ++turn) {
                const std::uint64_t choice = random.below(10);
                if (choice < 6 || in.empty()) {
                    in.push_back(places(cut, random));
                    ASSERT_NO_FATAL_FAILURE(both.insert(in.back()));
                } else if (choice < 9) {
                    std::swap(in[random.below(in.size())], in.back());
                    ASSERT_NO_FATAL_FAILURE(both.erase(in.back()));
                    in.pop_back();
                } else if (seed % 2 == 1) { // a key that is not in, and may take from others
                    ASSERT_NO_FATAL_FAILURE(both.erase(places(cut, random)));
                }
                ASSERT_NO_FATAL_FAILURE(both.expect_equal()) << cut.places << ' ' << turn;
            }
        }
    }
}

TEST_P(AccurateBlockOn, EraseUndoesInsertBitForBit) {
    for (const accurate_cut& cut : cuts()) {
        random_source random(cut.places);
        counted both = empty(cut);
        while (both.sum() + cut.hash_count <= cut.most()) {
            const auto before = both.block;
            const auto at = places(cut, random);
            ASSERT_EQ(both.verbs.insert(both.block.data(), cut, at.data()).state, status::ok);
            auto after = both.block;
            ASSERT_EQ(both.verbs.erase(after.data(), cut, at.data()), status::ok);
            ASSERT_EQ(after, before);
            for (const std::uint32_t place : at) {
                ++both.counters[place];
            }
        }
        ASSERT_NO_FATAL_FAILURE(both.expect_equal());
        ASSERT_NO_FATAL_FAILURE(both.insert(places(cut, random)));
        EXPECT_TRUE(both.frozen) << "no room was left";
        ASSERT_NO_FATAL_FAILURE(both.expect_equal());
    }
}

TEST(AccurateBlock, IsSoundIfAndOnlyIfCountersMakeIt) {
    random_source random(9);
    for (const accurate_cut& cut : cuts()) {
        counted both(cut, verbs_for(cut));
        for (int i = 0; i < 20 && both.sum() + cut.hash_count <= cut.most(); ++i) {
            both.insert(places(cut, random));
        }
        for (int turn = 0; turn < 3000; ++turn) {
            auto changed = both.block;
            for (std::uint64_t flips = 1 + random.below(3); flips > 0; --flips) {
                const std::uint64_t bit = random.below(64 * cut.block_words);
                changed[bit / 64] ^= std::uint64_t{1} << bit % 64;
            }
            if (random.below(3) == 0) { // a sum that fits the number of ones
                std::uint64_t ones = 0;
                for (std::uint32_t at = 0; at < cut.usable_bits(); ++at) {
                    ones += bit_at(changed.data(), at);
                }
                changed.back() = (changed.back() & ~(std::uint64_t{0x7fff} << 48U)) | ones << 48U;
            }
            std::vector<std::uint32_t> counters(cut.places);
            std::vector<std::uint64_t> written(cut.block_words);
            const bool sound = is_sound(changed.data(), cut);
            if (sound || is_frozen(changed.data(), cut)) {
                read_counters(changed.data(), cut, counters);
                write_counters(written.data(), cut, counters);
                if (is_frozen(changed.data(), cut)) {
                    freeze(written.data(), cut);
                    written.back() &= ~(std::uint64_t{0x7fff} << 48U);
                }
                ASSERT_EQ(sound, written == changed);
            }
        }
        std::vector<std::uint64_t> loose(cut.block_words);
        loose[cut.places / 64] |= std::uint64_t{1} << cut.places % 64; // owned by nobody
        loose.back() |= std::uint64_t{1} << 48U;
        EXPECT_FALSE(is_sound(loose.data(), cut));
    }
}

TEST(AccurateBlock, FreezesCountersThatDoNotFit) {
    const accurate_cut cut{8, 288, 4};
    std::vector<std::uint32_t> counters(cut.places);
    counters[7] = cut.most();
    std::vector<std::uint64_t> block(8);
    write_counters(block.data(), cut, counters);
    EXPECT_FALSE(is_frozen(block.data(), cut));
    EXPECT_TRUE(is_sound(block.data(), cut));
    EXPECT_EQ(counter_at(block.data(), cut, 7), cut.most());
    ++counters[7];
    write_counters(block.data(), cut, counters);
    EXPECT_TRUE(is_frozen(block.data(), cut));
    EXPECT_TRUE(is_sound(block.data(), cut));
    EXPECT_EQ(first_level_ones(block.data(), cut), 1U);
}

} // namespace
} // namespace bloomery::detail
