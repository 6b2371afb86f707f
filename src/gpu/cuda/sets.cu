// Whole filters, and answers in other forms.
#include "launch.cuh"

#include <algorithm>

namespace bloomery::inline v0::gpu::cuda {

namespace {

/// A grid that fills any GPU; its threads go on until everything is done.
constexpr unsigned many_blocks = 4096;
unsigned some_blocks(uint64_t count) {
    return static_cast<unsigned>(
        std::clamp<uint64_t>((count + usual_threads - 1) / usual_threads, 1, many_blocks));
}
__device__ inline uint64_t my_first() { return uint64_t{blockIdx.x} * usual_threads + threadIdx.x; }
__device__ inline uint64_t my_step() { return uint64_t{gridDim.x} * usual_threads; }

template <bool Unite>
__global__ void combine_kernel(uint64_t* words, const uint64_t* with, uint64_t count) {
    for (uint64_t i = my_first(); i < count; i += my_step()) {
        words[i] = Unite ? words[i] | with[i] : words[i] & with[i];
    }
}

__device__ inline uint64_t sum_of_warp(uint64_t value) {
#pragma unroll
    for (int step = warp / 2; step != 0; step /= 2) {
        value += __shfl_down_sync(~0U, value, step);
    }
    return value;
}

__global__ void ones_kernel(const uint64_t* words, uint64_t count, unsigned long long* total) {
    uint64_t mine = 0;
    for (uint64_t i = my_first(); i < count; i += my_step()) {
        mine += static_cast<unsigned>(__popcll(words[i]));
    }
    mine = sum_of_warp(mine);
    if (threadIdx.x % warp == 0) {
        atomicAdd(total, mine);
    }
}

__global__ void spread_kernel(const uint64_t* bits, uint64_t count, bool* answers) {
    for (uint64_t i = my_first(); i < count; i += my_step()) {
        answers[i] = (bits[i / 64] >> (i % 64) & 1U) != 0;
    }
}

// Selection: how many in each tile, where each tile begins, and then the positions.

constexpr uint64_t tile_words = warp; ///< one word of 64 answers for each lane
constexpr uint64_t tile_bits = tile_words * 64;

/// The answers of a lane that are `which`.
__device__ inline uint64_t chosen(const uint64_t* bits, uint64_t count, bool which, uint64_t word) {
    if (word * 64 >= count) {
        return 0;
    }
    const uint64_t left = count - word * 64;
    const uint64_t there = left >= 64 ? ~uint64_t{0} : (uint64_t{1} << left) - 1;
    return (which ? bits[word] : ~bits[word]) & there;
}

__global__ void count_kernel(const uint64_t* bits, uint64_t count, bool which, uint64_t tiles,
                             uint64_t* starts) {
    const unsigned lane = threadIdx.x % warp;
    for (uint64_t tile = my_first() / warp; tile < tiles; tile += my_step() / warp) {
        const uint64_t mine = sum_of_warp(
            static_cast<unsigned>(__popcll(chosen(bits, count, which, tile * tile_words + lane))));
        if (lane == 0) {
            starts[tile] = mine;
        }
    }
}

constexpr unsigned scan_threads = 1024;

/// Counts to sums of those before, in place, by one block; the whole sum goes behind the last.
__global__ __launch_bounds__(scan_threads) void scan_kernel(uint64_t* starts, uint64_t tiles) {
    __shared__ uint64_t of_threads[scan_threads];
    const uint64_t each = (tiles + scan_threads - 1) / scan_threads;
    const uint64_t from = threadIdx.x * each;
    const uint64_t to = from + each < tiles ? from + each : tiles;
    uint64_t mine = 0;
    for (uint64_t i = from; i < to; ++i) {
        mine += starts[i];
    }
    of_threads[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned step = 1; step < scan_threads; step *= 2) {
        const uint64_t other = threadIdx.x >= step ? of_threads[threadIdx.x - step] : 0;
        __syncthreads();
        of_threads[threadIdx.x] += other;
        __syncthreads();
    }
    uint64_t start = of_threads[threadIdx.x] - mine;
    for (uint64_t i = from; i < to; ++i) {
        const uint64_t of_tile = starts[i];
        starts[i] = start;
        start += of_tile;
    }
    if (threadIdx.x == scan_threads - 1) {
        starts[tiles] = of_threads[threadIdx.x];
    }
}

__global__ void positions_kernel(const uint64_t* bits, uint64_t count, bool which, uint64_t tiles,
                                 const uint64_t* starts, uint64_t* positions) {
    const unsigned lane = threadIdx.x % warp;
    for (uint64_t tile = my_first() / warp; tile < tiles; tile += my_step() / warp) {
        const uint64_t word = tile * tile_words + lane;
        uint64_t mine = chosen(bits, count, which, word);
        unsigned before = static_cast<unsigned>(__popcll(mine));
        const unsigned own = before;
#pragma unroll
        for (unsigned step = 1; step < warp; step *= 2) {
            const unsigned other = __shfl_up_sync(~0U, before, step);
            before += lane >= step ? other : 0;
        }
        uint64_t* to = positions + starts[tile] + before - own;
        while (mine != 0) {
            *to++ = word * 64 + static_cast<unsigned>(__ffsll(static_cast<long long>(mine)) - 1);
            mine &= mine - 1;
        }
    }
}

template <class Value>
__global__ void gather_kernel(const Value* values, const uint64_t* positions, uint64_t count,
                              Value* copies) {
    for (uint64_t i = my_first(); i < count; i += my_step()) {
        copies[i] = values[positions[i]];
    }
}

uint64_t tiles_of(uint64_t count) { return (count + tile_bits - 1) / tile_bits; }

} // namespace

void unite(uint64_t* words, const uint64_t* with, uint64_t count, cudaStream_t on) {
    combine_kernel<true><<<some_blocks(count), usual_threads, 0, on>>>(words, with, count);
    check_launch("uniting filters");
}

void intersect(uint64_t* words, const uint64_t* with, uint64_t count, cudaStream_t on) {
    combine_kernel<false><<<some_blocks(count), usual_threads, 0, on>>>(words, with, count);
    check_launch("intersecting filters");
}

void add_ones(const uint64_t* words, uint64_t count, uint64_t* total, cudaStream_t on) {
    ones_kernel<<<some_blocks(count), usual_threads, 0, on>>>(
        words, count, reinterpret_cast<unsigned long long*>(total));
    check_launch("counting ones");
}

void spread(const uint64_t* bits, uint64_t count, bool* answers, cudaStream_t on) {
    spread_kernel<<<some_blocks(count), usual_threads, 0, on>>>(bits, count, answers);
    check_launch("querying keys");
}

uint64_t select_scratch(uint64_t count) { return tiles_of(count) + 1; }

void select(const uint64_t* bits, uint64_t count, bool which, uint64_t* positions,
            uint64_t* scratch, cudaStream_t on) {
    const uint64_t tiles = tiles_of(count);
    const unsigned blocks = some_blocks(tiles * warp);
    count_kernel<<<blocks, usual_threads, 0, on>>>(bits, count, which, tiles, scratch);
    scan_kernel<<<1, scan_threads, 0, on>>>(scratch, tiles);
    positions_kernel<<<blocks, usual_threads, 0, on>>>(bits, count, which, tiles, scratch,
                                                       positions);
    check_launch("selecting keys");
}

void gather(const void* values, uint64_t width, const uint64_t* positions, uint64_t count,
            void* copies, cudaStream_t on) {
    const auto start = [&]<class Value>(Value* to) {
        gather_kernel<<<some_blocks(count), usual_threads, 0, on>>>(
            static_cast<const Value*>(values), positions, count, to);
    };
    if (count != 0 && width == 4) {
        start(static_cast<uint32_t*>(copies));
    } else if (count != 0) {
        start(static_cast<uint64_t*>(copies));
    }
    check_launch("copying keys");
}

} // namespace bloomery::inline v0::gpu::cuda
