// The bulk algorithm, written once. Each kernel's file includes this under its own compiler flags.
//
// Keys are taken in groups of 32. A group is hashed, its blocks are computed, and both go into a
// ring on the stack; with a large array, its lines are also prefetched. The group being processed
// was filled several groups ago, so that hashing, memory access and testing overlap. Its 32 answers
// are half a word of the bitmap.
//
// Everything is local to the including file: a function with linkage, compiled here for one
// processor, could replace the same function in a program that runs on another.
#pragma once

#include <bloomery/detail/kernel/shared_words.hpp>
#include <bloomery/detail/layout/scheme.hpp>

#include "blocks.hpp"
#include "mix8.hpp"
#include "pairs_wasm.hpp"
#include "table.hpp"

#if !defined(__wasm__) // which has no threads
#include "keep.hpp"
#endif

#include <cstddef>
#include <cstdint>

namespace bloomery::inline v0::kernel {
namespace {

constexpr std::size_t group = 32;
constexpr std::size_t ring_groups = 4;
/// How many groups are filled ahead: one to overlap, three (with prefetching) to wait for memory.
constexpr std::size_t groups_near = 1;
constexpr std::size_t groups_far = 3;

/// The ring: for blocks the first word and the bits, for the classic layout the digest.
struct ring {
    alignas(64) std::uint64_t first[group * ring_groups];
    alignas(64) std::uint64_t high[group * ring_groups];
};

/// Hashes or reads eight keys of a job.
template <source From>
BLOOMERY_INLINE auto take8(const job& work, std::size_t at) noexcept {
    if constexpr (From == source::integers) {
        return mix8(work.integers + at, work.seed);
    } else {
        return read8(work.hashed + at);
    }
}

#if defined(BLOOMERY_LANES_WASM)
/// The digest of one key of a job.
template <source From>
BLOOMERY_INLINE digest128 take(const job& work, std::size_t at) noexcept {
    if constexpr (From == source::integers) {
        return eight_mixed{work.integers, work.seed}[at];
    } else {
        return work.hashed[at];
    }
}
#endif

/// Calls `put(eight, slot)` for each eight keys of a group.
template <source From, class Put>
BLOOMERY_INLINE void fill(const job& work, std::size_t at, Put put) noexcept {
    const std::size_t slot = at % (group * ring_groups);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < group; i += 8) {
        put(take8<From>(work, at + i), slot + i);
    }
}

/// Runs `prepare(at)` for each group of a job some groups before `finish(at)`.
template <class Prepare, class Finish>
BLOOMERY_INLINE void in_groups(const job& work, Prepare prepare, Finish finish) noexcept {
    const std::size_t lag = group * (work.ask_ahead ? groups_far : groups_near);
    std::size_t prepared = 0;
    for (std::size_t at = 0; at < work.count; at += group) {
        for (; prepared < work.count && prepared <= at + lag; prepared += group) {
            prepare(prepared);
        }
        finish(at);
    }
}

/// Stores the answers of the group at `at`: its half of a word.
BLOOMERY_INLINE void put_answers(const job& work, std::size_t at, std::uint32_t answers) noexcept {
    if (at % 64 == 0) {
        work.answers[at / 64] = answers;
    } else {
        work.answers[at / 64] |= std::uint64_t{answers} << 32U;
    }
}

/// Does one verb to the keys of a group: `test(answers, i)` appends an answer, `set(i)` inserts.
template <verb Verb, class Test, class Set>
BLOOMERY_INLINE void finish_group(const job& work, std::size_t at, Test test, Set set) noexcept {
    if constexpr (Verb == verb::contains) {
        std::uint32_t answers = 0;
#pragma GCC unroll 4
        for (std::size_t i = 0; i < group; ++i) {
            answers = test(answers, group - 1 - i); // so that the first key's bit is the lowest
        }
        put_answers(work, at, answers);
    } else if constexpr (Verb == verb::try_insert) {
        std::uint32_t answers = 0;
        for (std::size_t i = 0; i < group; ++i) {
            answers |= static_cast<std::uint32_t>(set(i)) << i;
        }
        put_answers(work, at, answers);
    } else {
#pragma GCC unroll 4
        for (std::size_t i = 0; i < group; ++i) {
            set(i);
        }
    }
}

/// A bulk call on a blocked layout, for whole groups.
template <layout_kind Kind, verb Verb, source From, access Who>
[[gnu::noinline]] void on_blocks(const target_for<Verb>& on, const job& work) noexcept {
    using ops = block<Kind>;
    constexpr unsigned shift = ops::word_count == 4 ? 2 : 3;
    ring ahead;
    auto* const words = on.words;
    const std::uint64_t blocks = on.block_count;
    const std::uint32_t k = on.hash_count;
    in_groups(
        work,
        [&](std::size_t at) {
            fill<From>(work, at, [&](const auto& digests, std::size_t slot) {
                place8<shift>(digests, blocks, ahead.first + slot, ahead.high + slot);
            });
            if (work.ask_ahead) {
                const std::size_t slot = at % (group * ring_groups);
                for (std::size_t i = slot; i < slot + group; ++i) {
                    __builtin_prefetch(words + ahead.first[i], 0, 2); // to L2: see performance.md
                }
            }
        },
        [&](std::size_t at) {
            const std::uint64_t* const first = ahead.first + at % (group * ring_groups);
            const std::uint64_t* const high = ahead.high + at % (group * ring_groups);
            finish_group<Verb>(
                work, at,
                [=](std::uint32_t answers, std::size_t i) {
                    return ops::template append<Who>(answers, words + first[i], high[i], k);
                },
                [=](auto i) { // not compiled for queries
                    return ops::template insert<Who>(words + first[i], high[i], k);
                });
        });
}

#if defined(BLOOMERY_LANES_WASM)
/// The same, two keys at a time, for queries and for inserts without answers. There is no ring,
/// because nothing can be prefetched.
template <layout_kind Kind, verb Verb, source From, access Who>
[[gnu::noinline]] void on_pairs(const target_for<Verb>& on, const job& work) noexcept {
    using ops = block<Kind>;
    constexpr unsigned shift = ops::word_count == 4 ? 2 : 3;
    auto* const words = on.words;
    const std::uint32_t k = on.hash_count;
    const auto blocks = static_cast<std::uint32_t>(on.block_count); // more do not fit into memory
    for (std::size_t at = 0; at < work.count; at += group) {
        std::uint32_t answers = 0;
        for (std::size_t i = 0; i < group; i += 2) {
            const digest128 a = take<From>(work, at + i);
            const digest128 b = take<From>(work, at + i + 1);
            auto* const first = words + (hash::fastrange(a.low, blocks) << shift);
            auto* const second = words + (hash::fastrange(b.low, blocks) << shift);
            if constexpr (has_pairs<Kind>) {
                const v128_t high = wasm_u64x2_make(a.high, b.high);
                if constexpr (Verb == verb::contains) {
                    answers |= contains_pair<Kind>(first, second, high) << i;
                } else {
                    insert_pair<Kind>(first, second, high);
                }
            } else if constexpr (Verb == verb::contains) {
                answers |= ops::template append<Who>(0, first, a.high, k) << i;
                answers |= ops::template append<Who>(0, second, b.high, k) << (i + 1);
            } else {
                ops::template insert<Who>(first, a.high, k);
                ops::template insert<Who>(second, b.high, k);
            }
        }
        if constexpr (Verb == verb::contains) {
            put_answers(work, at, answers);
        }
    }
}
#endif

/// The same on the classic layout: all k probes are prefetched, then done without a branch.
template <verb Verb, source From, access Who>
[[gnu::noinline]] void on_classic(const target_for<Verb>& on, const job& work) noexcept {
    ring ahead; // the digests: low in `first`
    auto* const words = on.words;
    const std::uint64_t bits = on.block_count;
    const std::uint32_t k = on.hash_count;
    const auto for_each_bit = [&](std::size_t slot, auto visit) {
        auto walk = layout::native_scheme::walk(digest128{ahead.first[slot], ahead.high[slot]});
        for (std::uint32_t i = 0; i < k; ++i) {
            visit(hash::fastrange(walk.next(), bits));
        }
    };
    in_groups(
        work,
        [&](std::size_t at) {
            fill<From>(work, at, [&](const auto& digests, std::size_t slot) {
                store8(digests, ahead.first + slot, ahead.high + slot);
            });
            if (work.ask_ahead) {
                const std::size_t slot = at % (group * ring_groups);
                for (std::size_t i = slot; i < slot + group; ++i) {
                    for_each_bit(
                        i, [&](std::uint64_t bit) { __builtin_prefetch(words + bit / 64, 0, 2); });
                }
            }
        },
        [&](std::size_t at) {
            const std::size_t slot = at % (group * ring_groups);
            finish_group<Verb>(
                work, at,
                [&](std::uint32_t answers, std::size_t i) {
                    std::uint64_t all = 1;
                    for_each_bit(slot + i,
                                 [&](std::uint64_t bit) { all &= down_to<Who>(words, bit); });
                    return answers << 1U | static_cast<std::uint32_t>(all & 1U);
                },
                [&](auto i) {
                    std::uint64_t fresh = 0;
                    if constexpr (Verb != verb::contains) { // whose words are const
                        for_each_bit(slot + i,
                                     [&](std::uint64_t bit) { set_bit<Who>(words, bit, fresh); });
                    }
                    return fresh != 0;
                });
        });
}

/// A bulk call on any number of keys: whole groups, then the rest as a group in which the last key
/// is repeated. Inserting a key again changes nothing, and the answers past the end are discarded.
template <layout_kind Kind, verb Verb, source From, access Who>
void on_any(const target_for<Verb>& on, const job& work) noexcept {
    constexpr bulk_call<target_for<Verb>> groups = [] {
        if constexpr (Kind == layout_kind::classic) {
            return on_classic<Verb, From, Who>;
#if defined(BLOOMERY_LANES_WASM)
        } else if constexpr (Verb != verb::try_insert) {
            return on_pairs<Kind, Verb, From, Who>;
#endif
        } else {
            return on_blocks<Kind, Verb, From, Who>;
        }
    }();
    job whole = work;
    whole.count -= work.count % group;
    groups(on, whole);
    if (whole.count == work.count) {
        return;
    }
    std::uint64_t integers[group];
    digest128 hashed[group];
    for (std::size_t i = 0; i < group; ++i) {
        const std::size_t from = whole.count + i < work.count ? whole.count + i : work.count - 1;
        if constexpr (From == source::integers) {
            integers[i] = work.integers[from];
        } else {
            hashed[i] = work.hashed[from];
        }
    }
    std::uint64_t answers = 0;
    groups(on, {hashed, integers, group, work.seed, &answers, work.ask_ahead});
    if constexpr (Verb != verb::insert) {
        const std::uint64_t wanted = (std::uint64_t{1} << (work.count % group)) - 1;
        put_answers(work, whole.count, static_cast<std::uint32_t>(answers & wanted));
    }
}

/// The digests of integers.
BLOOMERY_INLINE void mix_all(const std::uint64_t* keys, std::size_t count, std::uint64_t seed,
                             digest128* into) noexcept {
    std::size_t done = 0;
    for (; done + 8 <= count; done += 8) {
        write8(mix8(keys + done, seed), into + done);
    }
    if (done != count) {
        std::uint64_t last[8] = {};
        digest128 mixed[8];
        for (std::size_t i = done; i < count; ++i) {
            last[i - done] = keys[i];
        }
        write8(mix8(last, seed), mixed);
        for (std::size_t i = done; i < count; ++i) {
            into[i] = mixed[i - done];
        }
    }
}

template <layout_kind Kind, verb Verb>
constexpr bulk_calls_of<target_for<Verb>> calls_of() noexcept {
    return {{{on_any<Kind, Verb, source::hashed, access::alone>,
              on_any<Kind, Verb, source::hashed, among_threads>},
             {on_any<Kind, Verb, source::integers, access::alone>,
              on_any<Kind, Verb, source::integers, among_threads>}}};
}

template <layout_kind Kind>
constexpr layout_functions functions_of() noexcept {
    return {calls_of<Kind, verb::insert>(), calls_of<Kind, verb::try_insert>(),
            calls_of<Kind, verb::contains>()};
}

constexpr bulk_functions make_bulk() noexcept {
    return {{functions_of<layout_kind::classic>(), functions_of<layout_kind::blocked_512>(),
             functions_of<layout_kind::split_8x32>(), functions_of<layout_kind::split_8x64>(),
             functions_of<layout_kind::split_16x32>()},
#if defined(__wasm__)
            nullptr,
            nullptr};
#else
            keep_integers,
            keep_digests};
#endif
}

} // namespace
} // namespace bloomery::inline v0::kernel
