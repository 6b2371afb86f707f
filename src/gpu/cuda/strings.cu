// Digests of byte strings: XXH3, one string per thread.
//
// Neighbouring threads read neighbouring strings, a word here and a word there, which memory is bad
// at. So a block copies its strings to shared memory as they come, and hashes them there.
#include <bloomery/detail/hash/xxh3_anywhere.hpp>

#include "keys.cuh"

#include <cuda_pipeline.h>

#include <algorithm>

namespace bloomery::inline v0::gpu::cuda {

namespace {

/// Where a word of 4 bytes is in shared memory. Records whose length is a multiple of 32 bytes
/// would all begin in the same banks, so four words are left out after 32. Other strings spread by
/// themselves, and their words are read without a computation.
template <bool Spread>
__device__ inline unsigned place_of(unsigned word) {
    return Spread ? word + word / 32 * 4 : word;
}

/// A string in shared memory. Its first and its last byte may be anywhere in their words.
template <bool Spread>
struct staged_string {
    const uint32_t* words;
    unsigned begin; ///< in bytes after the first word
    unsigned end;

    [[nodiscard]] __device__ uint32_t word(unsigned number) const {
        return words[place_of<Spread>(number)];
    }
    [[nodiscard]] __device__ uint64_t word64(uint64_t at) const {
        return joined(begin / 4 + static_cast<unsigned>(at) / 4, begin % 4 * 8);
    }
    [[nodiscard]] __device__ uint64_t word64_at_end(uint64_t at) const {
        return joined(end / 4 - static_cast<unsigned>(at) / 4, end % 4 * 8);
    }
    [[nodiscard]] __device__ uint32_t word32(uint64_t at) const {
        const unsigned first = begin / 4 + static_cast<unsigned>(at) / 4;
        return __funnelshift_r(word(first), word(first + 1), begin % 4 * 8);
    }
    [[nodiscard]] __device__ uint32_t word32_at_end(uint64_t at) const {
        const unsigned first = end / 4 - static_cast<unsigned>(at) / 4;
        return __funnelshift_r(word(first), word(first + 1), end % 4 * 8);
    }
    [[nodiscard]] __device__ uint8_t byte(uint64_t at) const {
        const unsigned from = begin + static_cast<unsigned>(at);
        return static_cast<uint8_t>(word(from / 4) >> (from % 4 * 8));
    }

private:
    [[nodiscard]] __device__ uint64_t joined(unsigned first, unsigned shift) const {
        const uint32_t middle = word(first + 1);
        return uint64_t{__funnelshift_r(middle, word(first + 2), shift)} << 32 |
               __funnelshift_r(word(first), middle, shift);
    }
};

/// The 8 bytes at an offset, from the two words that they are in.
__device__ inline uint64_t joined(uint64_t low, uint64_t high, unsigned offset) {
    const unsigned shift = offset % 8 * 8;
    return low >> shift | (high << 1) << (63 - shift);
}

/// A string where it is. Whole words are read only where all of their bytes belong to the strings.
struct string_in_place {
    const unsigned char* bytes;
    uint64_t size;
    const unsigned char* region;
    const unsigned char* region_end;

    [[nodiscard]] __device__ uint64_t word64(uint64_t at) const {
        const unsigned char* const from = bytes + at;
        const auto offset = static_cast<unsigned>(reinterpret_cast<uintptr_t>(from) % 8);
        const unsigned char* const word = from - offset;
        if (word >= region && word + 16 <= region_end) {
            const auto* const words = reinterpret_cast<const uint64_t*>(word);
            return joined(words[0], words[1], offset);
        }
        uint64_t value = 0;
        for (unsigned i = 0; i < 8; ++i) {
            value |= uint64_t{from[i]} << (8 * i);
        }
        return value;
    }
    [[nodiscard]] __device__ uint32_t word32(uint64_t at) const {
        uint32_t value = 0;
        for (unsigned i = 0; i < 4; ++i) {
            value |= uint32_t{bytes[at + i]} << (8 * i);
        }
        return value;
    }
    [[nodiscard]] __device__ uint64_t word64_at_end(uint64_t at) const { return word64(size - at); }
    [[nodiscard]] __device__ uint32_t word32_at_end(uint64_t at) const { return word32(size - at); }
    [[nodiscard]] __device__ uint8_t byte(uint64_t at) const { return bytes[at]; }
};

/// Where string i begins, in all bytes; string `count` is the end.
template <class Offset>
struct at_offsets {
    const Offset* offsets;
    uint64_t base;
    [[nodiscard]] __device__ uint64_t operator()(uint64_t i) const {
        return static_cast<uint64_t>(__ldcs(offsets + i)) - base;
    }
};
struct at_records {
    uint64_t length;
    [[nodiscard]] __device__ uint64_t operator()(uint64_t i) const { return i * length; }
};

// What becomes of a digest. All threads of a warp call this together, those behind the last string
// with its digest once more.

struct narrow_digests {
    using entry = narrow;
    unsigned long long* digests;
    __device__ void operator()(uint64_t i, bool is_key, narrow key) const {
        if (is_key) {
            digests[i] = key.low;
        }
    }
};
struct wide_digests {
    using entry = wide;
    ulonglong2* digests;
    __device__ void operator()(uint64_t i, bool is_key, wide key) const {
        if (is_key) {
            digests[i] = make_ulonglong2(key.low, key.second);
        }
    }
};
/// The key at once, without a way through memory. The layout is chosen here, because a kernel for
/// each would take long to compile.
struct insert_at_once {
    using entry = narrow;
    detail::target into;
    __device__ void operator()(uint64_t /*i*/, bool /*is_key*/, narrow key) const {
        if (into.layout == layout_kind::split_8x64) {
            insert_by_lanes<layout_kind::split_8x64>(into.words, into.blocks, key);
        } else if (into.layout == layout_kind::split_8x32) {
            insert_by_lanes<layout_kind::split_8x32>(into.words, into.blocks, key);
        } else {
            insert_by_lanes<layout_kind::split_16x32>(into.words, into.blocks, key);
        }
    }
};
struct ask_at_once {
    using entry = narrow;
    detail::target of;
    uint32_t* maybe;
    uint64_t words; ///< of answers
    template <layout_kind Kind>
    [[nodiscard]] __device__ bool has(narrow key) const {
        loaded<Kind> found;
        found.load(of.words, key.low, of.blocks);
        return found.has(key.high());
    }
    __device__ void operator()(uint64_t i, bool is_key, narrow key) const {
        const bool is_there =
            of.layout == layout_kind::split_8x64   ? has<layout_kind::split_8x64>(key)
            : of.layout == layout_kind::split_8x32 ? has<layout_kind::split_8x32>(key)
                                                   : has<layout_kind::split_16x32>(key);
        const uint32_t all = __ballot_sync(~0U, is_key && is_there);
        if (threadIdx.x % warp == 0 && i / warp < words) {
            maybe[i / warp] = all;
        }
    }
};

template <class Entry, class String>
__device__ Entry digest_of_string(const String& key, uint64_t size, uint64_t seed) {
    if constexpr (sizeof(Entry) == sizeof(wide)) {
        const digest128 both = hash::detail::xxh3_128_of(key, size, seed);
        return {both.low, both.high};
    } else if (seed == 0) { // as most are: nothing is added to the secret
        return {hash::detail::xxh3_64_of(key, size, 0)};
    } else {
        return {hash::detail::xxh3_64_of(key, size, seed)};
    }
}

constexpr unsigned string_threads = 128; ///< a block hashes so many strings at a time: a tile
constexpr unsigned piece = 16;           ///< the bytes that a thread copies at a time

/// The bytes that may be read.
struct memory_region {
    const unsigned char* first;
    const unsigned char* end;
};

/// The strings of a tile, of which a thread hashes one.
struct tile {
    uint64_t begin; ///< of the first string
    uint64_t end;   ///< of the last one
    uint64_t from;  ///< of the thread's own
    uint64_t size;

    template <class Starts>
    __device__ tile(const Starts& starts, uint64_t first, uint64_t count) {
        const uint64_t last = min(first + string_threads, count);
        const uint64_t mine = min(first + threadIdx.x, last - 1);
        begin = starts(first);
        end = starts(last);
        from = starts(mine);
        size = starts(mine + 1) - from;
    }
    /// Where its bytes begin in shared memory, which has pieces of memory as they are.
    [[nodiscard]] __device__ unsigned offset(const unsigned char* bytes) const {
        return static_cast<unsigned>(reinterpret_cast<uintptr_t>(bytes + begin) % piece);
    }
};

/// Begins to copy the pieces of memory that a tile is in.
template <bool Spread>
__device__ void stage(const unsigned char* bytes, const tile& of, memory_region readable,
                      uint32_t* words) {
    const unsigned char* const start = bytes + of.begin - of.offset(bytes);
    const auto count = static_cast<unsigned>((bytes + of.end - start + piece - 1) / piece);
    for (unsigned i = threadIdx.x; i < count; i += string_threads) {
        const unsigned char* const here = start + piece * i;
        uint32_t* const to = words + place_of<Spread>(4 * i);
        if (here >= readable.first && here + piece <= readable.end) {
            __pipeline_memcpy_async(to, here, piece);
            continue;
        }
        // The first or the last piece: nothing beside the strings may be read.
        for (unsigned w = 0; w < 4; ++w) {
            uint32_t value = 0;
            for (unsigned b = 0; b < 4; ++b) {
                const unsigned char* const at = here + 4 * w + b;
                if (at >= readable.first && at < readable.end) {
                    value |= uint32_t{*at} << (8 * b);
                }
            }
            to[w] = value;
        }
    }
}

/// The words of shared memory for that many bytes: with the bytes around them, and the words that
/// are read beside the last one.
__host__ __device__ constexpr unsigned words_for(unsigned bytes) {
    const unsigned words = bytes / 4 + 16;
    return (words + words / 32 * 4 + 8) / 4 * 4;
}

/// Many small blocks: while some wait for memory, others hash.
template <bool Spread, class Starts, class Out>
__global__ __launch_bounds__(string_threads, 12) void hash_kernel(const unsigned char* bytes,
                                                                  memory_region readable,
                                                                  Starts starts, uint64_t count,
                                                                  unsigned staged_bytes,
                                                                  uint64_t seed, Out out) {
    using entry = typename Out::entry;
    extern __shared__ uint4 memory[];
    auto* const words = reinterpret_cast<uint32_t*>(memory);
    const uint64_t first = uint64_t{blockIdx.x} * string_threads;
    const tile now(starts, first, count);
    entry digest;
    if (now.end - now.begin <= staged_bytes) {
        stage<Spread>(bytes, now, readable, words);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        const unsigned at = now.offset(bytes) + static_cast<unsigned>(now.from - now.begin);
        digest = digest_of_string<entry>(
            staged_string<Spread>{words, at, at + static_cast<unsigned>(now.size)}, now.size, seed);
    } else {
        digest = digest_of_string<entry>(
            string_in_place{bytes + now.from, now.size, readable.first, readable.end}, now.size,
            seed);
    }
    __syncwarp();
    const uint64_t i = first + threadIdx.x;
    out(i, i < count, digest);
}

/// Room for strings of a quarter more than the mean: more room means fewer blocks at a time.
unsigned staged_bytes_for(uint64_t mean) {
    constexpr uint64_t least = 1024;
    constexpr uint64_t most = 20'480;
    const uint64_t wanted = std::min(mean, most) * string_threads * 5 / 4 + 256;
    return static_cast<unsigned>(std::clamp(wanted, least, most));
}

template <class Out>
void start(const keys& strings, uint64_t base, uint64_t mean_bytes, uint64_t seed, Out out,
           cudaStream_t on) {
    const auto* const bytes = static_cast<const unsigned char*>(strings.data());
    const unsigned staged_bytes = staged_bytes_for(mean_bytes);
    const uint64_t readable =
        strings.what() == keys::kind::record ? strings.count() * strings.width() : strings.width();
    const auto run = [&]<bool Spread>(auto starts) {
        hash_kernel<Spread>
            <<<static_cast<unsigned>((strings.count() + string_threads - 1) / string_threads),
               string_threads, words_for(staged_bytes) * sizeof(uint32_t), on>>>(
                bytes, memory_region{bytes, bytes + readable}, starts, strings.count(),
                staged_bytes, seed, out);
    };
    switch (strings.what()) {
    case keys::kind::string32:
        run.template operator()<false>(
            at_offsets<int>{static_cast<const int*>(strings.offsets()), base});
        break;
    case keys::kind::string64:
        run.template operator()<false>(
            at_offsets<long long>{static_cast<const long long*>(strings.offsets()), base});
        break;
    default:
        if (strings.width() % 32 == 0) {
            run.template operator()<true>(at_records{strings.width()});
        } else {
            run.template operator()<false>(at_records{strings.width()});
        }
        break;
    }
    check_launch("hashing strings");
}

} // namespace

void hash(const keys& strings, uint64_t base, uint64_t mean_bytes, const detail::mixer& mix,
          void* digests, cudaStream_t on) {
    if (mix.wide) {
        start(strings, base, mean_bytes, mix.seed, wide_digests{static_cast<ulonglong2*>(digests)},
              on);
    } else {
        start(strings, base, mean_bytes, mix.seed,
              narrow_digests{static_cast<unsigned long long*>(digests)}, on);
    }
}

void insert_strings(const detail::target& into, const keys& strings, uint64_t base,
                    uint64_t mean_bytes, uint64_t seed, cudaStream_t on) {
    start(strings, base, mean_bytes, seed, insert_at_once{into}, on);
}

void ask_strings(const detail::target& of, const keys& strings, uint64_t base, uint64_t mean_bytes,
                 uint64_t seed, uint64_t* maybe, cudaStream_t on) {
    start(strings, base, mean_bytes, seed,
          ask_at_once{of, reinterpret_cast<uint32_t*>(maybe), (strings.count() + 63) / 64 * 2}, on);
}

} // namespace bloomery::inline v0::gpu::cuda
