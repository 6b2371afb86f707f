// Bulk calls for layouts without a kernel: the positions of a key are computed and prefetched
// several keys before its bits are read.
//
// For an absent key, the first probes are almost always enough, so a query fetches the others only
// after those were found set.
#pragma once

#include <bloomery/detail/kernel/shared_words.hpp>
#include <bloomery/kernel/kernel.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::inline v0::layout {

namespace detail {

inline constexpr std::uint32_t first_probes = 2;
/// How many keys are in flight, and how many positions of each are kept. More keys evict each
/// other's lines from the first-level cache before they are read.
inline constexpr std::size_t keys_ahead = 12;
inline constexpr std::uint32_t most_kept = 32;
/// Queries remember which keys of a run passed the first probes, so many at a time.
inline constexpr std::size_t most_passed = 512;

/// A layout that can tell some positions of a key, and never throws.
template <class Layout, class Digest>
concept has_places =
    !requires { requires Layout::may_throw; } && requires(const Layout& in, const Digest& key) {
        in.each_place(key, 0U, 1U, [](std::uint64_t) { return true; });
    };

/// Whether to fetch ahead: smaller arrays are in the caches anyway, and a key with very many probes
/// keeps the memory busy by itself.
template <class Layout>
[[nodiscard]] bool is_worth_fetching(const Layout& in, std::size_t keys) noexcept {
    return keys > 1 && in.hash_count() <= most_kept &&
           in.bit_count() / 8 > kernel::cache_byte_count();
}

/// Calls `use(i, places)` for each i below `count` in turn, with the positions from probe `first`
/// up to `last` of `key(i)`, which were prefetched `keys_ahead` keys earlier.
template <bool ToWrite, class Layout, class Unit, class Key, class Use>
BLOOMERY_INLINE void each_fetched(const Layout& in, const Unit* bits, std::size_t count, Key key,
                                  std::uint32_t first, std::uint32_t last, Use use) {
    std::array<std::array<std::uint64_t, most_kept>, keys_ahead> in_flight; // NOLINT: not zeroed
    std::size_t turn = 0;
    for (std::size_t i = 0; i < count + keys_ahead; ++i) {
        auto& slot = in_flight[turn];
        turn = turn + 1 == keys_ahead ? 0 : turn + 1;
        if (i >= keys_ahead) {
            use(i - keys_ahead, std::span<const std::uint64_t>(slot.data(), last - first));
        }
        if (i < count) {
            std::uint64_t* next = slot.data();
            in.each_place(key(i), first, last, [&](std::uint64_t place) {
                *next++ = place;
                __builtin_prefetch(bits + place / (8 * sizeof(Unit)), ToWrite ? 1 : 0);
                return true;
            });
        }
    }
}

/// Whether all of some positions are set.
template <kernel::access Who, class Unit>
[[nodiscard]] BLOOMERY_INLINE bool are_set(const Unit* bits,
                                           std::span<const std::uint64_t> places) noexcept {
    for (const std::uint64_t place : places) {
        if (!kernel::bit_in<Who>(bits, place)) {
            return false;
        }
    }
    return true;
}

/// As ask_run, for an array that is worth it.
template <kernel::access Who, class Layout, class Unit, class Digest>
void ask_ahead(const Layout& in, const Unit* bits, std::span<const Digest> keys,
               std::uint64_t* maybe) {
    const std::uint32_t all = in.hash_count();
    const std::uint32_t some = first_probes < all ? first_probes : all;
    for (std::size_t from = 0; from < keys.size(); from += most_passed) {
        const std::size_t count =
            keys.size() - from < most_passed ? keys.size() - from : most_passed;
        for (std::size_t word = from / 64; word * 64 < from + count; ++word) {
            maybe[word] = 0;
        }
        std::array<std::uint16_t, most_passed> passed; // NOLINT: not zeroed
        std::size_t left = 0;
        each_fetched<false>(
            in, bits, count, [&](std::size_t i) -> const Digest& { return keys[from + i]; }, 0,
            some,
            [&](std::size_t i, std::span<const std::uint64_t> places) {
                passed[left] = static_cast<std::uint16_t>(i);
                left += !in.is_nothing(keys[from + i]) && are_set<Who>(bits, places) ? 1U : 0U;
            });
        each_fetched<false>(
            in, bits, left, [&](std::size_t i) -> const Digest& { return keys[from + passed[i]]; },
            some, all,
            [&](std::size_t i, std::span<const std::uint64_t> places) {
                const std::size_t at = from + passed[i];
                maybe[at / 64] |= std::uint64_t{are_set<Who>(bits, places)} << (at % 64);
            });
    }
}

/// Bit i % 64 of word i / 64 of `answers` becomes `answer(i)`, for each i below `count` in turn.
template <class Answer>
BLOOMERY_INLINE void each_answer(std::size_t count, std::uint64_t* answers, Answer answer) {
    for (std::size_t from = 0; from < count; from += 64) {
        std::uint64_t word = 0;
        for (std::size_t i = from; i < count && i < from + 64; ++i) {
            word |= std::uint64_t{answer(i)} << (i - from);
        }
        answers[from / 64] = word;
    }
}

/// A layout whose bits of a key are all in one block, found at once.
template <class Layout, class Unit, class Digest>
concept in_one_block = requires { requires Layout::template finds_blocks<Unit, Digest>; };

/// `each_answer` for all keys of such a layout, with each block prefetched `keys_ahead` keys before
/// it is used.
template <class Layout, class Unit, class Digest, class Answer>
void each_block_answer(const Layout& in, const Unit* bits, std::span<const Digest> keys,
                       std::uint64_t* answers, Answer answer) {
    for (std::size_t i = 0; i < keys.size() && i < keys_ahead; ++i) {
        in.prefetch(bits, keys[i]);
    }
    each_answer(keys.size(), answers, [&](std::size_t i) {
        if (i + keys_ahead < keys.size()) {
            in.prefetch(bits, keys[i + keys_ahead]);
        }
        return answer(i);
    });
}

} // namespace detail

/// Bit i of `maybe`, which has (n + 63) / 64 words, becomes whether all bits of key i are set; bits
/// past the last key are cleared. `bits` are words or bytes. O(n k); throws what the layout does.
template <kernel::access Who = kernel::access::alone, class Layout, class Unit, class Digest>
void ask_run(const Layout& in, const Unit* bits, std::span<const Digest> keys,
             std::uint64_t* maybe) {
    const auto ask = [&](std::size_t i) { return in.template may_contain<Who>(bits, keys[i]); };
    if constexpr (kernel::prefetches && detail::has_places<Layout, Digest>) {
        if (detail::is_worth_fetching(in, keys.size())) {
            if constexpr (detail::in_one_block<Layout, Unit, Digest>) {
                return detail::each_block_answer(in, bits, keys, maybe, ask);
            } else {
                return detail::ask_ahead<Who>(in, bits, keys, maybe);
            }
        }
    }
    detail::each_answer(keys.size(), maybe, ask);
}

/// Sets all bits of each key, in order; bit i of `fresh`, of the same size, becomes whether key i
/// changed any. O(n k); throws what the layout throws; earlier keys are then inserted.
template <kernel::access Who = kernel::access::alone, class Layout, class Unit, class Digest>
void insert_run(const Layout& in, Unit* bits, std::span<const Digest> keys, std::uint64_t* fresh) {
    const auto insert = [&](std::size_t i) { return in.template insert<Who>(bits, keys[i]); };
    if constexpr (kernel::prefetches && detail::has_places<Layout, Digest>) {
        if (detail::is_worth_fetching(in, keys.size())) {
            if constexpr (detail::in_one_block<Layout, Unit, Digest>) {
                return detail::each_block_answer(in, bits, keys, fresh, insert);
            }
            for (std::size_t word = 0; word * 64 < keys.size(); ++word) {
                fresh[word] = 0;
            }
            return detail::each_fetched<true>(
                in, bits, keys.size(), [&](std::size_t i) -> const Digest& { return keys[i]; }, 0,
                in.hash_count(),
                [&](std::size_t i, std::span<const std::uint64_t> places) {
                    if (in.is_nothing(keys[i])) {
                        return;
                    }
                    std::uint64_t changed = 0;
                    for (const std::uint64_t place : places) {
                        kernel::set_bit_in<Who>(bits, place, changed);
                    }
                    fresh[i / 64] |= std::uint64_t{changed != 0} << (i % 64);
                });
        }
    }
    detail::each_answer(keys.size(), fresh, insert);
}

} // namespace bloomery::inline v0::layout
