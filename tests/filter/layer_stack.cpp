// The stack of layers alone, over layers that record their keys and queries.
#include <bloomery/detail/filter/layer_stack.hpp>
#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

namespace bloomery::detail {
namespace {

using digests = std::span<const digest128>;

/// Knows its keys exactly.
struct exact_layer {
    explicit exact_layer(std::uint64_t most) : capacity(most) {}

    [[nodiscard]] bool may_contain(digest128 key) const noexcept {
        ++asked;
        return std::ranges::find(keys, key) != keys.end();
    }
    bool insert(digest128 key) {
        if (std::ranges::find(keys, key) != keys.end()) {
            return false;
        }
        keys.push_back(key);
        return true;
    }
    void ask(digests run, std::uint64_t* maybe) const noexcept {
        std::fill_n(maybe, (run.size() + 63) / 64, 0);
        for (std::size_t i = 0; i < run.size(); ++i) {
            maybe[i / 64] |= std::uint64_t{may_contain(run[i])} << (i % 64);
        }
    }
    void insert(digests run, std::uint64_t* fresh) {
        std::fill_n(fresh, (run.size() + 63) / 64, 0);
        for (std::size_t i = 0; i < run.size(); ++i) {
            fresh[i / 64] |= std::uint64_t{insert(run[i])} << (i % 64);
        }
    }
    [[nodiscard]] std::uint64_t room() const noexcept { return capacity - taken; }
    void take(std::uint64_t count) noexcept { taken += count; }

    std::uint64_t capacity;
    std::uint64_t taken = 0;
    std::vector<digest128> keys;
    mutable std::uint64_t asked = 0;
};

struct mixing_layer : exact_layer {
    using exact_layer::exact_layer;
    static constexpr bool mixes_digests = true;
};

template <class Layer>
layer_stack<Layer> stack_of(std::initializer_list<std::uint64_t> capacities) {
    layer_stack<Layer> made;
    for (const std::uint64_t capacity : capacities) {
        made.push_back(Layer(capacity));
    }
    return made;
}

std::vector<digest128> numbered(std::uint64_t from, std::size_t count) {
    std::vector<digest128> keys(count);
    for (digest128& key : keys) {
        key = {from++, 7};
    }
    return keys;
}

const auto never = [] { return false; };

TEST(LayerStack, AsksOlderLayersOnlyForWhatNewerOnesDeny) {
    auto stack = stack_of<exact_layer>({100, 100, 1000});
    for (const std::uint64_t at : {0U, 1U, 2U}) {
        stack[at].keys = numbered(at * 100, 100);
    }
    run_bits maybe;
    stack.ask(numbered(0, 400), maybe.data());
    for (std::size_t i = 0; i < 400; ++i) {
        EXPECT_EQ(bit_of(maybe.data(), i), i < 300) << i;
    }
    EXPECT_EQ(stack[2].asked, 400U);
    EXPECT_EQ(stack[1].asked, 300U);
    EXPECT_EQ(stack[0].asked, 200U);
}

TEST(LayerStack, StopsAtTheFirstKeyThatFindsNoRoom) {
    auto stack = stack_of<exact_layer>({100});
    auto keys = numbered(0, 90);
    const auto again = numbered(0, 30); // known keys need no room
    keys.insert(keys.end(), again.begin(), again.end());
    const auto more = numbered(90, 20);
    keys.insert(keys.end(), more.begin(), more.end());
    run_bits fresh;
    EXPECT_EQ(stack.insert(keys, fresh.data(), never), 130U);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        EXPECT_EQ(bit_of(fresh.data(), i), i < 90 || (i >= 120 && i < 130)) << i;
    }
    EXPECT_EQ(stack.insert(keys.back(), never), (insertion{true, status::full}));
    EXPECT_EQ(stack.insert(keys.front(), never), insertion{});
    EXPECT_EQ(stack.front().keys.size(), 100U);
}

TEST(LayerStack, TakesNothingBehindAnExceptionOfItsGrowth) {
    auto stack = stack_of<exact_layer>({10});
    run_bits fresh;
    EXPECT_THROW(stack.insert(numbered(0, 20), fresh.data(),
                              []() -> bool { throw std::runtime_error("no memory"); }),
                 std::runtime_error);
    EXPECT_EQ(stack.front().keys, numbered(0, 10));
}

TEST(LayerStack, QueriesEachLayerOnceForAKeyHoweverOftenItGrows) {
    auto stack = stack_of<exact_layer>({1});
    const auto grows = [&stack] {
        stack.push_back(exact_layer(1));
        return true;
    };
    run_bits fresh;
    for (const std::uint64_t from : {0U, 100U}) { // into one layer, and into many
        EXPECT_EQ(stack.insert(numbered(from, 100), fresh.data(), grows), 100U);
    }
    ASSERT_EQ(stack.size(), 200U);
    for (const exact_layer& one : stack) {
        EXPECT_LE(one.asked, 200U);
    }
}

TEST(LayerStack, TriesToGrowOnceForAllKeysThatFindNoRoom) {
    auto stack = stack_of<exact_layer>({3});
    auto keys = numbered(0, 10);
    keys.push_back({1, 7}); // known keys need no room
    int tries = 0;
    const auto fails = [&tries] {
        ++tries;
        return false;
    };
    std::vector<std::size_t> refused;
    const auto note = [&refused](std::size_t i) {
        refused.push_back(i);
        return true;
    };
    run_bits fresh;
    EXPECT_EQ(stack.insert(keys, fresh.data(), fails, note), 11U);
    EXPECT_EQ(fresh[0], 7U);
    EXPECT_EQ(refused, (std::vector<std::size_t>{3, 4, 5, 6, 7, 8, 9}));
    EXPECT_EQ(tries, 1);
    EXPECT_EQ(stack.front().keys, numbered(0, 3));
}

TEST(LayerStack, GivesEachLayerDigestsOfItsOwn) {
    auto stack = stack_of<mixing_layer>({10, 10});
    const digest128 key{3, 4};
    EXPECT_TRUE(stack.insert(key, never));
    EXPECT_EQ(stack[1].keys, std::vector{hash::digest_for_part(key, 1)});
    run_bits fresh;
    const auto run = numbered(100, 3);
    EXPECT_EQ(stack.insert(run, fresh.data(), never), 3U);
    EXPECT_EQ(stack[1].keys.back(), hash::digest_for_part(run.back(), 1));
    stack[0].keys = {{9, 9}};
    EXPECT_TRUE(stack.may_contain({9, 9}));
    EXPECT_FALSE(stack.may_contain(hash::digest_for_part(key, 1)));
}

TEST(LayerStack, WithoutLayersDeniesAndRefuses) {
    layer_stack<exact_layer> none;
    EXPECT_FALSE(none.may_contain({1, 2}));
    run_bits bits;
    bits.fill(~std::uint64_t{0});
    none.ask(numbered(0, 70), bits.data());
    EXPECT_EQ(bits[0], 0U);
    EXPECT_EQ(bits[1], 0U);
    EXPECT_THROW((void)none.insert(digest128{1, 2}, never), bad_argument);
    EXPECT_THROW((void)none.insert(numbered(0, 3), bits.data(), never), bad_argument);
}

// Runs of any length, across the moments when it grows, against one key after another.
template <class Layer>
void expect_runs_as_single_keys(unsigned seed) {
    std::mt19937_64 random(seed);
    auto many = stack_of<Layer>({5});
    auto one = stack_of<Layer>({5});
    const auto doubled = [](auto& stack) {
        return [&stack] {
            if (stack.size() == 9) {
                return false;
            }
            stack.push_back(Layer(stack.back().capacity * 2));
            return true;
        };
    };
    for (int round = 0; round < 60; ++round) {
        std::vector<digest128> keys(1 + random() % longest_run);
        for (digest128& key : keys) {
            key = {random() % 4000, 1};
        }
        run_bits fresh;
        std::size_t done = many.insert(keys, fresh.data(), doubled(many));
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const insertion told = one.insert(keys[i], doubled(one));
            if (i >= done) {
                ASSERT_EQ(told.state, status::full);
                break;
            }
            ASSERT_EQ(told, (insertion{bit_of(fresh.data(), i), status::ok})) << i;
        }
        ASSERT_EQ(many.size(), one.size());
        for (std::size_t i = 0; i < many.size(); ++i) {
            ASSERT_EQ(many[i].keys, one[i].keys);
            ASSERT_EQ(many[i].taken, one[i].taken);
        }
    }
    EXPECT_EQ(many.size(), 9U);
}

TEST(LayerStack, TakesRunsAsItTakesSingleKeys) {
    for (unsigned seed = 0; seed < 5; ++seed) {
        expect_runs_as_single_keys<exact_layer>(seed);
        expect_runs_as_single_keys<mixing_layer>(seed);
    }
}

} // namespace
} // namespace bloomery::detail
