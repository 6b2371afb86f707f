// The d-left counting filter of Bonomi, Mitzenmacher, Panigrahy, Singh and Varghese (2006).
//
// A set with erase, in half the memory of counters: each key is a number, its remainder, in the
// emptiest of four buckets of eight cells. The four tables use the same fingerprint under four
// permutations, so two keys collide in every table or in none, and erase never has to choose
// between two cells.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/dleft_stash.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/filter/saved_words.hpp>
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/kernel/dleft_ask.hpp>
#include <bloomery/detail/kernel/dleft_bucket.hpp>
#include <bloomery/detail/layout/status.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/detail/zero_when_moved.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/storage/words.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <vector>

namespace bloomery::inline v0 {

/// Options of a d-left filter.
struct dleft_options {
    /// 2 to 8. A counter that reaches 2^bits - 1 has lost count and stays there: 2 bits are for
    /// sets, in which no key is inserted three times.
    std::uint32_t counter_bits = 2;
    /// 0 to 1024: room for keys whose buckets are all full. Lookups also search it if it is not
    /// empty.
    std::uint32_t stash_entries = 64;
};

/// A set of keys that supports erase, at 18.7 bits per key for 1 %; four cache lines per lookup. It
/// has room for about a third more than the n keys it was made for, but that is not guaranteed: an
/// insert without room returns status::full and changes nothing. A moved-from filter denies every
/// key; inserting into it throws bad_argument.
///
/// Many threads may query at once; a change needs exclusive access.
///
/// The parameters of its spec; its shape has four probes and one position per cell:
/// | index | meaning |
/// |---|---|
/// | 0 | tables: 4 |
/// | 1 | cells per bucket: 8 |
/// | 2 | bits of a remainder: 8 to 56 |
/// | 3 | bits of a counter: 2 to 8 |
/// | 4 | entries of the stash: 0 to 1024 |
class BLOOMERY_EXPORT dleft_filter : public key_calls<dleft_filter> {
public:
    static constexpr std::uint64_t tables = 4;
    static constexpr std::uint64_t cells = detail::dleft_bucket::cells;
    static constexpr std::uint32_t most_stash_entries = 1024;

    /// An empty filter for n keys at rate p; n keys use six of eight cells. Throws bad_argument,
    /// memory_refused.
    dleft_filter(items n, rate p, const dleft_options& options = {}, const native_hash& hash = {});

    using key_calls<dleft_filter>::try_insert;
    using key_calls<dleft_filter>::may_contain;
    using key_calls<dleft_filter>::erase;
    using key_calls<dleft_filter>::count;
    using key_calls<dleft_filter>::may_contain_many;

    // Single keys. O(1), four cache lines; a stash of s entries adds O(log s).

    /// Adds a key. status::full: nothing changed. status::saturated: it is in, and stays for good.
    [[nodiscard]] insertion try_insert(digest128 key);
    /// False: the key is definitely not in the filter. True: it is, or this is a false positive.
    [[nodiscard]] BLOOMERY_OWN_COPY bool may_contain(digest128 key) const noexcept {
        const fingerprint of = fingerprint_of(key);
        const places at = places_of(of);
        const std::uint64_t lowest = (of.remainder & 255U) * detail::every_byte;
        std::uint64_t maybe = 0;
        std::uint64_t first = at[0];
        for (std::size_t i = tables; i-- > 0;) {
            const std::uint64_t here = bucket_.might_match(words(), at[i], lowest);
            first = here != 0 ? at[i] : first;
            maybe |= here;
        }
        // Nine in ten absent keys match nothing; nine in ten present keys match only their cell.
        if (maybe != 0 &&
            (bucket_.matches(words(), first, of.remainder) != 0 || find(at, of.remainder).found)) {
            return true;
        }
        return !stash_.empty() && stash_.find(of) != nullptr;
    }
    /// Erases one occurrence of a key. status::saturated: its counter had lost count, so the key
    /// stays.
    status erase(digest128 key);
    /// An upper bound for how often a key is in the filter, including keys with the same
    /// fingerprint, up to 2^counter_bits - 1.
    [[nodiscard]] std::uint64_t count(digest128 key) const noexcept;
    /// Prefetches a key's buckets. Always inlined: a compiler that keeps it as a function finds
    /// that it changes nothing, and drops the call.
    BLOOMERY_INLINE void prefetch(digest128 key) const noexcept {
        for (const std::uint64_t each : places_of(fingerprint_of(key))) {
            prefetch_bucket(each);
        }
    }
    /// Prefetches for many queries. O(n).
    BLOOMERY_INLINE void prefetch(const detail::dleft_questions& of) const noexcept {
        for (std::uint32_t i = 0; i < of.count; ++i) {
            for (const std::uint64_t each : of.at[i]) {
                prefetch_bucket(each);
            }
        }
    }

    /// Queries all keys; bit i of `maybe` becomes the answer for key i. O(n).
    template <keys_for<native_hash> Keys>
        requires std::ranges::sized_range<Keys>
    BLOOMERY_OWN_COPY void may_contain_many(Keys&& keys, bitmap& maybe) const {
        const detail::dleft_asker* const asker = detail::asker_for(buckets_, bucket_);
        if (asker == nullptr || !stash_.empty() || buckets_ == 0) {
            key_calls<dleft_filter>::may_contain_many(keys, maybe);
            return;
        }
        ask_in_steps<detail::dleft_questions>(
            keys, maybe,
            [&](const digest128* some, std::uint32_t count, detail::dleft_questions& into) {
                asker->prepare(some, count, buckets_, bucket_, into);
            },
            [&](const detail::dleft_questions& of) { return asker->answer(words(), bucket_, of); });
    }
    /// The number of cells and stash entries that a key matches: always 0 or 1.
    [[nodiscard]] std::uint64_t match_count(digest128 key) const noexcept;

    // Combining filters.

    /// Whether the two can be combined; if not, the result gives the reason.
    [[nodiscard]] compatibility compatible_with(const dleft_filter& other) const {
        return compare(spec(), other.spec());
    }
    /// Inserts every key of the other filter, as often as it is in there; counters that are stuck
    /// in either are stuck in the result. O(cells), and needs a temporary copy of the filter.
    /// Throws incompatible, and filter_full if there is not enough room: then nothing changed.
    void merge(const dleft_filter& other);
    /// Removes all keys. O(cells).
    void clear() noexcept;

    // Properties. Those marked O(cells) read the whole filter.

    [[nodiscard]] std::uint64_t byte_count() const noexcept { return storage_.word_count() * 8; }
    [[nodiscard]] std::uint64_t buckets() const noexcept { return buckets_; } ///< per table
    [[nodiscard]] std::uint32_t remainder_bits() const noexcept { return bucket_.remainder_bits(); }
    [[nodiscard]] std::uint32_t stash_size() const noexcept {
        return static_cast<std::uint32_t>(stash_.size());
    }
    [[nodiscard]] bloomery::spec spec() const noexcept;
    /// O(cells).
    [[nodiscard]] statistics stats() const;
    /// About n / (buckets 2^remainder_bits): the rate with n distinct keys.
    [[nodiscard]] double rate_at(items n) const;
    /// The number of buckets with 0, 1, ... 8 cells in use. O(cells).
    [[nodiscard]] std::array<std::uint64_t, cells + 1> load_histogram() const;
    /// Load, stash and stuck counters. O(cells).
    [[nodiscard]] std::vector<fact> facts() const;

    /// The stash (its size; bucket, remainder and count of each), then the buckets.
    [[nodiscard]] saved_words saved() const;
    /// Restores a filter from saved words. O(cells): every cell is compared with the others that
    /// its key could have. Throws bad_data, unsupported, memory_refused.
    [[nodiscard]] static dleft_filter restored(const bloomery::spec& what, const design& made_for,
                                               const native_hash& hash,
                                               std::span<const std::uint64_t> words);

    friend bool operator==(const dleft_filter& a, const dleft_filter& b);

private:
    using fingerprint = detail::dleft_fingerprint;
    using places = std::array<std::uint64_t, tables>; ///< the byte where each bucket begins
    struct found_cell {
        std::uint64_t at = 0;
        std::uint32_t which = 0;
        bool found = false;
    };

    /// Prefetches both ends, because one bucket in five spans two cache lines.
    BLOOMERY_INLINE void prefetch_bucket(std::uint64_t at) const noexcept {
        const auto* const bucket = reinterpret_cast<const std::byte*>(words()) + at;
        __builtin_prefetch(bucket, 0, 2);
        __builtin_prefetch(bucket + bucket_.width() - 1, 0, 2);
    }

    dleft_filter(std::uint64_t buckets, detail::dleft_bucket bucket, std::uint32_t stash_entries,
                 const native_hash& hash, const design& made_for);

    [[nodiscard]] const std::uint64_t* words() const noexcept { return storage_.data(); }
    [[nodiscard]] std::uint64_t most() const noexcept {
        return (std::uint64_t{1} << bucket_.counter_bits()) - 1;
    }

    [[nodiscard]] BLOOMERY_INLINE fingerprint fingerprint_of(digest128 key) const noexcept {
        return {hash::fastrange(key.low, hash::in_register(buckets_)),
                key.high >> (64 - bucket_.remainder_bits())};
    }

    /// The offset by which a table moves the bucket of a remainder: a permutation of the buckets
    /// for any given remainder. 32 bits are enough, because there are fewer remainders than that to
    /// distinguish, or so few buckets in reach that it does not matter. The first table leaves them
    /// in place.
    [[nodiscard]] BLOOMERY_INLINE static std::uint32_t mixed(std::uint64_t remainder) noexcept {
        const std::uint64_t spread = (remainder + 1) * digest_step;
        return static_cast<std::uint32_t>(spread >> 32U ^ spread >> 47U);
    }
    [[nodiscard]] BLOOMERY_INLINE static std::uint64_t moved(std::uint32_t mixed, std::size_t table,
                                                             std::uint64_t buckets) noexcept {
        const std::uint32_t by = mixed * detail::dleft_steps[table];
        return hash::fastrange(std::uint64_t{by} << 32U, buckets);
    }
    [[nodiscard]] BLOOMERY_INLINE places places_of(const fingerprint& of) const noexcept {
        const std::uint64_t count = hash::in_register(buckets_);
        const std::uint32_t mix = mixed(of.remainder);
        places at{of.bucket * bucket_.width()};
        for (std::size_t i = 1; i < tables; ++i) {
            std::uint64_t bucket = of.bucket + moved(mix, i, count);
            bucket -= bucket >= count ? count : 0;
            at[i] = (i * count + bucket) * bucket_.width();
        }
        return at;
    }
    /// The fingerprint of a cell of a table: the inverse of `places_of`.
    [[nodiscard]] fingerprint fingerprint_at(std::size_t table, std::uint64_t bucket,
                                             std::uint64_t remainder) const noexcept;

    [[nodiscard]] found_cell find(const places& at, std::uint64_t remainder) const noexcept;
    [[nodiscard]] status add_count(std::uint64_t& now, std::uint64_t more) const noexcept;
    insertion add(const fingerprint& of, std::uint64_t count);
    /// Calls `visit(table, bucket of the table, number of the cell)` for each cell in use.
    template <class Visit>
    void each_cell(Visit visit) const;
    void check_cells() const;

    zero_when_moved<std::uint64_t> buckets_;
    detail::dleft_bucket bucket_;
    std::uint32_t stash_entries_;
    detail::dleft_stash stash_;
    storage::heap_words<> storage_;
};

template <class Visit>
void dleft_filter::each_cell(Visit visit) const {
    std::uint64_t at = 0;
    for (std::size_t table = 0; table < tables; ++table) {
        for (std::uint64_t bucket = 0; bucket < buckets_; ++bucket, at += bucket_.width()) {
            for (detail::cell_mask left = bucket_.used(words(), at); left != 0; left &= left - 1) {
                const auto which = static_cast<std::uint32_t>(std::countr_zero(left));
                visit(table, bucket, bucket_.read(words(), at, which));
            }
        }
    }
}

template <>
inline constexpr bool detail::is_compiled<dleft_filter> = true;

} // namespace bloomery::inline v0
