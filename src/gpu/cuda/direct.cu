// Inserts and queries key by key, each wherever its block is: as fast as the memory answers.
#include "keys.cuh"

namespace bloomery::inline v0::gpu::cuda {

namespace {

/// How many keys a lane has in flight.
template <layout_kind Kind>
constexpr unsigned asked_at_once = detail::block<Kind>::words == 4 ? 4 : 2;

template <layout_kind Kind, class Keys>
__global__ __launch_bounds__(usual_threads) void ask_kernel(const uint64_t* __restrict__ words,
                                                            uint64_t blocks, Keys keys,
                                                            uint64_t count, uint32_t* maybe) {
    constexpr unsigned each = asked_at_once<Kind>;
    const unsigned lane = threadIdx.x % warp;
    const uint64_t first = (uint64_t{blockIdx.x} * usual_threads + threadIdx.x - lane) * each;
    if (first >= count) {
        return;
    }
    typename Keys::raw raw[each];
    typename Keys::entry key[each];
    loaded<Kind> found[each];
#pragma unroll
    for (unsigned k = 0; k < each; ++k) {
        const uint64_t i = first + k * warp + lane;
        raw[k] = keys.read(i < count ? i : count - 1);
    }
#pragma unroll
    for (unsigned k = 0; k < each; ++k) {
        key[k] = keys.digest(raw[k]);
        found[k].load(words, key[k].low, blocks);
    }
    uint32_t mine = 0;
#pragma unroll
    for (unsigned k = 0; k < each; ++k) {
        const bool is_key = first + k * warp + lane < count;
        const uint32_t all = __ballot_sync(~0U, is_key && found[k].has(key[k].high()));
        mine = lane == k ? all : mine;
    }
    // Answers are whole words of 64 bits.
    if (lane < each && first + lane * warp < (count + 63) / 64 * 64) {
        maybe[first / warp + lane] = mine;
    }
}

constexpr unsigned inserted_at_once = 4;

template <layout_kind Kind, class Keys>
__global__ __launch_bounds__(usual_threads) void insert_kernel(uint64_t* words, uint64_t blocks,
                                                               Keys keys, uint64_t count) {
    const unsigned lane = threadIdx.x % warp;
    const uint64_t first =
        (uint64_t{blockIdx.x} * usual_threads + threadIdx.x - lane) * inserted_at_once;
    if (first >= count) {
        return;
    }
    typename Keys::raw raw[inserted_at_once];
#pragma unroll
    for (unsigned k = 0; k < inserted_at_once; ++k) {
        const uint64_t i = first + k * warp + lane;
        raw[k] = keys.read(i < count ? i : count - 1); // the last key again changes nothing
    }
#pragma unroll
    for (unsigned k = 0; k < inserted_at_once; ++k) {
        insert_by_lanes<Kind>(words, blocks, keys.digest(raw[k]));
    }
}

template <layout_kind Kind, class Keys>
__global__ __launch_bounds__(usual_threads) void try_insert_kernel(uint64_t* words, uint64_t blocks,
                                                                   Keys keys, uint64_t count,
                                                                   uint32_t* fresh) {
    constexpr unsigned lanes = detail::block<Kind>::words;
    const unsigned lane = threadIdx.x % warp;
    const unsigned word = lane % lanes;
    const uint64_t first = uint64_t{blockIdx.x} * usual_threads + threadIdx.x - lane;
    if (first >= (count + 63) / 64 * 64) {
        return;
    }
    const uint64_t i = first + lane;
    const auto mine = keys.digest(keys.read(i < count ? i : count - 1));
    uint32_t answers = 0;
#pragma unroll
    for (unsigned round = 0; round < lanes; ++round) {
        const unsigned from = round * (warp / lanes) + lane / lanes;
        const auto key = mine.from_lane(from);
        bool is_new = false;
        // The last key must not be inserted twice: the first insert would not be the one that
        // counts.
        if (first + from < count) {
            const uint64_t bits = detail::block<Kind>::word(key.high(), word);
            const uint64_t before =
                atomicOr(reinterpret_cast<unsigned long long*>(
                             words + detail::block<Kind>::first(key.low, blocks) + word),
                         bits);
            is_new = (bits & ~before) != 0;
        }
        const uint32_t all = __ballot_sync(~0U, is_new);
#pragma unroll
        for (unsigned group = 0; group < warp / lanes; ++group) {
            const uint32_t of_key = all >> (group * lanes) & ((1U << lanes) - 1);
            answers |= static_cast<uint32_t>(of_key != 0) << (round * (warp / lanes) + group);
        }
    }
    if (lane == 0) {
        fresh[first / warp] = answers;
    }
}

} // namespace

void ask(const detail::target& of, const detail::source& keys, uint64_t* maybe, cudaStream_t on) {
    detail::with_block(of.layout, [&]<layout_kind Kind>(detail::block<Kind> /*which*/) {
        with_keys(keys, [&](auto from) {
            ask_kernel<Kind><<<blocks_for(keys.count, asked_at_once<Kind>), usual_threads, 0, on>>>(
                of.words, of.blocks, from, keys.count, reinterpret_cast<uint32_t*>(maybe));
        });
    });
    check_launch("querying keys");
}

void insert(const detail::target& into, const detail::source& keys, cudaStream_t on) {
    detail::with_block(into.layout, [&]<layout_kind Kind>(detail::block<Kind> /*which*/) {
        with_keys(keys, [&](auto from) {
            insert_kernel<Kind><<<blocks_for(keys.count, inserted_at_once), usual_threads, 0, on>>>(
                into.words, into.blocks, from, keys.count);
        });
    });
    check_launch("inserting keys");
}

void try_insert(const detail::target& into, const detail::source& keys, uint64_t* fresh,
                cudaStream_t on) {
    detail::with_block(into.layout, [&]<layout_kind Kind>(detail::block<Kind> /*which*/) {
        with_keys(keys, [&](auto from) {
            // A warp more than keys need may have the second half of a word of answers.
            try_insert_kernel<Kind><<<blocks_for(keys.count + warp, 1), usual_threads, 0, on>>>(
                into.words, into.blocks, from, keys.count, reinterpret_cast<uint32_t*>(fresh));
        });
    });
    check_launch("inserting keys");
}

} // namespace bloomery::inline v0::gpu::cuda
