// How a key changes a block of unary counters.
// The k chains of a key are followed in parallel in the unchanged block; only then are their bits
// set, and the k new bits inserted. This is why an update takes only a few dozen nanoseconds: the
// chains do not wait for each other. It works because different chains end at different bits; if a
// key has the same position twice, its positions are processed one after the other.
//
// Private to the kernels, and compiled once for each: everything is local to the including file.
#pragma once

#include <bloomery/detail/kernel/accurate_block.hpp>

#include "accurate_view.hpp"
#include "table.hpp"

#include <cstdint>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace bloomery::inline v0::kernel {
namespace {

/// Inserts a 0 for each chain where the bit is that it will own; all at once, by instructions that
/// deposit bits, if the processor has such and they are fast.
template <bool Deposits, std::uint32_t Words>
BLOOMERY_INLINE void open_all(view<Words>& block, const chain_ends& of, std::uint32_t k,
                              [[maybe_unused]] std::uint32_t places) noexcept {
#if defined(__BMI2__)
    if constexpr (Deposits) {
        std::uint64_t kept[Words];
        for (std::uint64_t& word : kept) {
            word = ~std::uint64_t{0};
        }
        for (std::uint32_t i = 0; i < k; ++i) {
            const std::uint32_t at = of.owned[i] + of.order_of(i, k);
            kept[at / 64] ^= std::uint64_t{1} << at % 64;
        }
        std::uint64_t before = 0; // the word before, as it was
        for (std::uint32_t i = places / 64, opened = 0; i < Words; ++i) {
            const std::uint64_t word = block.word[i];
            block.word[i] = _pdep_u64(word << opened | before >> 1U >> (63 - opened), kept[i]);
            opened += 64 - ones(kept[i]);
            before = word;
        }
        return;
    }
#endif
    for (std::uint32_t i = 0; i < k; ++i) {
        block.open(of.owned[i] + of.below_of(i));
    }
}

/// Takes out the bit, a 0, that the end of each chain owns.
template <bool Deposits, std::uint32_t Words>
BLOOMERY_INLINE void close_all(view<Words>& block, const chain_ends& of, std::uint32_t k,
                               [[maybe_unused]] std::uint32_t places) noexcept {
#if defined(__BMI2__)
    if constexpr (Deposits) {
        std::uint64_t kept[Words];
        for (std::uint64_t& word : kept) {
            word = ~std::uint64_t{0};
        }
        for (std::uint32_t i = 0; i < k; ++i) {
            kept[of.owned[i] / 64] ^= std::uint64_t{1} << of.owned[i] % 64;
        }
        const std::uint32_t first = places / 64;
        for (std::uint32_t i = first, closed = 0; i < Words; ++i) {
            const std::uint64_t left = _pext_u64(block.word[i], kept[i]);
            if (i > first) {
                block.word[i - 1] |= left << 1U << (63 - closed);
            }
            block.word[i] = left >> closed;
            closed += 64 - ones(kept[i]);
        }
        return;
    }
#endif
    for (std::uint32_t i = 0; i < k; ++i) {
        block.close(of.owned[i] - of.below_of(i));
    }
}

/// K is the number of places, or 0 where it is not known yet.
template <std::uint32_t Words, bool Deposits, std::uint32_t K>
insertion insert_places(std::uint64_t* words, const accurate_cut& cut, const std::uint32_t* at) {
    const std::uint32_t k = K != 0 ? K : cut.hash_count;
    const std::uint32_t sum = counter_sum(words, cut);
    if (is_frozen(words, cut) || sum + k > cut.most()) [[unlikely]] {
        return insert_frozen(words, cut, at);
    }
    view<Words> block(words, cut.places);
    chain_ends of;
    const bool old = ends_to_set(block, at, k, of);
    if (of.repeated(k)) [[unlikely]] {
        count_up<Words>(words, cut, at);
        return {!old, status::ok};
    }
    block.take_header();
    for (std::uint32_t i = 0; i < k; ++i) {
        block.flip(of.last[i]);
    }
    open_all<Deposits>(block, of, k, cut.places);
    block.put_header(sum + k);
    return {!old, status::ok};
}

template <std::uint32_t Words, bool Deposits, std::uint32_t K>
status erase_places(std::uint64_t* words, const accurate_cut& cut, const std::uint32_t* at) {
    const std::uint32_t k = K != 0 ? K : cut.hash_count;
    if (!all_set(words, at, k)) {
        return status::not_present;
    }
    if (is_frozen(words, cut)) [[unlikely]] {
        return status::saturated;
    }
    const std::uint32_t sum = counter_sum(words, cut);
    view<Words> block(words, cut.places);
    chain_ends of;
    ends_to_clear(block, at, k, of);
    if (of.repeated(k)) [[unlikely]] {
        count_down<Words>(words, cut, at);
        return status::ok;
    }
    block.take_header();
    for (std::uint32_t i = 0; i < k; ++i) {
        block.flip(of.last[i]);
    }
    close_all<Deposits>(block, of, k, cut.places);
    block.put_header(sum - k);
    return status::ok;
}

/// For blocks of 2048 bits.
template <bool Deposits>
constexpr detail::accurate_verbs dense_verbs{insert_places<32, Deposits, 0>,
                                             erase_places<32, Deposits, 0>};

/// Blocks of a line are cut for 3, 4 and 5 places at 3 %, 1 % and 0.1 %; loops over so few are
/// unrolled where the rest is fast enough for that to matter.
template <bool Deposits>
constexpr accurate_functions make_accurate() noexcept {
    constexpr auto line = []<std::uint32_t K>() {
        return detail::accurate_verbs{insert_places<8, Deposits, K>, erase_places<8, Deposits, K>};
    };
    constexpr auto any = line.template operator()<0>();
    if constexpr (Deposits) {
        return {
            {line.template operator()<3>(), line.template operator()<4>(),
             line.template operator()<5>(), any},
            dense_verbs<Deposits>
        };
    } else {
        return {{any, any, any, any}, dense_verbs<Deposits>};
    }
}

} // namespace
} // namespace bloomery::inline v0::kernel
