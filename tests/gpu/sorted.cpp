// Sorting by range changes neither bits nor answers: with any memory, and for keys that all want
// one range.
#include <bloomery/filter/filter.hpp>
#include <bloomery/gpu/filter.hpp>

#include "devices.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace {

using namespace bloomery;

class Sorted : public on_devices::each {
protected:
    static constexpr layout_kind layouts[]{layout_kind::split_8x32, layout_kind::split_8x64,
                                           layout_kind::split_16x32};

    void check(const std::vector<std::uint64_t>& keys, std::uint64_t blocks,
               const gpu::tuning& how) {
        const gpu::device_array<std::uint64_t> there(device(),
                                                     std::span<const std::uint64_t>(keys));
        for (const layout_kind layout : layouts) {
            SCOPED_TRACE(plan::name_of(layout));
            const plan::shape shape{layout, blocks * plan::facts_of(layout).block_bits,
                                    plan::facts_of(layout).fixed_hashes};
            bloomery::filter expected(shape, native_hash(), {});
            gpu::filter sorted(shape, device());
            sorted.tune(how);
            const std::size_t half = keys.size() / 2;
            expected.insert_many(std::span(keys).first(half));
            sorted.insert_many(there.span().first(half));
            EXPECT_EQ(sorted.to_host(), expected);
            EXPECT_EQ(sorted.may_contain_many(there), expected.may_contain_many(keys));
        }
    }
};
ON_EACH_DEVICE(Sorted);

constexpr gpu::tuning always{gpu::way::sorted, gpu::way::sorted, {}};

TEST_P(Sorted, IsTheSameForFiltersOfAnySize) {
    const std::vector<std::uint64_t> keys = on_devices::some_keys(100'003);
    for (const unsigned blocks :
         {1U, 2U, 3U, 63U, 64U, 65U, 255U, 256U, 257U, 1000U, 4096U, 65'537U}) {
        SCOPED_TRACE(blocks);
        check(keys, blocks, always);
    }
}

TEST_P(Sorted, IsTheSameWhenRangesDoNotFitInSharedMemory) {
    // 600 MiB of 64-byte blocks: 2^11 ranges of shared memory are not enough. The processor makes
    // no difference.
    check(on_devices::some_keys(50'000), device().is_gpu() ? 10'000'019 : 100'019, always);
}

TEST_P(Sorted, IsTheSameInManyRounds) {
    gpu::tuning how = always;
    how.scratch_bytes = std::uint64_t{2} << 20U; // for some ten thousand keys
    check(on_devices::some_keys(300'007), 4096, how);
}

TEST_P(Sorted, IsDoneDirectlyWithTooLittleMemory) {
    gpu::tuning how = always;
    for (const unsigned bytes : {0U, 1U, 1000U, 100'000U}) {
        how.scratch_bytes = bytes;
        check(on_devices::some_keys(100'003), 4096, how);
    }
}

TEST_P(Sorted, TakesKeysThatAllWantOneRange) {
    // One key over and over, among others: its range has room for a fraction of it.
    std::vector<std::uint64_t> keys = on_devices::some_keys(200'000);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i % 10 != 0) {
            keys[i] = 4711 + i % 3;
        }
    }
    check(keys, 4096, always);
    check(keys, 100'000, always);
}

} // namespace
