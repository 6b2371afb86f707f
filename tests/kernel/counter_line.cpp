// Every kernel changes lines of counters as the definition says.
#include <bloomery/detail/kernel/counter_line.hpp>
#include <bloomery/kernel/kernel.hpp>

#include "random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

namespace bloomery::kernel {
namespace {

struct lines_of_test {
    alignas(64) std::vector<std::uint64_t> words;
    counter_lines at(std::uint32_t k) { return {words.data(), words.size() / line_words, k}; }
    const_counter_lines seen(std::uint32_t k) const {
        return {words.data(), words.size() / line_words, k};
    }
};

/// Lines in which counters of 0 and 15, and those next to them, are as usual as others.
std::vector<std::uint64_t> random_lines(testing::random_source& random, std::size_t lines) {
    std::vector<std::uint64_t> words(lines * line_words);
    for (std::uint64_t& word : words) {
        for (unsigned up = 0; up < 64; up += 4) {
            const std::uint64_t kinds[] = {0, 1, 2, 13, 14, 15, 15, random.below(16)};
            word |= kinds[random.below(random.below(2) == 0 ? 8 : 2) == 0 ? 7 : random.below(7)]
                    << up;
        }
    }
    return words;
}

class CounterLine : public ::testing::TestWithParam<id> {
protected:
    void SetUp() override {
        if (!is_usable(GetParam())) {
            GTEST_SKIP() << "not on this processor";
        }
        before_ = active();
        use(GetParam());
    }
    void TearDown() override {
        if (is_usable(GetParam())) {
            use(before_);
        }
    }

private:
    id before_ = id::scalar;
};
INSTANTIATE_TEST_SUITE_P(Kernels, CounterLine, ::testing::ValuesIn(all),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(CounterLine, DoesToOneKeyWhatTheDefinitionDoes) {
    using plain = counter_line<4>;
    testing::random_source random(1);
    std::vector<std::uint64_t> a = random_lines(random, 1);
    std::uint64_t stuck = 0;
    std::uint64_t refused = 0;
    for (int round = 0; round < 40'000; ++round) {
        if (round % 50 == 0) {
            a = random_lines(random, 1);
        }
        std::vector<std::uint64_t> b = a;
        const std::uint64_t high = random.next();
        const auto k = static_cast<std::uint32_t>(random.below(8) + 1);
        ASSERT_EQ(counter_nibbles::contains(a.data(), high, k), plain::contains(b.data(), high, k));
        ASSERT_EQ(counter_nibbles::least(a.data(), high, k), plain::least(b.data(), high, k));
        if (random.below(2) == 0) {
            const insertion done = counter_nibbles::insert(a.data(), high, k);
            ASSERT_EQ(done, plain::insert(b.data(), high, k));
            stuck += done.state == status::saturated ? 1U : 0U;
        } else {
            const status done = counter_nibbles::erase(a.data(), high, k);
            ASSERT_EQ(done, plain::erase(b.data(), high, k));
            stuck += done == status::saturated ? 1U : 0U;
            refused += done == status::not_present ? 1U : 0U;
        }
        ASSERT_EQ(a, b);
    }
    EXPECT_GT(stuck, 1000U);
    EXPECT_GT(refused, 1000U);
}

TEST_P(CounterLine, DoesToManyKeysWhatItDoesToOne) {
    testing::random_source random(2);
    for (std::size_t count = 0; count < 300; count = count < 70 ? count + 1 : count + 37) {
        lines_of_test bulk{random_lines(random, 5)};
        lines_of_test single = bulk;
        std::vector<digest128> keys(count);
        for (digest128& key : keys) {
            key = {random.next(), random.next()};
        }
        const auto k = static_cast<std::uint32_t>(random.below(8) + 1);
        for (int verb = 0; verb < 4; ++verb) {
            std::vector<std::uint64_t> answers(count / 64 + 1, 0);
            std::uint64_t* const out = answers.data();
            if (verb == 0) insert(bulk.at(k), keys, out);
            if (verb == 1) contains(bulk.seen(k), keys, out);
            if (verb == 2) erase(bulk.at(k), keys, out);
            if (verb == 3) insert(bulk.at(k), keys, nullptr);
            for (std::size_t i = 0; i < count; ++i) {
                std::uint64_t* const line =
                    single.words.data() + hash::fastrange(keys[i].low, 5) * line_words;
                bool yes = false;
                if (verb == 0) yes = counter_nibbles::insert(line, keys[i].high, k).fresh;
                if (verb == 1) yes = counter_nibbles::contains(line, keys[i].high, k);
                if (verb == 2)
                    yes = counter_nibbles::erase(line, keys[i].high, k) != status::not_present;
                if (verb == 3) (void)counter_nibbles::insert(line, keys[i].high, k);
                ASSERT_EQ((out[i / 64] >> (i % 64) & 1) != 0, yes) << i;
            }
            ASSERT_EQ(bulk.words, single.words) << verb;
        }
    }
}

template <unsigned Bits>
void expect_different_counters_of_all() {
    using line = counter_line<Bits>;
    testing::random_source random(Bits);
    std::set<std::pair<unsigned, unsigned>> all;
    for (int round = 0; round < 20'000; ++round) {
        std::vector<std::uint64_t> words(line_words, 0);
        const auto k = static_cast<std::uint32_t>(round % 8 + 1);
        const std::uint64_t high = random.next();
        EXPECT_TRUE(line::insert(words.data(), high, k));
        std::uint32_t counters = 0;
        for (unsigned word = 0; word < line_words; ++word) {
            for (unsigned up = 0; up < 64; up += Bits) {
                const std::uint64_t value = words[word] >> up & line::most;
                ASSERT_LE(value, 1U);
                counters += value != 0 ? 1U : 0U;
                if (value != 0) all.emplace(word, up);
            }
        }
        ASSERT_EQ(counters, k);
        ASSERT_EQ(line::least(words.data(), high, k), 1U);
        ASSERT_EQ(line::erase(words.data(), high, k), status::ok);
        ASSERT_EQ(std::ranges::count(words, 0U), line_words);
    }
    EXPECT_EQ(all.size(), 512 / Bits) << "every counter is reached";
}

TEST(CounterLineDefinition, HasKDifferentCountersForEveryKey) {
    expect_different_counters_of_all<2>();
    expect_different_counters_of_all<4>();
    expect_different_counters_of_all<8>();
    expect_different_counters_of_all<16>();
}

} // namespace
} // namespace bloomery::kernel
