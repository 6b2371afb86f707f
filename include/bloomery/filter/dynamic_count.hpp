// Counts how often each key was inserted, with counters that widen and narrow together
// (Aguilar-Saborit et al. 2006).
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/filter/key_counters.hpp>
#include <bloomery/detail/filter/saved_words.hpp>
#include <bloomery/detail/layout/status.hpp>
#include <bloomery/detail/storage/dynamic_counters.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/plan/quantity.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace bloomery::inline v0 {

/// Options of a dynamic count filter.
struct dynamic_count_options {
    /// The mean count of a key when the filter is full: at least 1. Determines fixed_bits.
    double mean_count = 1;
    /// The number of bits that each counter always has, 1..16; 0 chooses 4 to 8 from the mean
    /// count.
    std::uint32_t fixed_bits = 0;
    /// 1..100: the overflow part becomes one bit narrower when no counter reaches this percentage
    /// of half its range. 100 frees memory immediately, and may grow and shrink with every other
    /// key.
    std::uint32_t shrink_percent = 50;
};

/// A multiset of keys like spectral_filter with minimum selection, except that every counter has as
/// many bits as the largest one needs: reading a counter takes two memory accesses and no map,
/// whatever the counts. One hot key widens all counters: if counts are skewed, spectral_filter is
/// smaller.
///
/// A count is never too low. It is too high for as many keys as a Bloom filter of that size would
/// have false positives. It counts up to 2^(fixed_bits + 32) - 1 and stays there.
///
/// A moved-from filter denies every key; inserting into it throws bad_argument.
///
/// Threads: any number may call const members at once; a change needs exclusive access. A call that
/// throws changes nothing. An insert or erase is O(k); occasionally one rebuilds the overflow array
/// in O(m), with the old and the new array in memory. k = hash_count(), m = counter_count().
///
/// Parameters of its spec:  0 fixed_bits   1 shrink_percent   2..7 unused, 0
class BLOOMERY_EXPORT dynamic_count_filter : public key_calls<dynamic_count_filter> {
    using calls = key_calls<dynamic_count_filter>;

public:
    using counters_type = storage::dynamic_counters<>;

    /// For n distinct keys, a share p of which may have a wrong count. Takes milliseconds. Throws
    /// bad_argument, memory_refused.
    dynamic_count_filter(items n, rate p, const dynamic_count_options& options = {},
                         const native_hash& hash = {});
    /// m counters, k of them per key, 1..64. Throws bad_argument, memory_refused.
    dynamic_count_filter(bits m, hashes k, const dynamic_count_options& options = {},
                         const native_hash& hash = {}, const design& made_for = {});

    // Single keys, or their digests.

    using calls::count;
    using calls::erase;
    using calls::insert;
    using calls::may_contain;
    using calls::try_insert;

    /// Adds a key once, or r times, which is the same as r inserts. `saturated` if a counter of it
    /// has lost count. Throws memory_refused.
    [[nodiscard]] insertion try_insert(digest128 key) { return try_insert(key, 1); }
    [[nodiscard]] insertion try_insert(digest128 key, std::uint64_t r) {
        return counters_.add(key, r);
    }
    template <key Key>
    [[nodiscard]] insertion try_insert(const Key& key, std::uint64_t r) {
        return try_insert(digest(key), r);
    }
    template <key_for<native_hash> Key>
    void insert(const Key& key, std::uint64_t r) {
        (void)try_insert(key, r); // there is always room
    }

    /// Erases one or r occurrences of a key, which must be in the filter that often. Returns
    /// `not_present` and changes nothing if it is definitely not in it; `saturated` if one of its
    /// counters lost count. Erasing a false positive takes counts away from keys that are in the
    /// filter. Never throws.
    status erase(digest128 key) noexcept { return erase(key, 1); }
    status erase(digest128 key, std::uint64_t r) noexcept {
        const status done = counters_.subtract(key, r);
        counters_.counters().settle();
        return done;
    }
    template <key Key>
    status erase(const Key& key, std::uint64_t r) {
        return erase(digest(key), r);
    }

    /// How often a key is in the filter: never too low, sometimes too high.
    [[nodiscard]] std::uint64_t count(digest128 key) const noexcept { return counters_.least(key); }
    /// False: the key is definitely not in the filter. True: it is, or this is a false positive.
    [[nodiscard]] bool may_contain(digest128 key) const noexcept { return count(key) != 0; }
    /// Whether count(key) is at least the threshold. False is certain.
    [[nodiscard]] bool may_contain_at_least(digest128 key, std::uint64_t threshold) const noexcept {
        return count(key) >= threshold;
    }
    template <key Key>
    [[nodiscard]] bool may_contain_at_least(const Key& key, std::uint64_t threshold) const {
        return may_contain_at_least(digest(key), threshold);
    }
    BLOOMERY_INLINE void prefetch(digest128 key) const noexcept { counters_.prefetch(key); }

    /// Whether the two can be combined; if not, the result gives the reason.
    [[nodiscard]] compatibility compatible_with(const dynamic_count_filter& other) const {
        return compare(spec(), other.spec());
    }
    /// Adds the counters of another filter: the result equals one filter of all keys. O(m). Throws
    /// incompatible, memory_refused.
    void merge(const dynamic_count_filter& other);
    /// Removes all keys and the overflow bits. O(m).
    void clear() { counters_.counters().clear(); }

    // Properties.

    [[nodiscard]] std::uint64_t counter_count() const noexcept {
        return counters_.rule().place_count();
    }
    [[nodiscard]] std::uint32_t hash_count() const noexcept {
        return counters_.rule().hash_count();
    }
    [[nodiscard]] std::uint32_t fixed_bits() const noexcept {
        return counters_.counters().width().fixed_bits;
    }
    /// The current number of overflow bits per counter: 0 while none has overflowed.
    [[nodiscard]] std::uint32_t overflow_bits() const noexcept {
        return counters_.counters().overflow_bits();
    }
    /// How often the overflow array was rebuilt since the filter was created or cleared.
    [[nodiscard]] std::uint64_t rebuild_count() const noexcept {
        return counters_.counters().rebuild_count();
    }
    [[nodiscard]] std::uint64_t byte_count() const noexcept {
        return counters_.counters().byte_count();
    }
    [[nodiscard]] bloomery::spec spec() const noexcept;
    /// Counts counters above 0 as set bits of a Bloom filter; its rate is also the rate of wrong
    /// counts. O(m).
    [[nodiscard]] statistics stats() const;
    /// The expected rate after n distinct keys.
    [[nodiscard]] double rate_at(items n) const;
    /// Widths, rebuilds, the largest and the stuck counters. O(m).
    [[nodiscard]] std::vector<fact> facts() const;

    // Files.

    /// Record: overflow bits, rebuilds. Arrays: fixed parts, overflow parts. O(1).
    [[nodiscard]] saved_words saved() const;
    /// Restores a saved filter. O(m). Throws bad_data for words that no filter saved, unsupported
    /// for those of a later version, memory_refused.
    [[nodiscard]] static dynamic_count_filter restored(const bloomery::spec& what,
                                                       const design& made_for,
                                                       const native_hash& hash,
                                                       std::span<const std::uint64_t> words);

    /// Equal specs and equal counts, whatever their width. O(m).
    friend bool operator==(const dynamic_count_filter& a, const dynamic_count_filter& b);

private:
    key_counters<counters_type> counters_;
};

template <>
inline constexpr bool detail::is_compiled<dynamic_count_filter> = true;

extern template class key_counters<storage::dynamic_counters<>>;

} // namespace bloomery::inline v0
