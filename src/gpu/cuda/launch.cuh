// What every file of kernels needs: errors, and how a kernel is started.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/gpu/device.hpp>

#include "../backend.hpp"

#include <cuda_runtime.h>

#include <cstdint>
#include <string>

namespace bloomery::inline v0::gpu::cuda {

using std::uint32_t;
using std::uint64_t;

inline cudaStream_t of(stream on) { return static_cast<cudaStream_t>(on.handle); }

/// Throws for an error of CUDA.
inline void check(cudaError_t code, const char* doing) {
    if (code == cudaSuccess) [[likely]] {
        return;
    }
    (void)cudaGetLastError(); // an error that is not sticky is reported once
    const std::string reason = cudaGetErrorString(code);
    if (code == cudaErrorMemoryAllocation) {
        throw memory_refused("the GPU has too little free memory: " + std::string(doing) +
                             " were refused; plan a smaller filter, or free some of its memory");
    }
    throw device_error("CUDA error while " + std::string(doing) + ": " + reason +
                       "; if it repeats, the filters on this GPU are lost: restart the program");
}

inline constexpr unsigned warp = 32;
inline constexpr unsigned usual_threads = 256;

/// The blocks of a grid in which each warp has `each` keys per lane.
inline unsigned blocks_for(uint64_t count, unsigned each) {
    const uint64_t of_block = uint64_t{usual_threads} * each;
    return static_cast<unsigned>((count + of_block - 1) / of_block);
}

/// A launch that is wrong, such as one with too much shared memory.
inline void check_launch(const char* doing) { check(cudaGetLastError(), doing); }

// The calls of the backend, one file for each group; see backend.hpp.

void insert(const detail::target& into, const detail::source& keys, cudaStream_t on);
void try_insert(const detail::target& into, const detail::source& keys, uint64_t* fresh,
                cudaStream_t on);
void ask(const detail::target& of, const detail::source& keys, uint64_t* maybe, cudaStream_t on);

void sort(const detail::target& into, const detail::source& keys, const detail::sorting& by,
          cudaStream_t on);
void insert_sorted(const detail::target& into, const detail::sorting& by, bool wide, bool shared,
                   cudaStream_t on);
void ask_sorted(const detail::target& of, const detail::sorting& by, bool wide, uint32_t* answers,
                cudaStream_t on);
void collect(const detail::target& of, const detail::source& keys, const detail::sorting& by,
             const uint32_t* answers, uint64_t* maybe, cudaStream_t on);

void hash(const keys& strings, uint64_t base, uint64_t mean_bytes, const detail::mixer& mix,
          void* digests, cudaStream_t on);

/// The same, inserted or asked at once.
void insert_strings(const detail::target& into, const keys& strings, uint64_t base,
                    uint64_t mean_bytes, uint64_t seed, cudaStream_t on);
void ask_strings(const detail::target& of, const keys& strings, uint64_t base, uint64_t mean_bytes,
                 uint64_t seed, uint64_t* maybe, cudaStream_t on);

void unite(uint64_t* words, const uint64_t* with, uint64_t count, cudaStream_t on);
void intersect(uint64_t* words, const uint64_t* with, uint64_t count, cudaStream_t on);
/// Adds to `total`, which is on the device.
void add_ones(const uint64_t* words, uint64_t count, uint64_t* total, cudaStream_t on);
void spread(const uint64_t* bits, uint64_t count, bool* answers, cudaStream_t on);
/// The words of scratch that `select` needs; the last of them is the number of positions.
uint64_t select_scratch(uint64_t count);
void select(const uint64_t* bits, uint64_t count, bool which, uint64_t* positions,
            uint64_t* scratch, cudaStream_t on);
void gather(const void* values, uint64_t width, const uint64_t* positions, uint64_t count,
            void* copies, cudaStream_t on);

} // namespace bloomery::inline v0::gpu::cuda
