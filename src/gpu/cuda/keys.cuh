// Keys as kernels read them: any form of a source becomes an entry, a digest of 64 or 128 bits.
#pragma once

#include <bloomery/detail/gpu/block.hpp>

#include "launch.cuh"

namespace bloomery::inline v0::gpu::cuda {

/// A digest of 64 bits, whose second word follows from the first.
struct narrow {
    uint64_t low;
    [[nodiscard]] __device__ uint64_t high() const { return low * digest_step; }
    [[nodiscard]] __device__ narrow from_lane(unsigned lane) const {
        return {__shfl_sync(~0U, low, static_cast<int>(lane))};
    }
};
/// A digest of 128 bits.
struct alignas(16) wide {
    uint64_t low;
    uint64_t second;
    [[nodiscard]] __device__ uint64_t high() const { return second; }
    [[nodiscard]] __device__ wide from_lane(unsigned lane) const {
        return {__shfl_sync(~0U, low, static_cast<int>(lane)),
                __shfl_sync(~0U, second, static_cast<int>(lane))};
    }
};

/// Read once: must not displace the filter from the caches.
__device__ inline narrow read_once(const narrow* at) {
    return {__ldcs(reinterpret_cast<const unsigned long long*>(at))};
}
__device__ inline wide read_once(const wide* at) {
    const ulonglong2 both = __ldcs(reinterpret_cast<const ulonglong2*>(at));
    return {both.x, both.y};
}

/// Integers of 8 or 4 bytes.
template <class Word, class Entry>
struct integers {
    using entry = Entry;
    using raw = Word;
    const Word* data;
    detail::mixer mix;
    bool is_signed;

    [[nodiscard]] __device__ Word read(uint64_t i) const { return __ldcs(data + i); }
    [[nodiscard]] __device__ Entry digest(Word key) const {
        uint64_t full = key;
        if constexpr (sizeof(Word) == 4) {
            full = is_signed ? static_cast<uint64_t>(static_cast<int64_t>(static_cast<int>(key)))
                             : full;
        }
        if constexpr (sizeof(Entry) == 16) {
            const digest128 both = mix(full);
            return {both.low, both.high};
        } else {
            return {mix.low(full)};
        }
    }
};

/// Digests, as they are.
template <class Entry>
struct digests {
    using entry = Entry;
    using raw = Entry;
    const Entry* data;

    [[nodiscard]] __device__ Entry read(uint64_t i) const { return read_once(data + i); }
    [[nodiscard]] __device__ Entry digest(Entry key) const { return key; }
};

/// Calls `with` with a source as one of these.
template <class With>
void with_keys(const detail::source& keys, With with) {
    using form = detail::source::form;
    const auto mixed = [&]<class Word>(const Word* data) {
        const bool is_signed = keys.what == form::i32;
        if (keys.mix.wide) {
            with(integers<Word, wide>{data, keys.mix, is_signed});
        } else {
            with(integers<Word, narrow>{data, keys.mix, is_signed});
        }
    };
    switch (keys.what) {
    case form::u64:
        return mixed(static_cast<const unsigned long long*>(keys.data));
    case form::u32:
    case form::i32:
        return mixed(static_cast<const unsigned*>(keys.data));
    case form::hashed:
        return with(digests<narrow>{static_cast<const narrow*>(keys.data)});
    case form::digest:
        return with(digests<wide>{static_cast<const wide*>(keys.data)});
    }
}

template <class With>
void with_entry(bool is_wide, With with) {
    if (is_wide) {
        with(wide{});
    } else {
        with(narrow{});
    }
}

// One key against one block.

__device__ inline void set_bits(uint64_t* word, uint64_t bits) {
    (void)atomicOr(reinterpret_cast<unsigned long long*>(word), bits);
}

/// A block in registers, in loads of 16 bytes.
template <layout_kind Kind>
struct loaded {
    static constexpr unsigned halves = detail::block<Kind>::words / 2;
    ulonglong2 half[halves];

    __device__ void load(const uint64_t* words, uint64_t low, uint64_t blocks) {
        const auto* const from =
            reinterpret_cast<const ulonglong2*>(words + detail::block<Kind>::first(low, blocks));
#pragma unroll
        for (unsigned i = 0; i < halves; ++i) {
            half[i] = from[i];
        }
    }
    [[nodiscard]] __device__ bool has(uint64_t high) const {
        uint64_t missing = 0;
#pragma unroll
        for (unsigned i = 0; i < halves; ++i) {
            missing |= detail::block<Kind>::word(high, 2 * i) & ~half[i].x;
            missing |= detail::block<Kind>::word(high, 2 * i + 1) & ~half[i].y;
        }
        return missing == 0;
    }
};

/// The keys of a warp, one in each lane, inserted by as many lanes per key as a block has words, so
/// that one instruction sets whole blocks.
template <layout_kind Kind, class Entry>
__device__ void insert_by_lanes(uint64_t* words, uint64_t blocks, const Entry& mine) {
    constexpr unsigned lanes = detail::block<Kind>::words;
    const unsigned lane = threadIdx.x % warp;
    const unsigned word = lane % lanes;
#pragma unroll
    for (unsigned round = 0; round < lanes; ++round) {
        const Entry key = mine.from_lane(round * (warp / lanes) + lane / lanes);
        set_bits(words + detail::block<Kind>::first(key.low, blocks) + word,
                 detail::block<Kind>::word(key.high(), word));
    }
}

// For the few keys that have no room; a call, so that it takes no registers from the others.

template <layout_kind Kind>
__device__ __noinline__ void insert_one(uint64_t* words, uint64_t blocks, uint64_t low,
                                        uint64_t high) {
    uint64_t* const at = words + detail::block<Kind>::first(low, blocks);
    for (unsigned j = 0; j < detail::block<Kind>::words; ++j) {
        set_bits(at + j, detail::block<Kind>::word(high, j));
    }
}

template <layout_kind Kind>
__device__ __noinline__ bool ask_one(const uint64_t* words, uint64_t blocks, uint64_t low,
                                     uint64_t high) {
    loaded<Kind> found;
    found.load(words, low, blocks);
    return found.has(high);
}

} // namespace bloomery::inline v0::gpu::cuda
