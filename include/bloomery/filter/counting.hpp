// The counting Bloom filter of Fan, Cao, Almeida and Broder (1998): counters in place of bits.
#pragma once

#include <bloomery/filter/fact.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/key_calls.hpp>
#include <bloomery/filter/saved_words.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/bits.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/kernel/counter_line.hpp>
#include <bloomery/layout/scheme.hpp>
#include <bloomery/layout/status.hpp>
#include <bloomery/storage/bitmap.hpp>
#include <bloomery/storage/counters.hpp>
#include <bloomery/zero_when_moved.hpp>

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

namespace bloomery {

/// Where the counters of a key lie; part of the file format, never renumbered.
enum class counter_layout : std::uint8_t {
    flat = 0,    ///< anywhere: the least memory, and a plain Bloom filter can be had from it
    blocked = 1, ///< in one cache line: a seventh more memory at 1 %, and much faster
};

/// What to choose of a counting filter.
struct counting_options {
    /// The width of a counter: 2 to 32 bits, for `blocked` 2, 4, 8 or 16. Of four bits practically
    /// none gets stuck by keys that are in once; of three a few do in the course of many erasures,
    /// and of two so many that they are for sets that are filled once. Eight and more are for keys
    /// that are in many times.
    std::uint32_t counter_bits = 4;
    counter_layout layout = counter_layout::flat;
};

/// A set of keys that can also be taken out again, and that tells about how often each is in.
///
/// A counter that reaches its most, 2^bits - 1, has lost count and stays there for good (stuck), so
/// that no key that is in is ever denied. Insert and erase treat a counter that several probes of
/// one key share alike, once for each probe; in lines no two probes share one. No counter ever goes
/// below 0: an erase that would take more from one than it holds is undone and the key not_present.
///
/// Erase only what is in. A key that was never inserted passes the guard at the rate of false
/// positives, and takes counts from keys that are in: they may be denied from then on.
///
/// A filter that was moved from denies every key; inserting into it throws bad_argument.
///
/// Threads: any number may call const members at once; a call that changes the filter must be
/// alone. Costs are given for k = hash_count() and w words of counters.
///
/// spec().parameters: [0] counter_bits, [1] the counter_layout, [2] to [7] are 0. Its shape has the
/// number of counters as its bits.
class counting_filter : public key_calls<counting_filter> {
public:
    using key_calls<counting_filter>::insert;
    using key_calls<counting_filter>::may_contain;
    using key_calls<counting_filter>::erase;
    using key_calls<counting_filter>::count;

    /// Sized so that with n distinct keys in it the rate is at most p, exactly (plan/family.hpp).
    /// Throws bad_argument for n = 0, p outside (0, 1) or options that no filter has,
    /// memory_refused.
    counting_filter(items n, rate p, const counting_options& options = {},
                    const native_hash& hash = {});
    /// Exactly m counters, k of them a key, for `blocked` whole lines and at most 8. Throws as
    /// above.
    counting_filter(bits m, hashes k, const counting_options& options = {},
                    const native_hash& hash = {});

    // One key at a time, by its digest: O(k).

    /// Adds a key once more. Fresh if it surely was not in; `saturated` if one of its counters is
    /// now stuck.
    insertion insert(digest128 key) {
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

    /// False: the key is surely not in. True: it is, or the filter errs.
    [[nodiscard]] bool may_contain(digest128 key) const {
        if (layout_ == counter_layout::blocked) {
            return kernel::with_counter_line(counter_bits(), [&](auto line) {
                return line.contains(line_of(key), key.high, hash_count_);
            });
        }
        return each_place(key, [&](std::uint64_t at) { return counters_[at] != 0; });
    }

    /// Takes a key out once. not_present: it surely is not in, and nothing changed. saturated: one
    /// of its counters is stuck and stays; the others went down.
    status erase(digest128 key) {
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

    /// The smallest of a key's counters: at least how often it is in, up to 2^counter_bits - 1,
    /// which means that or more.
    [[nodiscard]] std::uint64_t count(digest128 key) const {
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

    /// Asks the memory for a key's counters ahead of time.
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

    // Many keys: as key_calls, but lines of counters of four bits go through the kernels.

    template <keys_for<native_hash> Keys>
    void insert_many(Keys&& keys) {
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
    void try_insert_many(Keys&& keys, bitmap& fresh) {
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
    void may_contain_many(Keys&& keys, bitmap& maybe) const {
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
    void erase_many(Keys&& keys, bitmap& erased) {
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

    // Filters with filters. O(w).

    /// Why the two cannot be combined, or nothing: then the result converts to true.
    [[nodiscard]] compatibility compatible_with(const counting_filter& other) const;
    /// Adds the other's counts: the filter of all insertions of both. A counter that is stuck in
    /// either is stuck. Throws incompatible unless compatible_with(other).
    void merge(const counting_filter& other);
    /// The Bloom filter of equal hash, k and number of bits that got the same keys, bit for bit:
    /// a bit is set where a counter is above 0. Throws unsupported for `blocked`, whose places no
    /// filter of bits has, memory_refused.
    [[nodiscard]] filter to_bloom() const;
    /// Forgets every key, and frees stuck counters.
    void clear() noexcept { counters_.clear(); }

    // Facts. O(1).

    [[nodiscard]] std::uint64_t bit_count() const noexcept { return counters_.size(); }
    [[nodiscard]] std::uint32_t hash_count() const noexcept { return hash_count_; }
    [[nodiscard]] std::uint64_t byte_count() const noexcept { return counters_.words().size() * 8; }
    [[nodiscard]] std::uint32_t counter_bits() const noexcept { return counters_.bits(); }
    [[nodiscard]] counter_layout layout() const noexcept { return layout_; }
    [[nodiscard]] bloomery::spec spec() const noexcept;

    // Statistics, from the counters as they are. O(w).

    [[nodiscard]] statistics stats() const;
    /// The rate to expect with n distinct keys in it. Milliseconds.
    [[nodiscard]] double fpp_at(items n) const;
    /// How many counters are stuck; only clear() makes it fewer.
    [[nodiscard]] std::uint64_t stuck_counters() const noexcept { return counters_.stuck(); }
    /// The counters in use, stuck, the largest, and the sum of all: k for each key that is in, as
    /// long as none is stuck.
    [[nodiscard]] storage::counter_tally tally() const noexcept { return counters_.tally(); }
    /// "counter bits", "layout", "stuck counters" and "largest counter".
    [[nodiscard]] std::vector<fact> facts() const;

    // For files.

    /// No record; one array, the counters.
    [[nodiscard]] saved_words saved() const;
    /// The filter that saved() these words. O(w). Throws bad_data for what no filter saves,
    /// unsupported for parameters of a later version, memory_refused.
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
    [[nodiscard]] double fpp_of_lines() const;

    /// Calls `visit` with a key's places until one answers false; true if none did.
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
    [[nodiscard]] kernel::counter_lines lines() const noexcept {
        auto* const words = const_cast<std::uint64_t*>(counters_.data()); // const callers only read
        return {words, line_count_, hash_count_};
    }

    counter_layout layout_;
    std::uint32_t hash_count_;
    storage::counters counters_;
    zero_when_moved<std::uint64_t> line_count_; ///< 0 for flat
};

} // namespace bloomery
