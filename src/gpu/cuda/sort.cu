// Inserts and queries range by range: digests are sorted by the range of blocks that they are in,
// and then each range is worked on in fast memory. Reading and writing every digest once more costs
// less than an access to a random block in slow memory.
#include "keys.cuh"

#include <algorithm>

namespace bloomery::inline v0::gpu::cuda {

namespace {

constexpr unsigned sort_threads = 1024;

/// Ranges are contiguous, because the block of a digest grows with its low word.
__device__ inline unsigned range_of(uint64_t low, unsigned bits) {
    return static_cast<unsigned>(low >> (64 - bits));
}
__device__ inline uint64_t first_block(uint64_t range, unsigned bits, uint64_t blocks) {
    return __umul64hi(range << (64 - bits), blocks);
}
__device__ inline uint64_t last_block(uint64_t range, unsigned bits, uint64_t blocks) {
    return __umul64hi(((range + 1) << (64 - bits)) - 1, blocks);
}

/// Each thread has a value: the sum of those before it.
__device__ inline uint32_t sum_before(uint32_t value, uint32_t* of_warps) {
    const unsigned lane = threadIdx.x % warp;
    uint32_t sum = value;
#pragma unroll
    for (unsigned step = 1; step < warp; step *= 2) {
        const uint32_t other = __shfl_up_sync(~0U, sum, step);
        sum += lane >= step ? other : 0;
    }
    if (lane == warp - 1) {
        of_warps[threadIdx.x / warp] = sum;
    }
    __syncthreads();
    if (threadIdx.x < warp) {
        const uint32_t whole = of_warps[threadIdx.x];
        uint32_t total = whole;
#pragma unroll
        for (unsigned step = 1; step < warp; step *= 2) {
            const uint32_t other = __shfl_up_sync(~0U, total, step);
            total += lane >= step ? other : 0;
        }
        of_warps[threadIdx.x] = total - whole;
    }
    __syncthreads();
    return of_warps[threadIdx.x / warp] + sum - value;
}

/// A block takes a tile of keys, sorts them in shared memory, and appends each run of one range to
/// that range: runs are long enough to be written at full speed.
template <layout_kind Kind, class Keys, unsigned Each, unsigned Blocks, bool Slots>
__global__ __launch_bounds__(sort_threads,
                             Blocks) void sort_kernel(uint64_t* words, uint64_t blocks, Keys keys,
                                                      uint64_t count, detail::sorting by) {
    using entry = typename Keys::entry;
    extern __shared__ ulonglong2 memory[];
    __shared__ uint32_t of_warps[warp];
    auto* const staged = reinterpret_cast<entry*>(memory);
    auto* const counts = reinterpret_cast<uint32_t*>(staged + sort_threads * Each);
    uint32_t* const starts = counts + (1U << by.bits);
    const unsigned ranges = 1U << by.bits;
    const uint64_t tile = uint64_t{blockIdx.x} * (sort_threads * Each);
    const auto here = static_cast<unsigned>(
        count - tile < sort_threads * Each ? count - tile : sort_threads * Each);

    entry key[Each];
    uint32_t rank[Each];
    {
        typename Keys::raw raw[Each];
#pragma unroll
        for (unsigned k = 0; k < Each; ++k) {
            const unsigned i = k * sort_threads + threadIdx.x;
            raw[k] = keys.read(tile + (i < here ? i : 0));
        }
        for (unsigned range = threadIdx.x; range < ranges; range += sort_threads) {
            counts[range] = 0;
        }
        __syncthreads();
#pragma unroll
        for (unsigned k = 0; k < Each; ++k) {
            key[k] = keys.digest(raw[k]);
        }
    }
#pragma unroll
    for (unsigned k = 0; k < Each; ++k) {
        if (k * sort_threads + threadIdx.x < here) {
            rank[k] = atomicAdd(counts + range_of(key[k].low, by.bits), 1U);
        }
    }
    __syncthreads();

    // Where the run of each range starts, in the tile and in its range.
    const unsigned of_thread = (ranges + sort_threads - 1) / sort_threads;
    uint32_t mine = 0;
    for (unsigned r = threadIdx.x * of_thread; r < (threadIdx.x + 1) * of_thread && r < ranges;
         ++r) {
        mine += counts[r];
    }
    uint32_t start = sum_before(mine, of_warps);
    for (unsigned r = threadIdx.x * of_thread; r < (threadIdx.x + 1) * of_thread && r < ranges;
         ++r) {
        const uint32_t run = counts[r];
        starts[r] = start;
        if (run != 0) {
            counts[r] = atomicAdd(by.counts + r, run) - start; // may wrap, and back
        }
        start += run;
    }
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < Each; ++k) {
        const unsigned i = k * sort_threads + threadIdx.x;
        if (i < here) {
            const unsigned range = range_of(key[k].low, by.bits);
            const uint32_t at = starts[range] + rank[k];
            staged[at] = key[k];
            if constexpr (Slots) {
                const uint32_t place = counts[range] + at;
                __stcs(by.slots + tile + i,
                       place < by.room ? range * by.room + place : detail::no_slot);
            }
        }
    }
    __syncthreads();
    bool is_full = false;
#pragma unroll
    for (unsigned k = 0; k < Each; ++k) {
        const unsigned i = k * sort_threads + threadIdx.x;
        if (i < here) {
            const entry next = staged[i];
            const unsigned range = range_of(next.low, by.bits);
            const uint32_t place = counts[range] + i;
            if (place < by.room) {
                static_cast<entry*>(by.entries)[uint64_t{range} * by.room + place] = next;
            } else {
                is_full = true;
            }
        }
    }
    if (!Slots && is_full) {
        for (unsigned i = threadIdx.x; i < here; i += sort_threads) {
            const entry next = staged[i];
            if (counts[range_of(next.low, by.bits)] + i >= by.room) {
                insert_one<Kind>(words, blocks, next.low, next.high());
            }
        }
    }
}

/// Lets a kernel use that much shared memory, or as much as there is.
template <class Kernel>
void allow_shared(Kernel* kernel, uint64_t bytes) {
    int device = 0;
    int most = 0;
    check(cudaGetDevice(&device), "selecting the device");
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "reading its properties");
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(std::min(bytes, static_cast<uint64_t>(most) - 1024))),
          "reserving shared memory");
}

/// Many ranges make short runs, unless tiles are large.
template <layout_kind Kind, bool Slots, class Keys>
void start_sort(const detail::target& into, Keys from, uint64_t count, const detail::sorting& by,
                cudaStream_t on) {
    constexpr unsigned large = sizeof(typename Keys::entry) == 16 ? 8 : 16;
    const auto start = [&]<unsigned Each, unsigned Blocks>() {
        auto* const kernel = sort_kernel<Kind, Keys, Each, Blocks, Slots>;
        const uint64_t tile = uint64_t{sort_threads} * Each;
        const uint64_t staged = tile * sizeof(typename Keys::entry);
        const uint64_t shared = staged + (uint64_t{8} << by.bits);
        // The same for all calls: other threads may be about to start this kernel, too.
        constexpr uint64_t most_bits = Each == 4 ? 8 : 11;
        allow_shared(kernel, staged + (uint64_t{8} << most_bits));
        kernel<<<static_cast<unsigned>((count + tile - 1) / tile), sort_threads, shared, on>>>(
            into.words, into.blocks, from, count, by);
    };
    if (by.bits <= 8) {
        start.template operator()<4, 2>();
    } else {
        start.template operator()<large, 1>();
    }
    check_launch("sorting keys");
}

constexpr unsigned sorted_at_once = 4;
/// Of large blocks, fewer fit into registers.
template <layout_kind Kind>
constexpr unsigned asked_at_once = detail::block<Kind>::words == 4 ? 4 : 2;

/// The part of a range that a warp works on: blocks of a grid run in order, so that at any time
/// most of them are in one range.
template <unsigned Each>
struct share {
    static constexpr unsigned by_block = usual_threads * Each;
    uint64_t range;
    uint32_t count; ///< of digests in the range
    uint32_t first; ///< of this warp

    __device__ explicit share(const detail::sorting& by) {
        const unsigned parts = (by.room + by_block - 1) / by_block;
        range = blockIdx.x / parts;
        count = min(by.counts[range], by.room);
        first = blockIdx.x % parts * by_block + threadIdx.x / warp * (warp * Each);
    }
    [[nodiscard]] __device__ uint32_t at(unsigned k) const {
        return first + k * warp + threadIdx.x % warp;
    }
};

unsigned share_count(const detail::sorting& by, unsigned each) {
    const unsigned by_block = usual_threads * each;
    return ((by.room + by_block - 1) / by_block) << by.bits;
}

template <layout_kind Kind, class Entry>
__global__ __launch_bounds__(usual_threads) void insert_cached_kernel(uint64_t* words,
                                                                      uint64_t blocks,
                                                                      detail::sorting by) {
    const share<sorted_at_once> mine(by);
    if (mine.first >= mine.count) {
        return;
    }
    const Entry* const from = static_cast<const Entry*>(by.entries) + mine.range * by.room;
    Entry key[sorted_at_once];
#pragma unroll
    for (unsigned k = 0; k < sorted_at_once; ++k) {
        key[k] = read_once(from + min(mine.at(k), mine.count - 1));
    }
#pragma unroll
    for (unsigned k = 0; k < sorted_at_once; ++k) {
        insert_by_lanes<Kind>(words, blocks, key[k]);
    }
}

constexpr unsigned shared_threads = 512;

/// One block has the bits of one range in shared memory, and adds them to the filter at the end.
/// That is atomic, since other kernels may insert meanwhile, and neighbouring ranges may have a
/// block in common.
template <layout_kind Kind, class Entry>
__global__ __launch_bounds__(shared_threads) void insert_shared_kernel(uint64_t* words,
                                                                       uint64_t blocks,
                                                                       detail::sorting by) {
    using block = detail::block<Kind>;
    extern __shared__ ulonglong2 memory[];
    auto* const part = reinterpret_cast<uint64_t*>(memory);
    auto* const halves = reinterpret_cast<uint32_t*>(memory);
    const uint64_t range = blockIdx.x;
    const uint32_t count = min(by.counts[range], by.room);
    if (count == 0) {
        return;
    }
    const uint64_t first = first_block(range, by.bits, blocks);
    const auto part_words =
        static_cast<unsigned>((last_block(range, by.bits, blocks) - first + 1) * block::words);
    for (unsigned i = threadIdx.x; i < part_words; i += shared_threads) {
        part[i] = 0;
    }
    __syncthreads();

    const Entry* const from = static_cast<const Entry*>(by.entries) + range * by.room;
    for (uint32_t begin = 0; begin < count; begin += shared_threads * sorted_at_once) {
        Entry key[sorted_at_once];
#pragma unroll
        for (unsigned k = 0; k < sorted_at_once; ++k) {
            key[k] = read_once(from + min(begin + k * shared_threads + threadIdx.x, count - 1));
        }
#pragma unroll
        for (unsigned k = 0; k < sorted_at_once; ++k) {
            const auto at =
                static_cast<uint32_t>(__umul64hi(key[k].low, blocks) - first) * (2 * block::words);
            const uint64_t high = key[k].high();
#pragma unroll
            for (unsigned i = 0; i < block::bits; ++i) {
                // Lanes begin at different words, because words of one number share a bank.
                const detail::place32 bit = block::place(high, (i + threadIdx.x) % block::bits);
                atomicOr(halves + at + bit.word, bit.mask);
            }
        }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < part_words; i += shared_threads) {
        if (part[i] != 0) {
            set_bits(words + first * block::words + i, part[i]);
        }
    }
}

template <layout_kind Kind, class Entry>
void start_shared(const detail::target& into, const detail::sorting& by, cudaStream_t on) {
    auto* const kernel = insert_shared_kernel<Kind, Entry>;
    const uint64_t shared =
        ((into.blocks >> by.bits) + 2) * detail::block<Kind>::words * sizeof(uint64_t);
    allow_shared(kernel, (uint64_t{64} << 10U) + 256);
    kernel<<<1U << by.bits, shared_threads, shared, on>>>(into.words, into.blocks, by);
}

template <layout_kind Kind, class Entry>
__global__ __launch_bounds__(usual_threads) void ask_sorted_kernel(
    const uint64_t* __restrict__ words, uint64_t blocks, detail::sorting by, uint32_t* answers) {
    constexpr unsigned each = asked_at_once<Kind>;
    const share<each> mine(by);
    if (mine.first >= mine.count) {
        return;
    }
    const Entry* const from = static_cast<const Entry*>(by.entries) + mine.range * by.room;
    const unsigned lane = threadIdx.x % warp;
    Entry key[each];
    loaded<Kind> found[each];
#pragma unroll
    for (unsigned k = 0; k < each; ++k) {
        key[k] = read_once(from + min(mine.at(k), mine.count - 1));
        found[k].load(words, key[k].low, blocks);
    }
    uint32_t all = 0;
#pragma unroll
    for (unsigned k = 0; k < each; ++k) {
        const uint32_t these = __ballot_sync(~0U, found[k].has(key[k].high()));
        all = lane == k ? these : all;
    }
    if (lane < each && mine.first + lane * warp < mine.count) {
        answers[(mine.range * by.room + mine.first) / warp + lane] = all;
    }
}

constexpr unsigned collected_at_once = 8;

template <layout_kind Kind, class Keys>
__global__ __launch_bounds__(usual_threads) void collect_kernel(
    const uint64_t* __restrict__ words, uint64_t blocks, Keys keys, uint64_t count,
    const uint32_t* __restrict__ slots, const uint32_t* __restrict__ answers, uint32_t* maybe) {
    const unsigned lane = threadIdx.x % warp;
    const uint64_t first =
        (uint64_t{blockIdx.x} * usual_threads + threadIdx.x - lane) * collected_at_once;
    if (first >= count) {
        return;
    }
    uint32_t slot[collected_at_once];
    uint32_t word[collected_at_once];
#pragma unroll
    for (unsigned k = 0; k < collected_at_once; ++k) {
        const uint64_t i = first + k * warp + lane;
        slot[k] = __ldcs(slots + (i < count ? i : count - 1));
    }
#pragma unroll
    for (unsigned k = 0; k < collected_at_once; ++k) {
        word[k] = slot[k] == detail::no_slot ? 0 : answers[slot[k] / warp];
    }
    uint32_t mine = 0;
#pragma unroll
    for (unsigned k = 0; k < collected_at_once; ++k) {
        const uint64_t i = first + k * warp + lane;
        bool is_there = (word[k] >> (slot[k] % warp) & 1U) != 0;
        if (slot[k] == detail::no_slot && i < count) {
            const auto key = keys.digest(keys.read(i));
            is_there = ask_one<Kind>(words, blocks, key.low, key.high());
        }
        const uint32_t all = __ballot_sync(~0U, i < count && is_there);
        mine = lane == k ? all : mine;
    }
    if (lane < collected_at_once && first + lane * warp < (count + 63) / 64 * 64) {
        maybe[first / warp + lane] = mine;
    }
}

} // namespace

void sort(const detail::target& into, const detail::source& keys, const detail::sorting& by,
          cudaStream_t on) {
    with_keys(keys, [&](auto from) {
        if (by.slots != nullptr) { // what finds no room is not inserted: any layout will do
            start_sort<layout_kind::split_8x64, true>(into, from, keys.count, by, on);
            return;
        }
        detail::with_block(into.layout, [&]<layout_kind Kind>(detail::block<Kind> /*which*/) {
            start_sort<Kind, false>(into, from, keys.count, by, on);
        });
    });
}

void insert_sorted(const detail::target& into, const detail::sorting& by, bool is_wide, bool shared,
                   cudaStream_t on) {
    detail::with_block(into.layout, [&]<layout_kind Kind>(detail::block<Kind> /*which*/) {
        with_entry(is_wide, [&]<class Entry>(Entry /*which*/) {
            if (shared) {
                start_shared<Kind, Entry>(into, by, on);
            } else {
                insert_cached_kernel<Kind, Entry>
                    <<<share_count(by, sorted_at_once), usual_threads, 0, on>>>(into.words,
                                                                                into.blocks, by);
            }
        });
    });
    check_launch("inserting sorted keys");
}

void ask_sorted(const detail::target& of, const detail::sorting& by, bool is_wide,
                uint32_t* answers, cudaStream_t on) {
    detail::with_block(of.layout, [&]<layout_kind Kind>(detail::block<Kind> /*which*/) {
        with_entry(is_wide, [&]<class Entry>(Entry /*which*/) {
            ask_sorted_kernel<Kind, Entry>
                <<<share_count(by, asked_at_once<Kind>), usual_threads, 0, on>>>(
                    of.words, of.blocks, by, answers);
        });
    });
    check_launch("querying sorted keys");
}

void collect(const detail::target& of, const detail::source& keys, const detail::sorting& by,
             const uint32_t* answers, uint64_t* maybe, cudaStream_t on) {
    detail::with_block(of.layout, [&]<layout_kind Kind>(detail::block<Kind> /*which*/) {
        with_keys(keys, [&](auto from) {
            collect_kernel<Kind>
                <<<blocks_for(keys.count, collected_at_once), usual_threads, 0, on>>>(
                    of.words, of.blocks, from, keys.count, by.slots, answers,
                    reinterpret_cast<uint32_t*>(maybe));
        });
    });
    check_launch("collecting answers");
}

} // namespace bloomery::inline v0::gpu::cuda
