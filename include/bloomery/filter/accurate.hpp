// The accurate counting filter: unary counters, level over level, behind a plain Bloom filter, and
// cut into blocks so that an update stays in one of them.
//
// A question reads nothing but the Bloom filter, all of whose bits for a key are in one cache line:
// erase costs the memory of the counters and no time for those who only ask.
#pragma once

#include <bloomery/filter/accurate_ask.hpp>
#include <bloomery/filter/accurate_block.hpp>
#include <bloomery/filter/fact.hpp>
#include <bloomery/filter/key_calls.hpp>
#include <bloomery/filter/saved_words.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/bits.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/layout/status.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/storage/words.hpp>
#include <bloomery/zero_when_moved.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <vector>

namespace bloomery {

/// What an accurate filter may be told besides its size.
struct accurate_options {
    /// 512: one cache line a question or update. 2048: a sixth less memory, up to three lines a
    /// question and four an update.
    std::uint32_t block_bits = 512;
    /// The share of blocks that may freeze when the keys are in once; 0 for the usual one, 1e-5 for
    /// blocks of 512 bits and 1e-4 for the four times fewer of 2048. Keys that come and go draw
    /// again and again: take less for them.
    double freeze = 0;

    /// The same, with the usual share in the place of 0. O(1).
    [[nodiscard]] constexpr double chosen_freeze() const noexcept {
        return freeze != 0 ? freeze : block_bits == 512 ? 1e-5 : 1e-4;
    }
};

/// A set of keys that forgets what is erased, at 19.4 bits per key for 1 % (16.2 with larger
/// blocks), and answers from one cache line. Counters do not stick one by one: a block that runs
/// out of room freezes, and from then on its keys are only added to. No key that is in is ever
/// denied. A filter that was moved from denies every key; inserting into it throws bad_argument.
///
/// Many threads may ask at once; a change needs the filter for itself.
///
/// The parameters of its spec; its shape has the bits of level 1 as places:
/// | index | meaning |
/// |---|---|
/// | 0 | bits of a block: 512 or 2048 |
/// | 1 | bits of its level 1 |
class accurate_filter : public key_calls<accurate_filter> {
public:
    /// An empty filter for n keys at rate p. Milliseconds, the search for the best blocks. Throws
    /// bad_argument, also for a rate that blocks of this size do not reach, and memory_refused.
    accurate_filter(items n, rate p, const accurate_options& options = {},
                    const native_hash& hash = {});

    using key_calls<accurate_filter>::insert;
    using key_calls<accurate_filter>::may_contain;
    using key_calls<accurate_filter>::erase;
    using key_calls<accurate_filter>::count;

    // One key at a time, k = hash_count() places in one block. O(k) to ask; a change is a pass over
    // the block besides.

    /// Adds a key. status::saturated: its block is frozen, or became so; the key is in for good.
    insertion insert(digest128 key) {
        if (blocks_ == 0) [[unlikely]] {
            storage::detail::refuse_moved_from();
        }
        const auto at = places_of(key);
        return verbs_->insert(block_of(key), cut_, at.data());
    }
    /// False: the key is surely not in. True: it is, or the filter errs.
    [[nodiscard]] bool may_contain(digest128 key) const noexcept {
        const std::uint64_t* const block = block_of(key);
        std::uint64_t all = 1;
        each_place(key, [&](std::uint32_t /*i*/, std::uint64_t at) {
            all &= block[at / 64] >> (at % 64); // the bits above the lowest are not looked at
        });
        return (all & 1U) != 0;
    }
    /// Takes a key out once. status::saturated: its block is frozen, so it stays in.
    status erase(digest128 key) {
        if (blocks_ == 0) {
            return status::not_present;
        }
        const auto at = places_of(key);
        return verbs_->erase(block_of(key), cut_, at.data());
    }
    /// The smallest of the key's counters: at least how often it is in. A frozen block has lost its
    /// counters and tells 1 for all that may be in.
    [[nodiscard]] std::uint64_t count(digest128 key) const noexcept;
    /// Asks the memory for what a question reads ahead of time. Inlined always: a compiler that
    /// leaves it a function finds that it changes nothing, and leaves the call out.
    BLOOMERY_INLINE void prefetch(digest128 key) const noexcept {
        const std::uint64_t* const block = block_of(key);
        for (std::uint32_t word = 0; word * 64 < cut_.places; word += 8) {
            __builtin_prefetch(block + word, 0, 2);
        }
    }
    /// The same for many questions. O(n).
    BLOOMERY_INLINE void prefetch(const detail::accurate_questions& of) const noexcept {
        for (std::uint32_t i = 0; i < of.count; ++i) {
            __builtin_prefetch(storage_.data() + 8 * of.block[i], 0, 2);
        }
    }

    /// Asks for all keys; bit i of `maybe` becomes the answer for key i. O(n k).
    template <keys_for<native_hash> Keys>
        requires std::ranges::sized_range<Keys>
    void may_contain_many(Keys&& keys, bitmap& maybe) const {
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

    // Filters with filters.

    /// Why the two cannot be combined, or nothing: then the result converts to true.
    [[nodiscard]] compatibility compatible_with(const accurate_filter& other) const;
    /// Adds the counters of the other: equal to a filter that got the keys of both, but that a
    /// block which is frozen in either stays so. O(bits). Throws incompatible.
    void merge(const accurate_filter& other);
    /// Forgets every key; no block is frozen then. O(bits).
    void clear() noexcept;

    // Facts. Those that say O(bits) read the whole filter.

    [[nodiscard]] std::uint64_t byte_count() const noexcept { return storage_.word_count() * 8; }
    [[nodiscard]] std::uint64_t block_count() const noexcept { return blocks_; }
    [[nodiscard]] std::uint32_t block_bits() const noexcept { return 64 * cut_.block_words; }
    [[nodiscard]] std::uint32_t first_level_bits() const noexcept { return cut_.places; }
    [[nodiscard]] std::uint32_t hash_count() const noexcept { return cut_.hash_count; }
    /// How many blocks have given their counters up. O(bits).
    [[nodiscard]] std::uint64_t frozen_blocks() const noexcept;
    [[nodiscard]] bloomery::spec spec() const noexcept;
    /// Of level 1. O(bits).
    [[nodiscard]] statistics stats() const;
    /// The rate to expect with n distinct keys in, no block frozen. Milliseconds.
    [[nodiscard]] double fpp_at(items n) const;
    /// Blocks, levels, what is frozen. O(bits).
    [[nodiscard]] std::vector<fact> facts() const;

    /// The blocks.
    [[nodiscard]] saved_words saved() const;
    /// The filter that such words are of. O(bits). Throws bad_data, unsupported, memory_refused.
    [[nodiscard]] static accurate_filter restored(const bloomery::spec& what,
                                                  const design& made_for, const native_hash& hash,
                                                  std::span<const std::uint64_t> words);

    friend bool operator==(const accurate_filter& a, const accurate_filter& b);

private:
    using places = std::array<std::uint32_t, detail::most_accurate_hashes>;

    accurate_filter(std::uint64_t blocks, const detail::accurate_cut& cut, const native_hash& hash,
                    const design& made_for);

    /// Calls `visit(i, place)` for each of the key's places in its block: the digits, in base
    /// `places`, of the digest's high word as a fraction; of its products by the step once a word
    /// has given what it has to give.
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
    void each_block(Visit visit) const {
        for (std::uint64_t i = 0; i < blocks_; ++i) {
            visit(storage_.data() + i * cut_.block_words);
        }
    }

    zero_when_moved<std::uint64_t> blocks_;
    detail::accurate_cut cut_;
    const detail::accurate_verbs* verbs_;
    storage::heap_words<> storage_;
};

} // namespace bloomery
