// The counting Bloom filter of Fan, Cao, Almeida and Broder (1998): counters instead of bits.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/filter/saved_words.hpp>
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/kernel/counter_line.hpp>
#include <bloomery/detail/layout/scheme.hpp>
#include <bloomery/detail/layout/status.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/detail/storage/counters.hpp>
#include <bloomery/detail/zero_when_moved.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

namespace bloomery::inline v0 {

/// Where the counters of a key are; part of the file format, never renumbered.
enum class counter_layout : std::uint8_t {
    flat = 0,    ///< anywhere: the least memory, and convertible to a plain Bloom filter
    blocked = 1, ///< in one cache line: a seventh more memory at 1 %, and much faster
};

/// Options of a counting filter.
struct counting_options {
    /// The width of a counter: 2 to 32 bits; for `blocked` 2, 4, 8 or 16. With four bits,
    /// practically no counter gets stuck if each key is inserted once. With three bits, a few get
    /// stuck over many erasures; with two bits, so many that they suit only sets that are filled
    /// once. Eight and more bits are for keys that are inserted many times.
    std::uint32_t counter_bits = 4;
    counter_layout layout = counter_layout::flat;
};

/// A set of keys that supports erase, and estimates how often each key is in it.
///
/// A counter that reaches its maximum, 2^bits - 1, has lost count and stays there for good (stuck),
/// so that a key in the filter is never denied. If several probes of a key share a counter, insert
/// and erase change it once per probe; in the blocked layout no two probes share one. No counter
/// goes below 0: an erase that would take more from a counter than it holds is undone and returns
/// not_present.
///
/// Erase only what is in the filter. A key that was never inserted passes the check at the
/// false-positive rate, and takes counts from keys that are in the filter: they may be denied from
/// then on.
///
/// A moved-from filter denies every key; inserting into it throws bad_argument.
///
/// Threads: any number may call const members at once; a call that changes the filter needs
/// exclusive access. Costs are given for k = hash_count() and w words of counters.
///
/// spec().parameters: [0] counter_bits, [1] the counter_layout, [2] to [7] are 0. Its shape has the
/// number of counters as its bits.
class BLOOMERY_EXPORT counting_filter : public key_calls<counting_filter> {
public:
    using key_calls<counting_filter>::try_insert;
    using key_calls<counting_filter>::may_contain;
    using key_calls<counting_filter>::erase;
    using key_calls<counting_filter>::count;
    using key_calls<counting_filter>::may_contain_many;
    using key_calls<counting_filter>::try_insert_many;
    using detail::derived_calls<counting_filter>::erase_many;

    /// Sized so that the exact rate with n distinct keys is at most p (plan/family.hpp). Throws
    /// bad_argument for n = 0, p outside (0, 1) or invalid options, memory_refused.
    counting_filter(items n, rate p, const counting_options& options = {},
                    const native_hash& hash = {});
    /// Exactly m counters, k of them per key; for `blocked` whole cache lines and k at most 8.
    /// Throws as above.
    counting_filter(bits m, hashes k, const counting_options& options = {},
                    const native_hash& hash = {});

    // Single keys, by digest: O(k).

    /// Adds a key once more. Fresh if it was definitely new; `saturated` if one of its counters is
    /// now stuck.
    [[nodiscard]] BLOOMERY_OWN_COPY insertion try_insert(digest128 key) {
        require_counters();
        if (layout_ == counter_layout::blocked) {
            return kernel::with_counter_line(counter_bits(), [&](auto line) {
                return line.insert(line_of(key), key.high, hash_count_);
            });
        }
        bool fresh = false;
        bool stuck = false;
        each_place(key, [&](std::uint64_t at) {
            const std::uint64_t before = counters_.raise(at);
            fresh |= before == 0;
            stuck |= before + 1 >= counters_.most();
            return true;
        });
        return {fresh, stuck ? status::saturated : status::ok};
    }

    /// False: the key is definitely not in the filter. True: it is, or this is a false positive.
    [[nodiscard]] BLOOMERY_OWN_COPY bool may_contain(digest128 key) const {
        if (layout_ == counter_layout::blocked) {
            return kernel::with_counter_line(counter_bits(), [&](auto line) {
                return line.contains(line_of(key), key.high, hash_count_);
            });
        }
        return each_place(key, [&](std::uint64_t at) { return counters_[at] != 0; });
    }

    /// Erases one occurrence of a key. not_present: it is definitely not in the filter, and nothing
    /// changed. saturated: one of its counters is stuck and stays; the others were decremented.
    BLOOMERY_OWN_COPY status erase(digest128 key) {
        if (bit_count() == 0) {
            return status::not_present;
        }
        if (layout_ == counter_layout::blocked) {
            return kernel::with_counter_line(counter_bits(), [&](auto line) {
                return line.erase(line_of(key), key.high, hash_count_);
            });
        }
        return erase_flat(key);
    }

    /// The smallest of a key's counters: an upper bound for how often it is in the filter, unless
    /// it is the maximum 2^counter_bits - 1, which means that or more.
    [[nodiscard]] BLOOMERY_OWN_COPY std::uint64_t count(digest128 key) const {
        if (layout_ == counter_layout::blocked) {
            return kernel::with_counter_line(counter_bits(), [&](auto line) {
                return line.least(line_of(key), key.high, hash_count_);
            });
        }
        std::uint64_t least = counters_.most();
        each_place(key, [&](std::uint64_t at) {
            least = std::min(least, counters_[at]);
            return least != 0;
        });
        return least;
    }

    /// Prefetches a key's counters.
    BLOOMERY_INLINE void prefetch(digest128 key) const noexcept {
        if (layout_ == counter_layout::blocked) {
            __builtin_prefetch(line_of(key), 0, 2);
        } else {
            each_place(key, [&](std::uint64_t at) {
                counters_.prefetch(at);
                return true;
            });
        }
    }

    // Bulk calls: as in key_calls, but cache lines of four-bit counters go through the kernels.

    template <keys_for<native_hash> Keys>
    BLOOMERY_OWN_COPY void insert_many(Keys&& keys) {
        if (!has_kernel()) {
            return key_calls::insert_many(std::forward<Keys>(keys));
        }
        require_counters();
        each_run(keys, [this](std::span<const digest128> run, std::size_t /*at*/) {
            kernel::insert(lines(), run, nullptr);
        });
    }
    template <keys_for<native_hash> Keys>
        requires std::ranges::sized_range<Keys>
    BLOOMERY_OWN_COPY void try_insert_many(Keys&& keys, bitmap& fresh) {
        if (!has_kernel()) {
            return key_calls::try_insert_many(std::forward<Keys>(keys), fresh);
        }
        require_counters();
        fresh.reset(std::ranges::size(keys));
        each_run(keys, [&](std::span<const digest128> run, std::size_t at) {
            kernel::insert(lines(), run, fresh.data() + at / 64);
        });
    }
    template <keys_for<native_hash> Keys>
        requires std::ranges::sized_range<Keys>
    BLOOMERY_OWN_COPY void may_contain_many(Keys&& keys, bitmap& maybe) const {
        if (!has_kernel()) {
            return key_calls::may_contain_many(std::forward<Keys>(keys), maybe);
        }
        maybe.reset(std::ranges::size(keys));
        each_run(keys, [&](std::span<const digest128> run, std::size_t at) {
            kernel::contains(lines(), run, maybe.data() + at / 64);
        });
    }
    template <keys_for<native_hash> Keys>
        requires std::ranges::sized_range<Keys>
    BLOOMERY_OWN_COPY void erase_many(Keys&& keys, bitmap& erased) {
        if (!has_kernel()) {
            return key_calls::erase_many(std::forward<Keys>(keys), erased);
        }
        erased.reset(std::ranges::size(keys));
        if (bit_count() == 0) {
            return;
        }
        each_run(keys, [&](std::span<const digest128> run, std::size_t at) {
            kernel::erase(lines(), run, erased.data() + at / 64);
        });
    }

    // Combining filters. O(w).

    /// Whether the two can be combined; if not, the result gives the reason.
    [[nodiscard]] compatibility compatible_with(const counting_filter& other) const {
        return compare(spec(), other.spec());
    }
    /// Adds the counts of the other filter: the result is the filter of all insertions of both. A
    /// counter that is stuck in either is stuck. Throws incompatible unless compatible_with(other).
    void merge(const counting_filter& other);
    /// The Bloom filter with the same hash, k, number of bits and keys, bit for bit: a
    /// bit is set if its counter is above 0. Throws unsupported for `blocked`, whose positions do
    /// not match any bit layout, and memory_refused.
    [[nodiscard]] filter to_bloom() const;
    /// Removes all keys and frees stuck counters.
    void clear() noexcept { counters_.clear(); }

    // Properties. O(1).

    [[nodiscard]] std::uint64_t bit_count() const noexcept { return counters_.size(); }
    [[nodiscard]] std::uint32_t hash_count() const noexcept { return hash_count_; }
    [[nodiscard]] std::uint64_t byte_count() const noexcept { return counters_.words().size() * 8; }
    [[nodiscard]] std::uint32_t counter_bits() const noexcept { return counters_.bits(); }
    [[nodiscard]] counter_layout layout() const noexcept { return layout_; }
    [[nodiscard]] bloomery::spec spec() const noexcept;

    // Statistics, from the current counters. O(w).

    [[nodiscard]] statistics stats() const;
    /// The expected rate with n distinct keys. Takes milliseconds.
    [[nodiscard]] double rate_at(items n) const;
    /// The number of stuck counters; only clear() frees them.
    [[nodiscard]] std::uint64_t stuck_counters() const noexcept { return counters_.stuck(); }
    /// The number of counters in use and stuck, the largest, and the sum of all: k per key in the
    /// filter, as long as none is stuck.
    [[nodiscard]] storage::counter_tally tally() const noexcept { return counters_.tally(); }
    /// "counter bits", "layout", "stuck counters" and "largest counter".
    [[nodiscard]] std::vector<fact> facts() const;

    // For files.

    /// No record; one array: the counters.
    [[nodiscard]] saved_words saved() const;
    /// Restores a filter from the words of saved(). O(w). Throws bad_data for words that no filter
    /// saves, unsupported for parameters of a later version, memory_refused.
    [[nodiscard]] static counting_filter restored(const bloomery::spec& what,
                                                  const design& made_for, const native_hash& hash,
                                                  std::span<const std::uint64_t> words);

    /// Equal specs and equal counters. O(w).
    friend bool operator==(const counting_filter& a, const counting_filter& b) {
        return a.compatible_with(b) && storage::equal(a.counters_.words(), b.counters_.words());
    }

private:
    struct plan_of {
        std::uint64_t counters;
        std::uint32_t hash_count;
    };

    static plan_of planned(items n, rate p, const counting_options& options);
    static storage::counters made(plan_of size, const counting_options& options);
    counting_filter(plan_of size, const counting_options& options, const native_hash& hash,
                    const design& made_for);

    status erase_flat(digest128 key);
    [[nodiscard]] double rate_of_lines() const;

    /// Calls `visit` with a key's positions until a call returns false; returns true if none did.
    template <class Visit>
    BLOOMERY_INLINE bool each_place(digest128 key, Visit visit) const {
        auto walk = layout::native_scheme::walk(key);
        for (std::uint32_t i = 0; i < hash_count_; ++i) {
            if (!visit(layout::native_scheme::reduce(walk.next(), counters_.size()))) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] BLOOMERY_INLINE std::uint64_t first_word(digest128 key) const noexcept {
        return hash::fastrange(key.low, hash::in_register(line_count_)) * kernel::line_words;
    }
    [[nodiscard]] BLOOMERY_INLINE std::uint64_t* line_of(digest128 key) noexcept {
        return counters_.data() + first_word(key);
    }
    [[nodiscard]] BLOOMERY_INLINE const std::uint64_t* line_of(digest128 key) const noexcept {
        return counters_.data() + first_word(key);
    }

    void require_counters() const {
        if (bit_count() == 0) [[unlikely]] {
            storage::detail::refuse_moved_from();
        }
    }
    [[nodiscard]] bool has_kernel() const noexcept {
        return layout_ == counter_layout::blocked && counters_.bits() == 4;
    }
    [[nodiscard]] kernel::counter_lines lines() noexcept {
        return {counters_.data(), line_count_, hash_count_};
    }
    [[nodiscard]] kernel::const_counter_lines lines() const noexcept {
        return {counters_.data(), line_count_, hash_count_};
    }

    counter_layout layout_;
    std::uint32_t hash_count_;
    storage::counters counters_;
    zero_when_moved<std::uint64_t> line_count_; ///< 0 for flat
};

template <>
inline constexpr bool detail::is_compiled<counting_filter> = true;

} // namespace bloomery::inline v0
