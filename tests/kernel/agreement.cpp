// Every kernel sets the bits that single keys set and reads what every other kernel wrote.
#include <bloomery/detail/kernel/bulk.hpp>
#include <bloomery/detail/layout/native.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/kernel/kernel.hpp>
#include <bloomery/plan/sizing.hpp>

#include "random.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

namespace bloomery::kernel {

void PrintTo(id which, std::ostream* out) { *out << name_of(which); }

namespace {

std::vector<id> usable() {
    std::vector<id> found;
    for (const id each : all) {
        if (is_usable(each)) {
            found.push_back(each);
        }
    }
    return found;
}

/// Leaves the kernel as it was.
class restored {
public:
    restored() : before_(active()) {}
    ~restored() { use(before_); }
    restored(const restored&) = delete;
    restored& operator=(const restored&) = delete;

private:
    id before_;
};

/// A shape of about so many bits, whole blocks of the layout.
plan::shape shape_of(layout_kind layout, std::uint64_t blocks, std::uint32_t k) {
    const plan::layout_facts& facts = plan::facts_of(layout);
    const std::uint64_t bits =
        layout == layout_kind::classic ? blocks * 509 + 3 : blocks * facts.block_bits;
    return {layout, bits, facts.fixed_hashes != 0 ? facts.fixed_hashes : k};
}

constexpr std::uint64_t seed = 0x1234567;

struct batch {
    std::vector<std::uint64_t> integers;
    std::vector<digest128> hashed;

    explicit batch(std::size_t count, std::uint64_t from) {
        testing::random_source random(from);
        for (std::size_t i = 0; i < count; ++i) {
            integers.push_back(i % 7 == 3 && i > 0 ? integers[i / 2] : random.next()); // some twice
            hashed.push_back(widen(digest64{hash::mix64_with(integers.back(), seed)}));
        }
    }
};

/// What one key at a time gives: the bits, and which keys were new.
struct reference {
    std::vector<std::uint64_t> words;
    std::vector<std::uint64_t> fresh;

    reference(const layout::native& layout, const batch& keys)
        : words(layout.word_count()), fresh((keys.hashed.size() + 63) / 64) {
        for (std::size_t i = 0; i < keys.hashed.size(); ++i) {
            const bool changed = layout.insert(words.data(), keys.hashed[i]);
            fresh[i / 64] |= std::uint64_t{changed} << (i % 64);
        }
    }
};

/// The number of blocks, and of hashes where the layout leaves them free.
struct size {
    std::uint64_t blocks;
    std::uint32_t k;
};
using setting = std::tuple<layout_kind, size>;

class Kernels : public ::testing::TestWithParam<setting> {
protected:
    Kernels()
        : layout(shape_of(std::get<0>(GetParam()), std::get<1>(GetParam()).blocks,
                          std::get<1>(GetParam()).k)) {}
    layout::native layout;
};

// One block, few, a number that is not a power of two, and an array past the size from which the
// memory is asked ahead; fewer and more hashes than one multiplication gives.
INSTANTIATE_TEST_SUITE_P(
    Grid, Kernels,
    ::testing::Combine(
        ::testing::Values(layout_kind::classic, layout_kind::blocked_512, layout_kind::split_8x32,
                          layout_kind::split_8x64, layout_kind::split_16x32),
        ::testing::Values(size{1, 1}, size{3, 6}, size{1009, 7}, size{1009, 13}, size{140'009, 7})),
    [](const auto& of) {
        std::string name(plan::name_of(std::get<0>(of.param)));
        std::erase(name, '-');
        const size& sized = std::get<1>(of.param);
        return name + "_" + std::to_string(sized.blocks) + "_" + std::to_string(sized.k);
    });

/// Numbers of keys around the groups of the kernels; a large array costs time, and differs only in
/// what is asked ahead.
std::vector<std::size_t> counts_for(const layout::native& layout) {
    if (layout.word_count() > 100'000) {
        return {33, 1000};
    }
    return {0, 1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000};
}

TEST(Mix, GivesTheDigestsOfSingleKeys) {
    const restored after;
    for (const id each : usable()) {
        use(each);
        for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 16U, 127U, 128U}) {
            const batch keys(count, count);
            std::vector<digest128> made(count + 1, digest128{1, 2});
            mix({keys.integers, seed}, made.data());
            EXPECT_EQ(made.back(), (digest128{1, 2})) << name_of(each) << " wrote past the end";
            made.pop_back();
            EXPECT_EQ(made, keys.hashed) << name_of(each) << " of " << count;
        }
    }
}

TEST_P(Kernels, SetTheBitsOfSingleKeys) {
    const restored after;
    for (const std::size_t count : counts_for(layout)) {
        const batch keys(count, count);
        const reference expected(layout, keys);
        for (const id each : usable()) {
            use(each);
            for (const access who : {access::alone, access::shared}) {
                std::vector<std::uint64_t> words(layout.word_count());
                insert(layout.target(words.data()), keys.hashed, who);
                ASSERT_EQ(words, expected.words) << name_of(each) << " digests " << count;
                words.assign(words.size(), 0);
                insert(layout.target(words.data()), integers{keys.integers, seed}, who);
                ASSERT_EQ(words, expected.words) << name_of(each) << " integers " << count;
            }
        }
    }
}

TEST_P(Kernels, TellWhichKeysWereNewAndKeepToTheirAnswers) {
    const restored after;
    for (const std::size_t count : counts_for(layout)) {
        const batch keys(count, count);
        const reference expected(layout, keys);
        for (const id each : usable()) {
            use(each);
            for (const access who : {access::alone, access::shared}) {
                constexpr std::uint64_t untouched = 0xa5a5a5a5a5a5a5a5;
                for (const bool hashed : {true, false}) {
                    std::vector<std::uint64_t> words(layout.word_count());
                    std::vector<std::uint64_t> fresh((count + 63) / 64 + 1, untouched);
                    const target on = layout.target(words.data());
                    if (hashed) {
                        try_insert(on, keys.hashed, fresh.data(), who);
                    } else {
                        try_insert(on, integers{keys.integers, seed}, fresh.data(), who);
                    }
                    EXPECT_EQ(fresh.back(), untouched) << "wrote past its answers";
                    fresh.pop_back();
                    ASSERT_EQ(fresh, expected.fresh) << name_of(each) << ' ' << count;
                    ASSERT_EQ(words, expected.words) << name_of(each) << ' ' << count;
                }
            }
        }
    }
}

TEST_P(Kernels, ReadWhatEveryOtherWrote) {
    const restored after;
    constexpr std::size_t count = 2000;
    const batch keys(count, 1);
    const batch others(count, 2);
    const reference expected(layout, keys);
    for (const id writer : usable()) {
        use(writer);
        std::vector<std::uint64_t> words(layout.word_count());
        insert(layout.target(words.data()), integers{keys.integers, seed});
        const target on = layout.target(words.data());
        for (const id reader : usable()) {
            use(reader);
            for (const access who : {access::alone, access::shared}) {
                std::vector<std::uint64_t> maybe((count + 63) / 64);
                contains(on, integers{keys.integers, seed}, maybe.data(), who);
                for (std::size_t i = 0; i < count; ++i) {
                    ASSERT_TRUE((maybe[i / 64] >> (i % 64) & 1) != 0)
                        << name_of(reader) << " misses what " << name_of(writer) << " wrote";
                }
                contains(on, others.hashed, maybe.data(), who);
                for (std::size_t i = 0; i < count; ++i) {
                    ASSERT_EQ((maybe[i / 64] >> (i % 64) & 1) != 0,
                              layout.may_contain(words.data(), others.hashed[i]))
                        << name_of(reader) << " key " << i;
                }
            }
        }
    }
}

} // namespace
} // namespace bloomery::kernel
