// A ref in a kernel of one's own: the same bits as on the processor. Compiled as programs would,
// without options for our headers.
#include <bloomery/filter/filter.hpp>
#include <bloomery/gpu/filter.hpp>

#include "devices.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cuda_runtime.h>
#include <span>
#include <vector>

namespace {

using namespace bloomery;

/// Inserts those keys that are not in, and counts them.
template <layout_kind Kind>
__global__ void insert_new(gpu::ref<Kind> seen, const std::uint64_t* keys, std::uint64_t count,
                           unsigned long long* fresh) {
    const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count && !seen.may_contain(keys[i]) && seen.try_insert(keys[i])) {
        atomicAdd(fresh, 1ULL);
    }
}

template <layout_kind Kind>
void check(bool wide) {
    if (gpu::device::count() == 0) {
        GTEST_SKIP() << "there is no GPU";
    }
    const gpu::device device = gpu::device::first();
    const native_hash hash = wide ? native_hash::seeded(7).widened() : native_hash::seeded(7);
    const plan::shape shape = plan::for_rate(items{100'000}, rate{1e-5}, Kind);
    gpu::filter there(shape, device, hash);
    bloomery::filter here(shape, hash, {});
    const std::vector<std::uint64_t> keys = on_devices::some_keys(100'000);
    here.insert_many(keys);

    const gpu::device_array<std::uint64_t> on_device(device, std::span<const std::uint64_t>(keys));
    const std::vector<unsigned long long> none{0};
    const gpu::device_array<unsigned long long> fresh(device,
                                                      std::span<const unsigned long long>(none));
    for (int turn = 0; turn < 2; ++turn) { // nothing is new the second time
        insert_new<Kind>
            <<<500, 256>>>(there.ref<Kind>(), on_device.data(), keys.size(), fresh.data());
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        std::vector<unsigned long long> counted(1);
        fresh.download(counted);
        EXPECT_GE(counted[0], keys.size() - 20);
        EXPECT_LE(counted[0], keys.size());
    }
    EXPECT_EQ(there.to_host(), here);
}

TEST(RefInAKernel, HasTheBitsOfTheProcessor) {
    for (const bool wide : {false, true}) {
        check<layout_kind::split_8x32>(wide);
        check<layout_kind::split_8x64>(wide);
        check<layout_kind::split_16x32>(wide);
    }
}

} // namespace
