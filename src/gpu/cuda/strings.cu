// Digests of byte strings: XXH3, one string per thread.
//
// Neighbouring threads read neighbouring strings, a word here and a word there, which memory is bad
// at. So a block first copies its strings to shared memory as they come, and hashes them there.
#include <bloomery/detail/hash/xxh3_anywhere.hpp>

#include "launch.cuh"

namespace bloomery::inline v0::gpu::cuda {

namespace {

/// The words that a block stages: enough for strings of 128 bytes on average.
constexpr unsigned staged_words = usual_threads * 16;
/// After 16 words, one is left out, so that strings of equal length are not all in one bank.
__device__ inline unsigned spread_out(unsigned word) { return word + word / 16; }
constexpr unsigned shared_words = staged_words + staged_words / 16 + 2;

/// The 8 bytes at an offset, from the two words that they are in.
__device__ inline uint64_t joined(uint64_t low, uint64_t high, unsigned offset) {
    const unsigned shift = offset % 8 * 8;
    return low >> shift | (high << 1) << (63 - shift);
}

/// A string in shared memory, `begin` bytes after the first word.
struct staged_string {
    const uint64_t* words;
    unsigned begin;

    [[nodiscard]] __device__ uint64_t word64(uint64_t at) const {
        const unsigned from = begin + static_cast<unsigned>(at);
        return joined(words[spread_out(from / 8)], words[spread_out(from / 8 + 1)], from);
    }
    [[nodiscard]] __device__ uint32_t word32(uint64_t at) const {
        return static_cast<uint32_t>(word64(at));
    }
    [[nodiscard]] __device__ uint8_t byte(uint64_t at) const {
        const unsigned from = begin + static_cast<unsigned>(at);
        return static_cast<uint8_t>(words[spread_out(from / 8)] >> (from % 8 * 8));
    }
};

/// A string where it is. Whole words are read only where all of their bytes belong to the strings.
struct string_in_place {
    const unsigned char* bytes;
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

struct to_narrow {
    unsigned long long* digests;
    uint64_t seed;
    template <class String>
    __device__ void operator()(uint64_t i, const String& key, uint64_t size) const {
        digests[i] = hash::detail::xxh3_64_of(key, size, seed);
    }
};
struct to_wide {
    ulonglong2* digests;
    uint64_t seed;
    template <class String>
    __device__ void operator()(uint64_t i, const String& key, uint64_t size) const {
        const digest128 both = hash::detail::xxh3_128_of(key, size, seed);
        digests[i] = make_ulonglong2(both.low, both.high);
    }
};

/// Copies the words that have bytes from `from` to `to`; returns the offset of the first byte.
__device__ inline unsigned stage(const unsigned char* from, const unsigned char* to,
                                 uint64_t* words) {
    const auto offset = static_cast<unsigned>(reinterpret_cast<uintptr_t>(from) % 8);
    const unsigned char* const start = from - offset;
    const auto count = static_cast<unsigned>((to - start + 7) / 8);
    for (unsigned i = threadIdx.x; i < count; i += usual_threads) {
        const unsigned char* const word = start + uint64_t{8} * i;
        uint64_t value = 0;
        if (word >= from && word + 8 <= to) {
            value = __ldcs(reinterpret_cast<const unsigned long long*>(word));
        } else { // nothing beside the strings may be read
            for (unsigned b = 0; b < 8; ++b) {
                if (word + b >= from && word + b < to) {
                    value |= uint64_t{word[b]} << (8 * b);
                }
            }
        }
        words[spread_out(i)] = value;
    }
    return offset;
}

template <class Starts, class Out>
__global__ __launch_bounds__(usual_threads) void hash_kernel(const unsigned char* bytes,
                                                             Starts starts, uint64_t count,
                                                             Out out) {
    __shared__ uint64_t words[shared_words];
    const uint64_t first = uint64_t{blockIdx.x} * usual_threads;
    const uint64_t last = first + usual_threads < count ? first + usual_threads : count;
    const uint64_t begin = starts(first);
    const uint64_t end = starts(last);
    const uint64_t i = first + threadIdx.x;
    // One word more is read beside the last byte of a string.
    if (end - begin <= (staged_words - 2) * 8) {
        const unsigned offset = stage(bytes + begin, bytes + end, words);
        __syncthreads();
        if (i < last) {
            const uint64_t from = starts(i);
            out(i, staged_string{words, offset + static_cast<unsigned>(from - begin)},
                starts(i + 1) - from);
        }
    } else if (i < last) {
        const uint64_t from = starts(i);
        out(i, string_in_place{bytes + from, bytes + begin, bytes + end}, starts(i + 1) - from);
    }
}

} // namespace

void hash(const keys& strings, uint64_t base, const detail::mixer& mix, void* digests,
          cudaStream_t on) {
    const auto start = [&](auto starts) {
        const auto* const bytes = static_cast<const unsigned char*>(strings.data());
        const auto run = [&](auto out) {
            hash_kernel<<<blocks_for(strings.count(), 1), usual_threads, 0, on>>>(
                bytes, starts, strings.count(), out);
        };
        if (mix.wide) {
            run(to_wide{static_cast<ulonglong2*>(digests), mix.seed});
        } else {
            run(to_narrow{static_cast<unsigned long long*>(digests), mix.seed});
        }
    };
    switch (strings.what()) {
    case keys::kind::string32:
        start(at_offsets<int>{static_cast<const int*>(strings.offsets()), base});
        break;
    case keys::kind::string64:
        start(at_offsets<long long>{static_cast<const long long*>(strings.offsets()), base});
        break;
    default:
        start(at_records{strings.width()});
        break;
    }
    check_launch("hashing strings");
}

} // namespace bloomery::inline v0::gpu::cuda
