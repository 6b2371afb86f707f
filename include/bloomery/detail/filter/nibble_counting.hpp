// A counting filter of another system: a 4-bit counter in place of each bit.
#pragma once

#include <bloomery/detail/filter/bulk.hpp>
#include <bloomery/detail/filter/derived_calls.hpp>
#include <bloomery/detail/hash/digest_of.hpp>
#include <bloomery/detail/layout/status.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/detail/storage/word_sets.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/layout/classic.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/storage/bitmap.hpp>
#include <bloomery/storage/words.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector> // std::min and the like, without the rest of <algorithm>

namespace bloomery::inline v0 {

/// A set of keys that supports erase: Hadoop's CountingBloomFilter. Counter i is bits 4 (i % 16)
/// and up of word i / 16. A counter that reaches 15 is stuck there, so that no key in the filter is
/// ever denied. Threads, errors, moves and costs as for basic_filter.
template <class Scheme, class Hash>
class nibble_counting : public detail::derived_calls<nibble_counting<Scheme, Hash>> {
    using derived = detail::derived_calls<nibble_counting>;

public:
    using derived::erase_many;
    using derived::may_contain_many;
    using derived::try_insert_many;
    using scheme = Scheme;
    using hash_type = Hash;
    using digest_type = digest_type_of<Hash>;
    static constexpr std::uint64_t most = 15; ///< the maximum of a counter

    /// An empty filter of m counters with k probes per key. Throws bad_argument, memory_refused.
    nibble_counting(bits m, hashes k, Hash hash = {}, design made_for = {})
        : nibble_counting(m, k, storage::heap_words<>(words_for(m)), std::move(hash), made_for) {}

    /// Uses existing counters. O(1). Throws bad_argument if they are not words_for(m) words, or a
    /// counter past the last one is not 0.
    nibble_counting(bits m, hashes k, storage::heap_words<> counters, Hash hash = {},
                    design made_for = {})
        : layout_(m, k), hash_(std::move(hash)), design_(made_for), storage_(std::move(counters)) {
        if (storage_.word_count() != words_for(m)) {
            throw bad_argument("the array has " + std::to_string(storage_.word_count()) +
                               " words, but the counters need " + std::to_string(words_for(m)));
        }
        const std::uint64_t used = m.value % 16;
        if (used != 0 && storage_.data()[storage_.word_count() - 1] >> (4 * used) != 0) {
            throw bad_argument("a counter past the end of the filter is not 0");
        }
        if constexpr (requires { hash_.count = k.value; }) {
            hash_.count = k.value;
        }
    }

    nibble_counting(const nibble_counting&) = default;
    nibble_counting& operator=(const nibble_counting&) = default;
    nibble_counting(nibble_counting&& other) noexcept
        : layout_(other.layout_), hash_(std::move(other.hash_)), design_(other.design_),
          storage_(std::move(other.storage_)) {
        other.layout_ = layout_.without_bits();
    }
    nibble_counting& operator=(nibble_counting&& other) noexcept {
        if (this != &other) {
            layout_ = std::exchange(other.layout_, other.layout_.without_bits());
            hash_ = std::move(other.hash_);
            design_ = other.design_;
            storage_ = std::move(other.storage_);
        }
        return *this;
    }
    ~nibble_counting() = default;

    /// The number of words for that many counters. O(1).
    [[nodiscard]] static constexpr std::uint64_t words_for(bits m) noexcept {
        return m.value / 16 + (m.value % 16 != 0 ? 1 : 0);
    }

    // Single keys, or their digests. O(k) each. Keys that the original refuses throw no_place.

    /// Adds a key. A counter that two probes of a key share counts twice.
    template <key_for<Hash> Key>
    BLOOMERY_OWN_COPY void insert(const Key& key) {
        (void)try_insert(key);
    }
    /// The same; fresh if a counter was 0, `saturated` if one is stuck now.
    template <key_for<Hash> Key>
    [[nodiscard]] BLOOMERY_OWN_COPY insertion try_insert(const Key& key) {
        if (storage_.word_count() == 0) [[unlikely]] {
            storage::detail::refuse_moved_from();
        }
        insertion done;
        each_place(key, [&](std::uint64_t at) {
            const std::uint64_t now = counter(at);
            done.fresh = done.fresh || now == 0;
            if (now < most) {
                storage_.data()[at / 16] += one(at);
            }
            done.state = now + 1 >= most ? status::saturated : done.state;
            return true;
        });
        return done;
    }

    /// Whether the hash refuses some keys. O(1).
    [[nodiscard]] static constexpr bool may_lack_places() noexcept {
        return requires { requires Hash::may_throw; };
    }

    /// False: the key is definitely not in the filter. True: it is, or this is a false positive.
    template <key_for<Hash> Key>
    [[nodiscard]] BLOOMERY_OWN_COPY bool may_contain(const Key& key) const {
        return count(key) != 0;
    }

    /// Erases one occurrence of a key; not_present, and nothing changes, if it is definitely not in
    /// the filter (the original throws then); saturated if one of its counters is stuck. Erasing a
    /// false positive may deny keys that are in the filter.
    template <key_for<Hash> Key>
    BLOOMERY_OWN_COPY status erase(const Key& key) {
        const digest_type hashed = digest(key);
        if (!may_contain(hashed)) {
            return status::not_present;
        }
        status done = status::ok;
        each_place(hashed, [&](std::uint64_t at) {
            if (const std::uint64_t now = counter(at); now != 0 && now < most) {
                storage_.data()[at / 16] -= one(at);
            } else if (now == most) {
                done = status::saturated;
            }
            return true;
        });
        return done;
    }

    /// The smallest of a key's counters, the original's approximateCount: at least how often the
    /// key is in the filter, up to 15.
    template <key_for<Hash> Key>
    [[nodiscard]] BLOOMERY_OWN_COPY std::uint32_t count(const Key& key) const {
        std::uint64_t least = storage_.word_count() == 0 ? 0 : most;
        each_place(key, [&](std::uint64_t at) {
            least = std::min(least, counter(at));
            return least != 0;
        });
        return static_cast<std::uint32_t>(least);
    }

    /// The digest of a key, for this filter and every other with the same hash.
    template <key_for<Hash> Key>
    [[nodiscard]] BLOOMERY_OWN_COPY digest_type digest(const Key& key) const {
        return detail::digest_or_self(hash_, key);
    }

    // Bulk calls, one key after another. O(n k).

    /// Adds all keys. Throws what the range throws; earlier keys may then be in.
    template <keys_for<Hash> Keys>
    BLOOMERY_OWN_COPY void insert_many(Keys&& keys) {
        for (const std::ranges::range_value_t<Keys>& key : keys) {
            insert(key);
        }
    }
    /// The same; bit i is set if key i was definitely new.
    template <keys_for<Hash> Keys>
        requires std::ranges::sized_range<Keys>
    BLOOMERY_OWN_COPY void try_insert_many(Keys&& keys, bitmap& fresh) {
        derived::answer(keys, fresh,
                        [this](const auto& key) { return this->try_insert(key).fresh; });
    }
    /// Queries all keys; bit i is the answer for key i.
    template <keys_for<Hash> Keys>
        requires std::ranges::sized_range<Keys>
    BLOOMERY_OWN_COPY void may_contain_many(Keys&& keys, bitmap& maybe) const {
        derived::answer(keys, maybe, [this](const auto& key) { return this->may_contain(key); });
    }
    /// Erases all keys that are in the filter; bit i is whether key i was.
    template <keys_for<Hash> Keys>
        requires std::ranges::sized_range<Keys>
    BLOOMERY_OWN_COPY void erase_many(Keys&& keys, bitmap& erased) {
        derived::answer(keys, erased, [this](const auto& key) {
            return this->erase(key) != status::not_present;
        });
    }

    // Combining filters. O(w). They throw `incompatible` unless compatible_with(other).

    /// Whether the two can be combined; if not, the result gives the reason.
    [[nodiscard]] compatibility compatible_with(const nibble_counting& other) const {
        return compare(spec(), other.spec());
    }
    /// The original's `or`, bit by bit: no key of either is denied, but the counters are not sums,
    /// and erasing afterwards may deny keys that are in the filter.
    void merge(const nibble_counting& other) {
        detail::require_compatible(compatible_with(other), "merged");
        merge(other.words());
        design_.intersected = design_.intersected || other.design_.intersected;
    }
    /// The original's `and`, bit by bit too: a key of both may be denied if its counters have no
    /// bit in common.
    void intersect(const nibble_counting& other) {
        detail::require_compatible(compatible_with(other), "intersected");
        intersect(other.words());
    }
    /// The same with the words of a filter of equal spec. Throw bad_argument for a different number
    /// of words.
    void merge(std::span<const std::uint64_t> counters) {
        require_words(counters);
        storage::unite(storage_.data(), counters);
    }
    void intersect(std::span<const std::uint64_t> counters) {
        require_words(counters);
        storage::intersect(storage_.data(), counters);
        design_.intersected = true;
    }

    /// Removes all keys. O(w).
    void clear() noexcept {
        storage::clear(storage_.data(), storage_.word_count());
        design_.intersected = false;
    }

    /// Equal specs and equal counters. O(w).
    friend bool operator==(const nibble_counting& a, const nibble_counting& b) {
        return a.compatible_with(b) && storage::equal(a.words(), b.words());
    }

    // Properties. O(1).

    [[nodiscard]] std::uint64_t bit_count() const noexcept { return layout_.bit_count(); }
    [[nodiscard]] std::uint32_t hash_count() const noexcept { return layout_.hash_count(); }
    [[nodiscard]] const design& made_for() const noexcept { return design_; }
    [[nodiscard]] const Hash& hash() const noexcept { return hash_; }
    /// The byte_count() of its shape is that of bits: a quarter of ours.
    [[nodiscard]] bloomery::spec spec() const noexcept {
        return {filter_kind::counting, Scheme::id, id_of(hash_), 0, layout_.shape()};
    }
    /// The counters.
    [[nodiscard]] std::span<const std::uint64_t> words() const noexcept {
        return {storage_.data(), storage_.word_count()};
    }

    // Statistics: a counter above 0 counts as a set bit. O(w).

    [[nodiscard]] BLOOMERY_OWN_COPY statistics stats() const {
        std::uint64_t used = 0;
        for (const std::uint64_t word : words()) {
            const std::uint64_t pairs = word | word >> 1U;
            used += static_cast<std::uint64_t>(
                std::popcount((pairs | pairs >> 2U) & 0x1111111111111111U));
        }
        statistics now = statistics_of(layout_.shape(), used);
        now.unit = place_unit::counter;
        now.unit_bits = 4;
        now.intersected = design_.intersected;
        return now;
    }
    /// The expected rate after n distinct keys, whatever the filter contains now.
    [[nodiscard]] double rate_at(items n) const {
        return bit_count() == 0
                   ? 0
                   : plan::expected_rate(layout_.shape(), static_cast<double>(n.value));
    }
    /// The number of stuck counters. O(w).
    [[nodiscard]] BLOOMERY_OWN_COPY std::uint64_t stuck_counters() const noexcept {
        std::uint64_t stuck = 0;
        for (const std::uint64_t word : words()) {
            const std::uint64_t pairs = word & word >> 1U;
            stuck += static_cast<std::uint64_t>(
                std::popcount(pairs & pairs >> 2U & 0x1111111111111111U));
        }
        return stuck;
    }

private:
    static constexpr std::uint64_t one(std::uint64_t at) noexcept {
        return std::uint64_t{1} << (4 * (at % 16));
    }
    [[nodiscard]] std::uint64_t counter(std::uint64_t at) const noexcept {
        return storage_.data()[at / 16] >> (4 * (at % 16)) & most;
    }

    /// Calls `visit` with the positions of a key until it returns false.
    template <class Key, class Visit>
    BLOOMERY_OWN_COPY void each_place(const Key& key, Visit visit) const {
        const digest_type hashed = digest(key);
        auto walk = Scheme::walk(hashed);
        for (std::uint32_t i = 0; i < hash_count(); ++i) {
            if (!visit(layout_.next_place(walk))) {
                return;
            }
        }
    }

    void require_words(std::span<const std::uint64_t> counters) const {
        if (counters.size() != storage_.word_count()) {
            throw bad_argument("the counters have a different number of words");
        }
    }

    layout::classic<Scheme> layout_;
    [[no_unique_address]] Hash hash_;
    design design_;
    storage::heap_words<> storage_;
};

} // namespace bloomery::inline v0
