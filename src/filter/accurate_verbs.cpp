// How a key changes a block of unary counters.
//
// The k chains of a key are walked side by side in the block as it is; only then are their bits
// set, and the k new bits inserted. That is what makes an update a few dozen nanoseconds: the walks
// do not wait for each other. It works because different chains end at different bits; a key that
// has a place twice is counted one place after the other.
#include <bloomery/filter/accurate_block.hpp>

#include "accurate_line.hpp"
#include "accurate_view.hpp"

#include <array>
#include <cstddef>

namespace bloomery::detail {
namespace {

/// Inserts a 0 for each chain where the bit is that it will own.
template <std::uint32_t Words, class Can>
BLOOMERY_INLINE void open_all(view<Words, Can>& block, const chain_ends& of, std::uint32_t k,
                              std::uint32_t places) noexcept {
    if constexpr (Can::deposits) {
        std::array<std::uint64_t, Words> kept;
        kept.fill(~std::uint64_t{0});
        for (std::uint32_t i = 0; i < k; ++i) {
            const std::uint32_t at = of.owned[i] + of.order_of(i, k);
            kept[at / 64] ^= std::uint64_t{1} << at % 64;
        }
        std::uint64_t before = 0; // the word before, as it was
        for (std::uint32_t i = places / 64, opened = 0; i < Words; ++i) {
            const std::uint64_t word = block.word[i];
            block.word[i] = Can::apart(word << opened | before >> 1U >> (63 - opened), kept[i]);
            opened += 64 - Can::ones(kept[i]);
            before = word;
        }
    } else {
        for (std::uint32_t i = 0; i < k; ++i) {
            block.open(of.owned[i] + of.below_of(i));
        }
    }
}

/// Takes out the bit, a 0, that the end of each chain owns.
template <std::uint32_t Words, class Can>
BLOOMERY_INLINE void close_all(view<Words, Can>& block, const chain_ends& of, std::uint32_t k,
                               std::uint32_t places) noexcept {
    if constexpr (Can::deposits) {
        std::array<std::uint64_t, Words> kept;
        kept.fill(~std::uint64_t{0});
        for (std::uint32_t i = 0; i < k; ++i) {
            kept[of.owned[i] / 64] ^= std::uint64_t{1} << of.owned[i] % 64;
        }
        const std::uint32_t first = places / 64;
        for (std::uint32_t i = first, closed = 0; i < Words; ++i) {
            const std::uint64_t left = Can::together(block.word[i], kept[i]);
            if (i > first) {
                block.word[i - 1] |= left << 1U << (63 - closed);
            }
            block.word[i] = left >> closed;
            closed += 64 - Can::ones(kept[i]);
        }
    } else {
        for (std::uint32_t i = 0; i < k; ++i) {
            block.close(of.owned[i] - of.below_of(i));
        }
    }
}

/// K is the number of places, or 0 where it is not known yet: loops over so few are best unrolled.
template <std::uint32_t Words, class Can, std::uint32_t K>
BLOOMERY_INLINE insertion insert(std::uint64_t* words, const accurate_cut& cut,
                                 const std::uint32_t* at) noexcept {
    const std::uint32_t k = K != 0 ? K : cut.hash_count;
    const std::uint32_t sum = counter_sum(words, cut);
    if (is_frozen(words, cut) || sum + k > cut.most()) [[unlikely]] {
        return insert_frozen(words, cut, at);
    }
    view<Words, Can> block(words, cut.places);
    chain_ends of;
    const bool old = ends_to_set(block, at, k, of);
    if (of.repeated(k)) [[unlikely]] {
        count_up<Words, Can>(words, cut, at);
        return {!old, status::ok};
    }
    block.take_header();
    for (std::uint32_t i = 0; i < k; ++i) {
        block.flip(of.last[i]);
    }
    open_all(block, of, k, cut.places);
    block.put_header(sum + k);
    return {!old, status::ok};
}

template <std::uint32_t Words, class Can, std::uint32_t K>
BLOOMERY_INLINE status erase(std::uint64_t* words, const accurate_cut& cut,
                             const std::uint32_t* at) noexcept {
    const std::uint32_t k = K != 0 ? K : cut.hash_count;
    if (!all_set(words, at, k)) {
        return status::not_present;
    }
    if (is_frozen(words, cut)) [[unlikely]] {
        return status::saturated;
    }
    const std::uint32_t sum = counter_sum(words, cut);
    view<Words, Can> block(words, cut.places);
    chain_ends of;
    ends_to_clear(block, at, k, of);
    if (of.repeated(k)) [[unlikely]] {
        count_down<Words, Can>(words, cut, at);
        return status::ok;
    }
    block.take_header();
    for (std::uint32_t i = 0; i < k; ++i) {
        block.flip(of.last[i]);
    }
    close_all(block, of, k, cut.places);
    block.put_header(sum - k);
    return status::ok;
}

template <std::uint32_t Words>
insertion plain_insert(std::uint64_t* block, const accurate_cut& cut, const std::uint32_t* at) {
    return insert<Words, plain, 0>(block, cut, at);
}
template <std::uint32_t Words>
status plain_erase(std::uint64_t* block, const accurate_cut& cut, const std::uint32_t* at) {
    return erase<Words, plain, 0>(block, cut, at);
}

template <std::uint32_t Words>
constexpr accurate_verbs plain_verbs{plain_insert<Words>, plain_erase<Words>};

#if defined(__x86_64__)
// Local, and what they share with others is inlined: no other code can be linked to them.
template <std::uint32_t Words, class Can, std::uint32_t K>
[[gnu::target("popcnt,bmi,bmi2")]] insertion
quick_insert(std::uint64_t* block, const accurate_cut& cut, const std::uint32_t* at) {
    return insert<Words, Can, K>(block, cut, at);
}
template <std::uint32_t Words, class Can, std::uint32_t K>
[[gnu::target("popcnt,bmi,bmi2")]] status quick_erase(std::uint64_t* block, const accurate_cut& cut,
                                                      const std::uint32_t* at) {
    return erase<Words, Can, K>(block, cut, at);
}

template <std::uint32_t Words, class Can, std::uint32_t K = 0>
constexpr accurate_verbs quick_verbs{quick_insert<Words, Can, K>, quick_erase<Words, Can, K>};

/// Blocks of a line at 3 %, 1 % and 0.1 % are cut for so many places.
const accurate_verbs& line_verbs(std::uint32_t k) noexcept {
    switch (k) {
    case 3:
        return quick_verbs<8, depositing, 3>;
    case 4:
        return quick_verbs<8, depositing, 4>;
    case 5:
        return quick_verbs<8, depositing, 5>;
    default:
        return quick_verbs<8, depositing>;
    }
}
#endif

} // namespace

accurate_path best_path() noexcept {
#if defined(__x86_64__)
    static const accurate_path best = [] {
        if (__builtin_cpu_supports("popcnt") == 0 || __builtin_cpu_supports("bmi") == 0 ||
            __builtin_cpu_supports("bmi2") == 0) {
            return accurate_path::plain;
        }
        // These have the instructions, as programs of hundreds of steps.
        const bool slow = __builtin_cpu_is("znver1") != 0 || __builtin_cpu_is("znver2") != 0;
        return slow ? accurate_path::counting : accurate_path::depositing;
    }();
    return best == accurate_path::depositing && can_register_lines() ? accurate_path::registers
                                                                     : best;
#else
    return accurate_path::plain;
#endif
}

const accurate_verbs& verbs_for(const accurate_cut& cut, accurate_path path) noexcept {
    const bool line = cut.block_words == 8;
#if defined(__x86_64__)
    if (path == accurate_path::registers && line) {
        return register_verbs(cut.hash_count);
    }
    if (path >= accurate_path::depositing) {
        return line ? line_verbs(cut.hash_count) : quick_verbs<32, depositing>;
    }
    if (path == accurate_path::counting) {
        return line ? quick_verbs<8, counting> : quick_verbs<32, counting>;
    }
#else
    static_cast<void>(path);
#endif
    return line ? plain_verbs<8> : plain_verbs<32>;
}

} // namespace bloomery::detail
