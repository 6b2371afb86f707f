// How often is each key in? Counters that grow and shrink together (Aguilar-Saborit et al. 2006).
#pragma once

#include <bloomery/filter/fact.hpp>
#include <bloomery/filter/key_calls.hpp>
#include <bloomery/filter/key_counters.hpp>
#include <bloomery/filter/saved_words.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/layout/status.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/storage/dynamic_counters.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace bloomery {

/// How a dynamic count filter is made.
struct dynamic_count_options {
    /// How often a key is in, on average, when the filter is full: at least 1. Decides fixed_bits.
    double mean_count = 1;
    /// The bits that each counter always has, 1..16; 0 for those that fit the mean: 4 to 8.
    std::uint32_t fixed_bits = 0;
    /// 1..100: the overflow bits become one less when no counter reaches this share of half of what
    /// they hold. 100 gives memory back at once, and may grow and shrink with every other key.
    std::uint32_t shrink_percent = 50;
};

/// A multiset of keys as spectral_filter is one, with the policy of minimum selection, where every
/// counter has as many bits as the largest needs: two reads and no map for each, whatever the
/// counts. One hot key widens all counters: where counts are skewed, spectral_filter is smaller.
///
/// A count is never too low. It is too high for as many keys as a Bloom filter of that size would
/// err on. It counts to 2^(fixed_bits + 32) - 1 and stays there.
///
/// A filter that was moved from denies every key; inserting into it throws bad_argument.
///
/// Const calls from many threads at once are fine; changes need exclusive access. Calls that throw
/// have changed nothing. An insert or erase is O(k); now and then one rebuilds the overflow array
/// in O(m), with the old and the new one in memory. k = hash_count(), m = counter_count().
///
/// Parameters of its spec:  0 fixed_bits   1 shrink_percent   2..7 unused, 0
class dynamic_count_filter : public key_calls<dynamic_count_filter> {
    using calls = key_calls<dynamic_count_filter>;

public:
    using counters_type = storage::dynamic_counters<>;

    /// For n different keys, of which a share of p may be counted wrong. Milliseconds. Throws
    /// bad_argument, memory_refused.
    dynamic_count_filter(items n, rate p, const dynamic_count_options& options = {},
                         const native_hash& hash = {});
    /// Of m counters with k of them for a key, 1..64. Throws bad_argument, memory_refused.
    dynamic_count_filter(bits m, hashes k, const dynamic_count_options& options = {},
                         const native_hash& hash = {}, const design& made_for = {});

    // One key at a time: a key, or its digest.

    using calls::count;
    using calls::erase;
    using calls::insert;
    using calls::may_contain;

    /// Adds a key once, or r times, which is the same as r inserts. `saturated` if a counter of it
    /// has lost count. Throws memory_refused.
    insertion insert(digest128 key) { return insert(key, 1); }
    insertion insert(digest128 key, std::uint64_t r) { return counters_.add(key, r); }
    template <key Key>
    insertion insert(const Key& key, std::uint64_t r) {
        return insert(digest(key), r);
    }

    /// Takes a key out once, or r times: it must be in as often. `not_present`, and nothing
    /// changes, if it surely is not; `saturated` if a counter of it lost count. Another key, for
    /// which the filter errs, takes counts away from those that are in. Never throws.
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

    /// How often a key is in: never less than it is, sometimes more.
    [[nodiscard]] std::uint64_t count(digest128 key) const noexcept { return counters_.least(key); }
    /// False: the key is surely not in. True: it is, or the filter errs.
    [[nodiscard]] bool may_contain(digest128 key) const noexcept { return count(key) != 0; }
    /// Whether count(key) is at least the threshold. False is sure.
    [[nodiscard]] bool may_contain_at_least(digest128 key, std::uint64_t threshold) const noexcept {
        return count(key) >= threshold;
    }
    template <key Key>
    [[nodiscard]] bool may_contain_at_least(const Key& key, std::uint64_t threshold) const {
        return may_contain_at_least(digest(key), threshold);
    }
    BLOOMERY_INLINE void prefetch(digest128 key) const noexcept { counters_.prefetch(key); }

    /// Why the two cannot be combined, or nothing: then the result converts to true.
    [[nodiscard]] compatibility compatible_with(const dynamic_count_filter& other) const {
        return compare(spec(), other.spec());
    }
    /// Adds the counters of another filter: what one filter of all keys would have. O(m). Throws
    /// incompatible, memory_refused.
    void merge(const dynamic_count_filter& other);
    /// Forgets every key, and the overflow bits. O(m).
    void clear() { counters_.counters().clear(); }

    // Facts.

    [[nodiscard]] std::uint64_t counter_count() const noexcept {
        return counters_.rule().place_count();
    }
    [[nodiscard]] std::uint32_t hash_count() const noexcept {
        return counters_.rule().hash_count();
    }
    [[nodiscard]] std::uint32_t fixed_bits() const noexcept {
        return counters_.counters().width().fixed_bits;
    }
    /// The bits that each counter has besides, now: 0 while none overflowed.
    [[nodiscard]] std::uint32_t overflow_bits() const noexcept {
        return counters_.counters().overflow_bits();
    }
    /// How often the overflow array was built anew since the filter was made or cleared.
    [[nodiscard]] std::uint64_t rebuild_count() const noexcept {
        return counters_.counters().rebuild_count();
    }
    [[nodiscard]] std::uint64_t byte_count() const noexcept {
        return counters_.counters().byte_count();
    }
    [[nodiscard]] bloomery::spec spec() const noexcept;
    /// The counters that are not 0, as bits of a Bloom filter; its rate is that of wrong counts,
    /// too. O(m).
    [[nodiscard]] statistics stats() const;
    /// The rate to expect after n different keys.
    [[nodiscard]] double fpp_at(items n) const;
    /// Widths, rebuilds, the largest and the stuck counters. O(m).
    [[nodiscard]] std::vector<fact> facts() const;

    // Files.

    /// Record: overflow bits, rebuilds. Arrays: fixed parts, overflow parts. O(1).
    [[nodiscard]] saved_words saved() const;
    /// A filter equal to the one that was saved. O(m). Throws bad_data for words that no filter
    /// saved, unsupported for those of a later version, memory_refused.
    [[nodiscard]] static dynamic_count_filter restored(const bloomery::spec& what,
                                                       const design& made_for,
                                                       const native_hash& hash,
                                                       std::span<const std::uint64_t> words);

    /// Equal specs and equal values, at whatever width. O(m).
    friend bool operator==(const dynamic_count_filter& a, const dynamic_count_filter& b);

private:
    key_counters<counters_type> counters_;
};

} // namespace bloomery
