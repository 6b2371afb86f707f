// How often is each key in? Counters in place of bits (Cohen and Matias 2003).
#pragma once

#include <bloomery/filter/fact.hpp>
#include <bloomery/filter/key_calls.hpp>
#include <bloomery/filter/key_counters.hpp>
#include <bloomery/filter/recurring_part.hpp>
#include <bloomery/filter/saved_words.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/layout/places.hpp>
#include <bloomery/layout/status.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/storage/escaped_counters.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bloomery {

/// What an insert does to the counters of a key; part of the file format, never renumbered.
enum class spectral_policy : std::uint8_t {
    minimum_selection = 1, ///< all k go up: the only one that erases and merges without loss
    minimal_increase = 2,  ///< only those that must go up do: half the errors or less, no erase
    recurring_minimum = 3, ///< doubtful keys count twice, in other counters: not advised
};

/// "minimum selection", ...; "unknown" for a number that no policy has. O(1).
[[nodiscard]] std::string_view name_of(spectral_policy policy) noexcept;

/// How a spectral filter is made.
struct spectral_options {
    /// 4, 8, 16 or 32. Counts that do not fit are kept in a map, at 21 to 32 bytes for each such
    /// counter: 4 for counts that are nearly all below 15, 8 for most, 16 where hundreds are usual.
    std::uint32_t counter_bits = 8;
};

/// A multiset of keys: how often is each in, about? n in its size is the number of different keys.
///
/// A count is never too low (but for the recurring minimum), and too high for as many keys as a
/// Bloom filter of that size would err on. It counts to 2^64 - 1 and stays there.
///
/// Policies. Minimum selection takes keys out and merges as if one filter had seen all. Minimal
/// increase (`minimal_increase_filter`) has fewer and smaller errors, but a key that is taken out
/// would take counts from others, so it has no `erase`; its merge is an upper bound, not what one
/// filter would have. Recurring minimum keeps a second array of half the size and a mark for each
/// doubtful key: less error for the same first array, but more than minimum selection has with all
/// that memory, a count can be too low, and it does not merge.
///
/// A filter that was moved from denies every key; inserting into it throws bad_argument.
///
/// Const calls from many threads at once are fine; changes need exclusive access. Calls that throw
/// have changed nothing. Costs are for k = hash_count(), m = counter_count().
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

    /// For n different keys, of which a share of p may be counted wrong. Milliseconds. Throws
    /// bad_argument, memory_refused.
    basic_spectral_filter(items n, rate p, const spectral_options& options = {},
                          const native_hash& hash = {});
    /// Of m counters with k of them for a key, 1..64. Throws bad_argument, memory_refused.
    basic_spectral_filter(bits m, hashes k, const spectral_options& options = {},
                          const native_hash& hash = {}, const design& made_for = {});

    // One key at a time: a key, or its digest. O(k) each.

    using calls::count;
    using calls::erase;
    using calls::insert;
    using calls::may_contain;

    /// Adds a key once, or r times, which is the same as r inserts. `saturated` if a counter of it
    /// reached 2^64 - 1. Throws memory_refused.
    insertion insert(digest128 key) { return insert(key, 1); }
    insertion insert(digest128 key, std::uint64_t r) {
        if constexpr (recurs) {
            return insert_twice(key, r);
        } else if constexpr (Policy == spectral_policy::minimal_increase) {
            return counters_.raise(key, r);
        } else {
            return counters_.add(key, r);
        }
    }
    template <key Key>
    insertion insert(const Key& key, std::uint64_t r) {
        return insert(this->digest(key), r);
    }

    /// Takes a key out once, or r times: it must be in as often. `not_present`, and nothing
    /// changes, if it surely is not; `saturated` if a counter of it lost count. Another key, for
    /// which the filter errs, takes counts away from those that are in.
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

    /// How often a key is in: never less than it is, sometimes more. Of the recurring minimum:
    /// rarely less, too.
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

    /// A bound that the true count never exceeds, where `count` is none.
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

    /// False: the key is surely not in. True: it is, or the filter errs.
    [[nodiscard]] bool may_contain(digest128 key) const noexcept {
        return counters_.least(key) != 0;
    }
    /// Whether count(key) is at least the threshold. False is sure, where a count is never too low.
    [[nodiscard]] bool may_contain_at_least(digest128 key, std::uint64_t threshold) const noexcept {
        return count(key) >= threshold;
    }
    template <key Key>
    [[nodiscard]] bool may_contain_at_least(const Key& key, std::uint64_t threshold) const {
        return may_contain_at_least(this->digest(key), threshold);
    }
    BLOOMERY_INLINE void prefetch(digest128 key) const noexcept { counters_.prefetch(key); }

    /// Why the two cannot be combined, or nothing: then the result converts to true.
    [[nodiscard]] compatibility compatible_with(const basic_spectral_filter& other) const {
        return compare(spec(), other.spec());
    }
    /// Adds the counters of another filter. Of minimum selection: what one filter of all keys would
    /// have. Of minimal increase: no count is too low, but one filter would have had smaller ones.
    /// O(m). Throws incompatible, memory_refused.
    void merge(const basic_spectral_filter& other)
        requires(merges);
    /// Forgets every key. O(m).
    void clear();

    // Facts.

    [[nodiscard]] std::uint64_t counter_count() const noexcept {
        return counters_.rule().place_count();
    }
    [[nodiscard]] std::uint32_t hash_count() const noexcept {
        return counters_.rule().hash_count();
    }
    [[nodiscard]] std::uint64_t byte_count() const noexcept;
    [[nodiscard]] bloomery::spec spec() const noexcept;
    /// The counters that are not 0, as bits of a Bloom filter; its rate is that of wrong counts,
    /// too. O(m).
    [[nodiscard]] statistics stats() const;
    /// The rate to expect after n different keys.
    [[nodiscard]] double fpp_at(items n) const;
    /// Policy, width, large and stuck counters. O(m).
    [[nodiscard]] std::vector<fact> facts() const;

    // Files.

    /// Record: the number of large counters of the first and of the second array, then each as
    /// place and value, by place. Arrays: counters, second counters, marks. O(large counters).
    [[nodiscard]] saved_words saved() const;
    /// A filter equal to the one that was saved. O(m). Throws bad_data for words that no filter
    /// saved, unsupported for a policy of a later version, memory_refused.
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

/// Counts, and takes keys out.
using spectral_filter = basic_spectral_filter<spectral_policy::minimum_selection>;
/// Counts best, and takes nothing out.
using minimal_increase_filter = basic_spectral_filter<spectral_policy::minimal_increase>;
/// For comparison; the other two are better.
using recurring_minimum_filter = basic_spectral_filter<spectral_policy::recurring_minimum>;

extern template class basic_spectral_filter<spectral_policy::minimum_selection>;
extern template class basic_spectral_filter<spectral_policy::minimal_increase>;
extern template class basic_spectral_filter<spectral_policy::recurring_minimum>;

} // namespace bloomery
