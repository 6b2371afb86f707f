// Answers in every form, from and to the device.
#include <bloomery/filter/filter.hpp>
#include <bloomery/gpu/filter.hpp>

#include "devices.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace {

using namespace bloomery;
using on_devices::some_keys;

class Answers : public on_devices::each {
protected:
    static constexpr std::size_t count = 100'003;
    Answers()
        : keys(some_keys(2 * count)), there(device(), std::span<const std::uint64_t>(keys)),
          expected(items{count}, rate{0.01}), filter(items{count}, rate{0.01}, device()) {
        expected.insert_many(std::span(keys).first(count));
        filter.insert_many(there.span().first(count));
        maybe = expected.may_contain_many(keys);
    }

    std::vector<std::uint64_t> keys;
    gpu::device_array<std::uint64_t> there;
    bloomery::filter expected;
    gpu::filter filter;
    bitmap maybe;
};
ON_EACH_DEVICE(Answers);

TEST_P(Answers, AsBitsOnTheDevice) {
    const gpu::device_array<std::uint64_t> bits(device(), maybe.words().size());
    filter.may_contain_many(there, bits.span());
    std::vector<std::uint64_t> found(bits.count());
    bits.download(found);
    EXPECT_TRUE(std::ranges::equal(found, maybe.words()));

    filter.may_contain_many_async(there, bits.span(), {});
    device().wait();
    bits.download(found);
    EXPECT_TRUE(std::ranges::equal(found, maybe.words()));
}

TEST_P(Answers, AsBytes) {
    const gpu::device_array<bool> bytes(device(), keys.size());
    filter.may_contain_many(there, bytes.span());
    const auto found = std::make_unique<bool[]>(keys.size());
    bytes.download({found.get(), keys.size()});
    for (std::size_t i = 0; i < keys.size(); ++i) {
        ASSERT_EQ(found[i], maybe[i]) << i;
    }
}

TEST_P(Answers, AsPositions) {
    const gpu::device_array<std::uint64_t> positions(device(), keys.size());
    for (const auto which : {gpu::presence::possible, gpu::presence::absent}) {
        std::vector<std::uint64_t> wanted;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (maybe[i] == (which == gpu::presence::possible)) {
                wanted.push_back(i);
            }
        }
        const std::size_t found = filter.select(there, which, positions.span());
        ASSERT_EQ(found, wanted.size());
        std::vector<std::uint64_t> here(found);
        positions.download(here);
        EXPECT_EQ(here, wanted);
    }
}

TEST_P(Answers, AsCopiesOfKeys) {
    std::vector<std::int32_t> some;
    for (const std::uint64_t key : keys) {
        some.push_back(static_cast<std::int32_t>(key));
    }
    gpu::filter of_short(items{count}, rate{0.01}, device());
    const gpu::device_array<std::int32_t> on_device(device(), std::span<const std::int32_t>(some));
    of_short.insert_many(on_device.span().first(count));
    const gpu::device_array<std::int32_t> copies(device(), some.size());
    const std::size_t absent = of_short.copy(gpu::device_span<const std::int32_t>(on_device.span()),
                                             gpu::presence::absent, copies.span());
    std::vector<std::int32_t> found(absent);
    copies.download(found);
    std::vector<std::int32_t> wanted;
    (void)of_short.to_host().copy_absent(some, std::back_inserter(wanted));
    EXPECT_EQ(found, wanted);
    EXPECT_GT(absent, count * 9 / 10);
}

TEST_P(Answers, OfInsertsSayWhatIsNew) {
    gpu::filter fresh(items{2 * count}, rate{0.001}, device());
    bloomery::filter twin(items{2 * count}, rate{0.001});
    // On a GPU, keys of one batch are inserted in any order, so which of two keys that share all
    // new bits is new may differ: hardly any.
    const bitmap first = fresh.try_insert_many(there.span().first(count));
    const bitmap expected_first = twin.try_insert_many(std::span(keys).first(count));
    EXPECT_EQ(fresh.to_host(), twin);
    EXPECT_NEAR(static_cast<double>(first.count()), static_cast<double>(expected_first.count()),
                20);
    EXPECT_EQ(fresh.try_insert_many(there.span().first(count)).count(), 0U);
    const bitmap both = fresh.try_insert_many(there);
    for (std::size_t i = 0; i < count; ++i) {
        ASSERT_FALSE(both[i]) << i;
    }
    EXPECT_GT(both.count(), count * 99 / 100);
}

TEST_P(Answers, OfEqualNewKeysAtLeastOneIsNew) {
    for (const layout_kind layout :
         {layout_kind::split_8x32, layout_kind::split_8x64, layout_kind::split_16x32}) {
        const plan::shape shape{layout, plan::facts_of(layout).block_bits * std::uint64_t{100'000},
                                plan::facts_of(layout).fixed_hashes};
        gpu::filter one(shape, device());
        const std::vector<std::uint64_t> same(10'001, 42);
        const std::size_t is_new = one.try_insert_many(same).count();
        EXPECT_GE(is_new, 1U);
        EXPECT_LE(is_new, shape.hash_count); // each is the first to set some bit
        EXPECT_EQ(one.try_insert_many(same).count(), 0U);
    }
}

TEST_P(Answers, OfKeysOfTheProgramInSeveralPieces) {
    // Two pieces and a bit: pieces are of 32 MiB.
    const std::vector<std::uint64_t> many = some_keys((std::size_t{9} << 20U) + 77, 2);
    gpu::filter large(items{many.size()}, rate{0.01}, device());
    bloomery::filter twin(items{many.size()}, rate{0.01});
    large.insert_many(many);
    twin.insert_many(many);
    EXPECT_EQ(large.to_host(), twin);
    EXPECT_EQ(large.may_contain_many(many).count(), many.size());
    const std::vector<std::uint64_t> others = some_keys(many.size(), 3);
    EXPECT_EQ(large.may_contain_many(others), twin.may_contain_many(others));
}

} // namespace
