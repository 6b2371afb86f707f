// The accurate counting filter: levels of unary counters behind a plain Bloom filter, divided into
// blocks so that an update stays within one block.
//
// A query reads only the Bloom filter, whose bits for a key are all in one cache line: support for
// erase costs the memory of the counters, but no query time.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/filter/saved_words.hpp>
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/kernel/accurate_ask.hpp>
#include <bloomery/detail/kernel/accurate_block.hpp>
#include <bloomery/detail/layout/status.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/detail/zero_when_moved.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/storage/words.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <vector>

namespace bloomery::inline v0 {

/// Options of an accurate filter.
struct accurate_options {
    /// 512: one cache line per query or update. 2048: a sixth less memory, up to three lines per
    /// query and four per update.
    std::uint32_t block_bits = 512;
    /// The share of blocks that may freeze with each key inserted once; 0 means the default: 1e-5
    /// for blocks of 512 bits, 1e-4 for blocks of 2048 bits, of which there are four times fewer.
    /// If keys come and go, blocks get new chances to freeze: choose a lower share.
    double freeze = 0;

    /// `freeze`, or its default if it is 0. O(1).
    [[nodiscard]] constexpr double chosen_freeze() const noexcept {
        return freeze != 0 ? freeze : block_bits == 512 ? 1e-5 : 1e-4;
    }
};

/// A set of keys that supports erase, at 19.4 bits per key for 1 % (16.2 with larger blocks), with
/// queries that read one cache line. Counters do not get stuck one by one: a block that runs out of
/// room freezes, and from then on keys can only be added to it. A key in the filter is never
/// denied. A moved-from filter denies every key; inserting into it throws bad_argument.
///
/// Many threads may query at once; a change needs exclusive access.
///
/// The parameters of its spec; its shape has the bits of level 1 as positions:
/// | index | meaning |
/// |---|---|
/// | 0 | bits per block: 512 or 2048 |
/// | 1 | bits of its level 1 |
class BLOOMERY_EXPORT accurate_filter : public key_calls<accurate_filter> {
public:
    /// An empty filter for n keys at rate p. Takes milliseconds to find the best blocks. Throws
    /// bad_argument, also for a rate that blocks of this size cannot reach, and memory_refused.
    accurate_filter(items n, rate p, const accurate_options& options = {},
                    const native_hash& hash = {});

    using key_calls<accurate_filter>::try_insert;
    using key_calls<accurate_filter>::may_contain;
    using key_calls<accurate_filter>::erase;
    using key_calls<accurate_filter>::count;
    using key_calls<accurate_filter>::may_contain_many;

    // Single keys, with k = hash_count() positions in one block. O(k) per query; a change also
    // makes a pass over the block.

    /// Adds a key. status::saturated: its block is frozen, or became so; the key is in for good.
    [[nodiscard]] BLOOMERY_OWN_COPY insertion try_insert(digest128 key) {
        if (blocks_ == 0) [[unlikely]] {
            storage::detail::refuse_moved_from();
        }
        const auto at = places_of(key);
        return verbs_->insert(block_of(key), cut_, at.data());
    }
    /// False: the key is definitely not in the filter. True: it is, or this is a false positive.
    [[nodiscard]] BLOOMERY_OWN_COPY bool may_contain(digest128 key) const noexcept {
        const std::uint64_t* const block = block_of(key);
        std::uint64_t all = 1;
        each_place(key, [&](std::uint32_t /*i*/, std::uint64_t at) {
            all &= block[at / 64] >> (at % 64); // only the lowest bit matters
        });
        return (all & 1U) != 0;
    }
    /// Erases one occurrence of a key. status::saturated: its block is frozen, so the key stays.
    BLOOMERY_OWN_COPY status erase(digest128 key) {
        if (blocks_ == 0) {
            return status::not_present;
        }
        const auto at = places_of(key);
        return verbs_->erase(block_of(key), cut_, at.data());
    }
    /// The smallest of the key's counters: an upper bound for how often it is in the filter. A
    /// frozen block has lost its counters and returns 1 for every key that may be in it.
    [[nodiscard]] std::uint64_t count(digest128 key) const noexcept;
    /// Prefetches what a query reads. Always inlined: a compiler that keeps it as a function finds
    /// that it changes nothing, and drops the call.
    BLOOMERY_INLINE void prefetch(digest128 key) const noexcept {
        const std::uint64_t* const block = block_of(key);
        for (std::uint32_t word = 0; word * 64 < cut_.places; word += 8) {
            __builtin_prefetch(block + word, 0, 2);
        }
    }
    /// Prefetches for many queries. O(n).
    BLOOMERY_INLINE void prefetch(const detail::accurate_questions& of) const noexcept {
        for (std::uint32_t i = 0; i < of.count; ++i) {
            __builtin_prefetch(storage_.data() + 8 * of.block[i], 0, 2);
        }
    }

    /// Queries all keys; bit i of `maybe` becomes the answer for key i. O(n k).
    template <keys_for<native_hash> Keys>
        requires std::ranges::sized_range<Keys>
    BLOOMERY_OWN_COPY void may_contain_many(Keys&& keys, bitmap& maybe) const {
        const detail::accurate_asker* const asker = detail::asker_for(blocks_, cut_);
        if (asker == nullptr || blocks_ == 0) {
            key_calls<accurate_filter>::may_contain_many(keys, maybe);
            return;
        }
        ask_in_steps<detail::accurate_questions>(
            keys, maybe,
            [&](const digest128* some, std::uint32_t count, detail::accurate_questions& into) {
                asker->prepare(some, count, blocks_, cut_, into);
            },
            [&](const detail::accurate_questions& of) {
                return asker->answer(storage_.data(), of);
            });
    }

    // Combining filters.

    /// Whether the two can be combined; if not, the result gives the reason.
    [[nodiscard]] compatibility compatible_with(const accurate_filter& other) const {
        return compare(spec(), other.spec());
    }
    /// Adds the counters of the other filter. The result equals a filter that got the keys of both,
    /// except that a block frozen in either stays frozen. O(bits). Throws incompatible.
    void merge(const accurate_filter& other);
    /// Removes all keys and unfreezes all blocks. O(bits).
    void clear() noexcept;

    // Properties. Those marked O(bits) read the whole filter.

    [[nodiscard]] std::uint64_t byte_count() const noexcept { return storage_.word_count() * 8; }
    [[nodiscard]] std::uint64_t block_count() const noexcept { return blocks_; }
    [[nodiscard]] std::uint32_t block_bits() const noexcept { return 64 * cut_.block_words; }
    [[nodiscard]] std::uint32_t first_level_bits() const noexcept { return cut_.places; }
    [[nodiscard]] std::uint32_t hash_count() const noexcept { return cut_.hash_count; }
    /// The number of frozen blocks. O(bits).
    [[nodiscard]] std::uint64_t frozen_blocks() const noexcept;
    [[nodiscard]] bloomery::spec spec() const noexcept;
    /// Of level 1. O(bits).
    [[nodiscard]] statistics stats() const;
    /// The expected rate with n distinct keys and no frozen block. Takes milliseconds.
    [[nodiscard]] double rate_at(items n) const;
    /// Blocks, levels and frozen blocks. O(bits).
    [[nodiscard]] std::vector<fact> facts() const;

    /// The blocks.
    [[nodiscard]] saved_words saved() const;
    /// Restores a filter from saved words. O(bits). Throws bad_data, unsupported, memory_refused.
    [[nodiscard]] static accurate_filter restored(const bloomery::spec& what,
                                                  const design& made_for, const native_hash& hash,
                                                  std::span<const std::uint64_t> words);

    friend bool operator==(const accurate_filter& a, const accurate_filter& b);

private:
    using places = std::array<std::uint32_t, detail::most_accurate_hashes>;

    accurate_filter(std::uint64_t blocks, const detail::accurate_cut& cut, const native_hash& hash,
                    const design& made_for);

    /// Calls `visit(i, place)` for each of the key's positions in its block: the digits, in base
    /// `places`, of the digest's high word as a fraction; when a word is used up, of its product
    /// with the step.
    template <class Visit>
    BLOOMERY_INLINE void each_place(digest128 key, Visit visit) const noexcept {
        const std::uint32_t digits = cut_.block_words == 8 ? 6 : 5;
        const std::uint64_t base = hash::in_register(cut_.places);
        std::uint64_t word = key.high;
        for (std::uint32_t i = 0, left = digits; i < cut_.hash_count; ++i, --left) {
            if (left == 0) {
                key.high *= digest_step;
                word = key.high;
                left = digits;
            }
            const hash::product128 product = hash::multiply_wide(word, base);
            visit(i, product.high);
            word = product.low;
        }
    }
    [[nodiscard]] BLOOMERY_INLINE places places_of(digest128 key) const noexcept {
        places at; // NOLINT(cppcoreguidelines-pro-type-member-init): as many as are read are set
        each_place(key, [&](std::uint32_t i, std::uint64_t place) {
            at[i] = static_cast<std::uint32_t>(place);
        });
        return at;
    }
    [[nodiscard]] BLOOMERY_INLINE std::uint64_t first_word(digest128 key) const noexcept {
        return hash::fastrange(key.low, hash::in_register(blocks_)) * cut_.block_words;
    }
    [[nodiscard]] const std::uint64_t* block_of(digest128 key) const noexcept {
        return storage_.data() + first_word(key);
    }
    [[nodiscard]] std::uint64_t* block_of(digest128 key) noexcept {
        return storage_.data() + first_word(key);
    }
    /// Calls `visit(block)` for all blocks.
    template <class Visit>
    BLOOMERY_OWN_COPY void each_block(Visit visit) const {
        for (std::uint64_t i = 0; i < blocks_; ++i) {
            visit(storage_.data() + i * cut_.block_words);
        }
    }

    zero_when_moved<std::uint64_t> blocks_;
    detail::accurate_cut cut_;
    const detail::accurate_verbs* verbs_;
    storage::heap_words<> storage_;
};

template <>
inline constexpr bool detail::is_compiled<accurate_filter> = true;

} // namespace bloomery::inline v0
