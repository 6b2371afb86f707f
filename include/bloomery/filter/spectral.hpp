// Counts how often each key was inserted: counters instead of bits (Cohen and Matias 2003).
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/filter/key_counters.hpp>
#include <bloomery/detail/filter/recurring_part.hpp>
#include <bloomery/detail/filter/saved_words.hpp>
#include <bloomery/detail/layout/places.hpp>
#include <bloomery/detail/layout/status.hpp>
#include <bloomery/detail/storage/escaped_counters.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/plan/quantity.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bloomery::inline v0 {

/// What an insert does to the counters of a key; part of the file format, never renumbered.
enum class spectral_policy : std::uint8_t {
    minimum_selection = 1, ///< increments all k: the only one that can erase and merge without loss
    minimal_increase = 2,  ///< increments only the smallest: half the errors or less, no erase
    recurring_minimum = 3, ///< counts doubtful keys again in other counters: not recommended
};

/// "minimum selection", ...; "unknown" for an unknown number. O(1).
[[nodiscard]] BLOOMERY_EXPORT std::string_view name_of(spectral_policy policy) noexcept;

/// Options of a spectral filter.
struct spectral_options {
    /// 4, 8, 16 or 32. Counts that do not fit are kept in a map, at 21 to 32 bytes per such
    /// counter. Use 4 if nearly all counts are below 15, 8 in most cases, 16 if counts of hundreds
    /// are usual.
    std::uint32_t counter_bits = 8;
};

/// A multiset of keys that estimates how often each key is in it. The n in its size is the number
/// of distinct keys.
///
/// A count is never too low (except with the recurring minimum), and too high for as many keys as a
/// Bloom filter of that size would have false positives. It counts up to 2^64 - 1 and stays there.
///
/// Policies. Minimum selection supports erase, and merges as if one filter had seen all keys.
/// Minimal increase (`minimal_increase_filter`) has fewer and smaller errors, but erasing a key
/// would take counts from others, so it has no `erase`; its merge is an upper bound, not what one
/// filter would have. Recurring minimum keeps a second array of half the size and a mark for each
/// doubtful key. It has fewer errors for the same first array, but more than minimum selection with
/// the same total memory; a count can be too low, and it does not merge.
///
/// A moved-from filter denies every key; inserting into it throws bad_argument.
///
/// Threads: any number may call const members at once; a change needs exclusive access. A call that
/// throws changes nothing. Costs are for k = hash_count(), m = counter_count().
///
/// Parameters of its spec:  0 policy   1 counter_bits   2..7 unused, 0
template <spectral_policy Policy>
class basic_spectral_filter : public key_calls<basic_spectral_filter<Policy>> {
    using calls = key_calls<basic_spectral_filter>;
    static constexpr bool recurs = Policy == spectral_policy::recurring_minimum;
    static constexpr bool erases = Policy != spectral_policy::minimal_increase;
    static constexpr bool merges = !recurs;

public:
    static constexpr spectral_policy policy = Policy;
    using counters_type = storage::escaped_counters<>;

    /// For n distinct keys, a share p of which may have a wrong count. Takes milliseconds. Throws
    /// bad_argument, memory_refused.
    basic_spectral_filter(items n, rate p, const spectral_options& options = {},
                          const native_hash& hash = {});
    /// m counters, k of them per key, 1..64. Throws bad_argument, memory_refused.
    basic_spectral_filter(bits m, hashes k, const spectral_options& options = {},
                          const native_hash& hash = {}, const design& made_for = {});

    // Single keys, or their digests. O(k) each.

    using calls::count;
    using calls::erase;
    using calls::insert;
    using calls::may_contain;
    using calls::try_insert;

    /// Adds a key once, or r times, which is the same as r inserts. `saturated` if a counter of it
    /// reached 2^64 - 1. Throws memory_refused.
    [[nodiscard]] insertion try_insert(digest128 key) { return try_insert(key, 1); }
    [[nodiscard]] insertion try_insert(digest128 key, std::uint64_t r) {
        if constexpr (recurs) {
            return insert_twice(key, r);
        } else if constexpr (Policy == spectral_policy::minimal_increase) {
            return counters_.raise(key, r);
        } else {
            return counters_.add(key, r);
        }
    }
    template <key Key>
    [[nodiscard]] insertion try_insert(const Key& key, std::uint64_t r) {
        return try_insert(this->digest(key), r);
    }
    template <key_for<native_hash> Key>
    void insert(const Key& key, std::uint64_t r) {
        (void)try_insert(key, r); // there is always room
    }

    /// Erases one or r occurrences of a key, which must be in the filter that often. Returns
    /// `not_present` and changes nothing if it is definitely not in it; `saturated` if one of its
    /// counters lost count. Erasing a false positive takes counts away from keys that are in the
    /// filter.
    status erase(digest128 key)
        requires(erases)
    {
        return erase(key, 1);
    }
    status erase(digest128 key, std::uint64_t r)
        requires(erases)
    {
        const status done = counters_.subtract(key, r);
        if constexpr (recurs) {
            if (done != status::not_present && again_.is_marked(key)) {
                again_.counters().subtract(key, r);
            }
        }
        return done;
    }
    template <key Key>
    status erase(const Key& key, std::uint64_t r)
        requires(erases)
    {
        return erase(this->digest(key), r);
    }

    /// How often a key is in the filter: never too low, sometimes too high. With the recurring
    /// minimum it is, rarely, too low.
    [[nodiscard]] std::uint64_t count(digest128 key) const noexcept {
        const std::uint64_t first = counters_.least(key);
        if constexpr (recurs) {
            if (first != 0 && again_.is_marked(key)) {
                const std::uint64_t second = again_.counters().least(key);
                return second != 0 ? std::min(first, second) : first;
            }
        }
        return first;
    }

    /// An upper bound of the true count, for policies whose `count` is not one.
    [[nodiscard]] std::uint64_t upper_bound(digest128 key) const noexcept
        requires(recurs)
    {
        return counters_.least(key);
    }
    template <key Key>
    [[nodiscard]] std::uint64_t upper_bound(const Key& key) const
        requires(recurs)
    {
        return upper_bound(this->digest(key));
    }

    /// False: the key is definitely not in the filter. True: it is, or this is a false positive.
    [[nodiscard]] bool may_contain(digest128 key) const noexcept {
        return counters_.least(key) != 0;
    }
    /// Whether count(key) is at least the threshold. False is certain if counts are never too low.
    [[nodiscard]] bool may_contain_at_least(digest128 key, std::uint64_t threshold) const noexcept {
        return count(key) >= threshold;
    }
    template <key Key>
    [[nodiscard]] bool may_contain_at_least(const Key& key, std::uint64_t threshold) const {
        return may_contain_at_least(this->digest(key), threshold);
    }
    BLOOMERY_INLINE void prefetch(digest128 key) const noexcept { counters_.prefetch(key); }

    /// Whether the two can be combined; if not, the result gives the reason.
    [[nodiscard]] compatibility compatible_with(const basic_spectral_filter& other) const {
        return compare(spec(), other.spec());
    }
    /// Adds the counters of another filter. With minimum selection, the result equals one filter of
    /// all keys. With minimal increase, no count is too low, but one filter would have had lower
    /// ones. O(m). Throws incompatible, memory_refused.
    void merge(const basic_spectral_filter& other)
        requires(merges);
    /// Removes all keys. O(m).
    void clear();

    // Properties.

    [[nodiscard]] std::uint64_t counter_count() const noexcept {
        return counters_.rule().place_count();
    }
    [[nodiscard]] std::uint32_t hash_count() const noexcept {
        return counters_.rule().hash_count();
    }
    [[nodiscard]] std::uint64_t byte_count() const noexcept;
    [[nodiscard]] bloomery::spec spec() const noexcept;
    /// Counts counters above 0 as set bits of a Bloom filter; its rate is also the rate of wrong
    /// counts. O(m).
    [[nodiscard]] statistics stats() const;
    /// The expected rate after n distinct keys.
    [[nodiscard]] double rate_at(items n) const;
    /// Policy, width, and the large and stuck counters. O(m).
    [[nodiscard]] std::vector<fact> facts() const;

    // Files.

    /// Record: the number of large counters in the first and in the second array, then each as
    /// position and value, ordered by position. Arrays: counters, second counters, marks. O(large
    /// counters).
    [[nodiscard]] saved_words saved() const;
    /// Restores a saved filter. O(m). Throws bad_data for words that no filter saved, unsupported
    /// for a policy of a later version, memory_refused.
    [[nodiscard]] static basic_spectral_filter restored(const bloomery::spec& what,
                                                        const design& made_for,
                                                        const native_hash& hash,
                                                        std::span<const std::uint64_t> words);

    /// Equal specs and equal counters. O(m).
    friend bool operator==(const basic_spectral_filter& a, const basic_spectral_filter& b) {
        return a.equals(b);
    }

private:
    struct nothing {
        nothing(const layout::place_rule& /*first*/, std::uint32_t /*counter_bits*/) noexcept {}
    };

    [[nodiscard]] bool equals(const basic_spectral_filter& other) const;
    insertion insert_twice(digest128 key, std::uint64_t r)
        requires(recurs);

    key_counters<counters_type> counters_;
    [[no_unique_address]] std::conditional_t<recurs, recurring_part, nothing> again_;
};

/// Counts, and supports erase.
using spectral_filter = basic_spectral_filter<spectral_policy::minimum_selection>;
/// The most accurate counts, without erase.
using minimal_increase_filter = basic_spectral_filter<spectral_policy::minimal_increase>;
/// For comparison; the other two are better.
using recurring_minimum_filter = basic_spectral_filter<spectral_policy::recurring_minimum>;

extern template class key_counters<storage::escaped_counters<>>;
extern template class BLOOMERY_EXPORT basic_spectral_filter<spectral_policy::minimum_selection>;
extern template class BLOOMERY_EXPORT basic_spectral_filter<spectral_policy::minimal_increase>;
extern template class BLOOMERY_EXPORT basic_spectral_filter<spectral_policy::recurring_minimum>;

template <spectral_policy Policy>
inline constexpr bool detail::is_compiled<basic_spectral_filter<Policy>> = true;

} // namespace bloomery::inline v0
