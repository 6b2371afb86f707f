// The filter class: combines a layout, a hash and a storage, and defines all calls once.
#pragma once

#include <bloomery/detail/filter/bulk.hpp>
#include <bloomery/detail/filter/fold.hpp>
#include <bloomery/detail/filter/shared_view.hpp>
#include <bloomery/detail/filter/survivors.hpp>
#include <bloomery/detail/hash/digest_of.hpp>
#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/detail/kernel/shared_words.hpp>
#include <bloomery/detail/layout/ones.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/detail/plan/digest_floor.hpp>
#include <bloomery/detail/storage/word_sets.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/parallel.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>
#include <bloomery/storage/bitmap.hpp>
#include <bloomery/storage/words.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace bloomery::inline v0 {

namespace detail {
struct answers_at; // of the C interface
} // namespace detail

/// A set of keys that answers "definitely not" or "maybe": never a false negative, and false
/// positives at a rate chosen at construction.
///
/// Threads: any number may call const members at once; a call that changes the filter needs
/// exclusive access or must go through `shared`. Errors: a call that throws changes nothing, except
/// bulk inserts whose keys throw. Costs are given for k = hash_count() and w = words().size().
///
/// A moved-from filter has no bits: it denies every key, and inserting into it throws bad_argument,
/// until another filter is assigned to it. (A filter over borrowed words stays as it was.)
template <class Layout, class Hash, class Storage = storage::heap_words<>>
class basic_filter {
public:
    using layout_type = Layout;
    using hash_type = Hash;
    using storage_type = Storage;
    using digest_type = digest_type_of<Hash>;
    /// Whether its words may be changed. If not, it has none of the verbs that would.
    static constexpr bool is_changeable = requires(Storage& of) {
        { of.data() } -> std::same_as<std::uint64_t*>;
    };
    static constexpr bool is_classic = requires { requires Layout::kind == layout_kind::classic; };

    /// Makes a filter of a planned shape; `design` records what it is made for. Throws
    /// bad_argument, memory_refused.
    template <class... Allocator>
    basic_filter(const plan::shape& shape, Hash hash, design made_for,
                 const Allocator&... allocator)
        : layout_(shape), hash_(std::move(hash)), design_(made_for),
          storage_(layout_.word_count(), allocator...) {
        // More keys than 64-bit digests can distinguish need a wider hash, if this one has one.
        if constexpr (requires { hash_ = hash_.widened(); }) {
            if (needs_wide_digests(made_for)) {
                hash_ = hash_.widened();
            }
        }
    }

    /// As above, for a layout that is more than a shape.
    template <class... Allocator>
    basic_filter(Layout layout, Hash hash, design made_for, const Allocator&... allocator)
        : layout_(layout), hash_(std::move(hash)), design_(made_for),
          storage_(layout_.word_count(), allocator...) {}

    /// Sized so that the exact rate after n distinct keys is at most p (see plan/sizing.hpp).
    /// Throws bad_argument for n = 0 or p outside (0, 1), memory_refused.
    template <class... Allocator>
    basic_filter(items n, rate p, Hash hash = {}, const Allocator&... allocator)
        : basic_filter(Layout::shape_for(n, p), std::move(hash), design{n.value, p.value},
                       allocator...) {}

    /// An array of exactly m bits with k probes per key. Throws bad_argument, memory_refused.
    template <class... Allocator>
    basic_filter(bits m, hashes k, Hash hash = {}, const Allocator&... allocator)
        : basic_filter(Layout::shape_for(m, k), std::move(hash), design{}, allocator...) {}

    /// Uses all of the given memory, with the best k for n keys. Throws as above.
    template <class... Allocator>
    basic_filter(bytes memory, items n, Hash hash = {}, const Allocator&... allocator)
        : basic_filter(Layout::shape_for(memory, n), std::move(hash), design{n.value, 0},
                       allocator...) {}

    /// Contains the keys of a sized range, at a rate of p. Throws as above, and what the range
    /// throws.
    template <std::ranges::sized_range Keys>
        requires hashes_key<Hash, std::ranges::range_value_t<Keys>>
    basic_filter(const Keys& keys, rate p, Hash hash = {})
        : basic_filter(items{std::max(std::uint64_t{1},
                                      static_cast<std::uint64_t>(std::ranges::size(keys)))},
                       p, std::move(hash)) {
        insert_many(keys);
    }

    /// Uses existing storage: borrowed memory, or words filled elsewhere. O(1). Throws bad_argument
    /// if the number of words does not fit the layout, or a bit past bit_count() is set.
    basic_filter(Layout layout, Storage storage, Hash hash = {}, design made_for = {})
        : layout_(layout), hash_(std::move(hash)), design_(made_for), storage_(std::move(storage)) {
        if (storage_.word_count() != layout_.word_count()) {
            storage::detail::refuse_word_count(storage_.word_count(), layout_.word_count());
        }
        if (const auto used = layout_.bit_count() % 64; used != 0) {
            if (storage_.data()[storage_.word_count() - 1] >> used != 0) {
                throw bad_argument("a bit past the end of the filter is set");
            }
        }
    }

    basic_filter(const basic_filter&) = default;
    basic_filter& operator=(const basic_filter&) = default;
    basic_filter(basic_filter&& other) noexcept(std::is_nothrow_move_constructible_v<Hash>)
        : layout_(other.layout_), hash_(std::move(other.hash_)), design_(other.design_),
          storage_(std::move(other.storage_)) {
        other.forget_bits();
    }
    basic_filter&
    operator=(basic_filter&& other) noexcept(std::is_nothrow_move_assignable_v<Storage> &&
                                             std::is_nothrow_move_assignable_v<Hash>) {
        if (this != &other) {
            storage_ = std::move(other.storage_); // first, because it may throw
            layout_ = other.layout_;
            hash_ = std::move(other.hash_);
            design_ = other.design_;
            other.forget_bits();
        }
        return *this;
    }
    ~basic_filter() = default;

    /// A filter with a copy of an existing array, 64 bits per word. O(w). Throws bad_argument,
    /// memory_refused.
    [[nodiscard]] static basic_filter from_words(std::span<const std::uint64_t> words, hashes k,
                                                 Hash hash = {}) {
        basic_filter made(bits{words.size() * 64}, k, std::move(hash));
        std::copy(words.begin(), words.end(), made.storage_.data());
        return made;
    }

    // Single keys. A key is anything that concept `key` allows, or its digest; O(k) each.

    /// Adds a key.
    template <key_for<Hash> Key>
        requires is_changeable
    BLOOMERY_INLINE void insert(const Key& key) {
        if constexpr (requires(const Layout& layout) { layout.add(storage_.data(), probe(key)); }) {
            require_words();
            with_probe(key, [this](const auto& hashed) { layout_.add(storage_.data(), hashed); });
        } else {
            (void)try_insert(key); // the unused answer is not computed
        }
    }

    /// Adds a key and returns whether it was definitely new: whether any bit changed.
    template <key_for<Hash> Key>
        requires is_changeable
    [[nodiscard]] BLOOMERY_INLINE bool try_insert(const Key& key) {
        require_words();
        return with_probe(
            key, [this](const auto& hashed) { return layout_.insert(storage_.data(), hashed); });
    }

    /// False: the key was definitely never inserted. True: it was, or this is a false positive.
    template <key_for<Hash> Key>
    [[nodiscard]] BLOOMERY_INLINE bool may_contain(const Key& key) const {
        if constexpr (!forgets_bits) {
            if (!has_words()) {
                return false;
            }
        }
        return with_probe(key, [this](const auto& hashed) {
            return layout_.may_contain(storage_.data(), hashed);
        });
    }

    /// Whether some keys have no position, as in some filters of other systems. O(1).
    [[nodiscard]] static constexpr bool may_lack_places() noexcept {
        return requires { requires Layout::may_throw; } || requires { requires Hash::may_throw; };
    }
    /// Throws no_place if `insert` would throw for this key; changes nothing.
    template <class Key>
        requires requires { requires Layout::may_throw; }
    void require_place(const Key& key) const {
        layout_.require_place(probe(key));
    }

    /// Hash once, query many filters: the digest works with every filter that has the same hash and
    /// seed.
    template <key_for<Hash> Key>
    [[nodiscard]] digest_type digest(const Key& key) const {
        return detail::digest_or_self(hash_, key);
    }

    // Bulk calls: any range of keys or digests, hashed and tested in vectors if the processor
    // supports it, with prefetching where it helps. O(n k); nothing is allocated except what a
    // bitmap or the caller's iterator needs.

    /// Adds all keys. Throws what the range and the keys' own functions throw; earlier keys may
    /// then be inserted.
    template <keys_for<Hash> Keys>
        requires is_changeable
    BLOOMERY_OWN_COPY void insert_many(Keys&& keys) {
        require_words();
        bulk().insert(keys);
    }

    /// As above, with several threads: `threads{}` or your own `workers`. The calling thread waits,
    /// and the filter must not be used meanwhile. filter/parallel.hpp explains how it works and
    /// what it throws.
    template <std::ranges::random_access_range Keys, workers Workers>
        requires std::ranges::sized_range<const Keys> && keys_for<const Keys&, Hash> &&
                 is_changeable
    BLOOMERY_OWN_COPY void insert_many(const Keys& keys, const Workers& by) {
        require_words();
        insert_in_parallel(layout_, hash_, storage_.data(), keys, by);
    }

    /// Adds all keys, in order; bit i is set if key i was definitely new (also within the batch).
    template <keys_for<Hash> Keys>
        requires std::ranges::sized_range<Keys> && is_changeable
    BLOOMERY_OWN_COPY void try_insert_many(Keys&& keys, bitmap& fresh) {
        require_words();
        bulk().try_insert(keys, fresh);
    }

    /// Queries all keys; bit i is the answer for key i.
    template <keys_for<Hash> Keys>
        requires std::ranges::sized_range<Keys>
    BLOOMERY_OWN_COPY void may_contain_many(Keys&& keys, bitmap& maybe) const {
        if (!has_words()) {
            maybe.reset(std::ranges::size(keys));
            return;
        }
        bulk().contains(keys, maybe);
    }

    /// As above, with several threads: `threads{}` or your own `workers`. The calling thread waits.
    template <std::ranges::random_access_range Keys, workers Workers>
        requires std::ranges::sized_range<const Keys> && keys_for<const Keys&, Hash>
    BLOOMERY_OWN_COPY void may_contain_many(const Keys& keys, bitmap& maybe,
                                            const Workers& by) const {
        if (!has_words()) {
            maybe.reset(std::ranges::size(keys));
            return;
        }
        ask_in_parallel(layout_, hash_, words().data(), keys, by, maybe);
    }

    /// `try_insert_many` and `may_contain_many`, returning a new bitmap.
    template <keys_for<Hash> Keys>
        requires std::ranges::sized_range<Keys> && is_changeable
    [[nodiscard]] BLOOMERY_OWN_COPY bitmap try_insert_many(Keys&& keys) {
        bitmap fresh;
        try_insert_many(keys, fresh);
        return fresh;
    }
    template <keys_for<Hash> Keys>
        requires std::ranges::sized_range<Keys>
    [[nodiscard]] BLOOMERY_OWN_COPY bitmap may_contain_many(Keys&& keys) const {
        bitmap maybe;
        may_contain_many(keys, maybe);
        return maybe;
    }

    /// Copies the keys that may be in the filter; returns the end of the output. A loop over
    /// `may_contain` pays for one unpredictable branch per key; this call has none. Throws what the
    /// keys' functions and the iterator throw.
    template <std::ranges::random_access_range Keys, class Output>
        requires std::ranges::sized_range<const Keys> && keys_for<const Keys&, Hash>
    BLOOMERY_OWN_COPY Output copy_possible(const Keys& keys, Output out) const {
        if (has_words()) {
            detail::visit_where<detail::presence::possible>(
                bulk(), keys, [&](std::size_t /*at*/, const auto& key) { *out++ = key; });
        }
        return out;
    }
    /// Copies the keys that are definitely absent: those to fetch, crawl or insert.
    template <std::ranges::random_access_range Keys, class Output>
        requires std::ranges::sized_range<const Keys> && keys_for<const Keys&, Hash>
    BLOOMERY_OWN_COPY Output copy_absent(const Keys& keys, Output out) const {
        if (!has_words()) {
            for (const auto& key : keys) {
                *out++ = key;
            }
            return out;
        }
        detail::visit_where<detail::presence::absent>(
            bulk(), keys, [&](std::size_t /*at*/, const auto& key) { *out++ = key; });
        return out;
    }
    /// Writes the positions of the keys that may be in the filter: a selection vector.
    template <std::ranges::random_access_range Keys, class Output>
        requires std::ranges::sized_range<const Keys> && keys_for<const Keys&, Hash>
    BLOOMERY_OWN_COPY Output select_possible(const Keys& keys, Output out) const {
        if (has_words()) {
            detail::visit_where<detail::presence::possible>(
                bulk(), keys, [&](std::size_t at, const auto& /*key*/) { *out++ = at; });
        }
        return out;
    }

    /// The same filter for any number of threads at once, which may insert and query. Meanwhile it
    /// must not be used in another way, and it must outlive the view. O(1). Throws bad_argument if
    /// it was moved from.
    [[nodiscard]] shared_view<Layout, Hash> shared()
        requires is_changeable
    {
        require_words();
        return shared_view<Layout, Hash>(layout_, hash_, storage_.data());
    }

    // Raw locations in the classic layout, as in Go's library: they depend only on the hash.

    /// The first `count` unreduced locations of a key. O(count); throws std::bad_alloc.
    template <key_for<Hash> Key>
        requires is_classic
    [[nodiscard]] BLOOMERY_OWN_COPY std::vector<std::uint64_t>
    locations(const Key& key, std::uint32_t count) const {
        std::vector<std::uint64_t> found(count);
        const digest_type hashed = digest(key);
        auto walk = Layout::scheme::walk(hashed);
        for (std::uint64_t& place : found) {
            place = walk.next();
        }
        return found;
    }

    /// Whether the bits at all given raw locations are set. O(n).
    [[nodiscard]] BLOOMERY_OWN_COPY bool
    test_locations(std::span<const std::uint64_t> raw) const noexcept
        requires is_classic
    {
        if (!has_words()) {
            return false;
        }
        for (const std::uint64_t place : raw) {
            if (!kernel::bit_at<kernel::access::alone>(storage_.data(), layout_.place_of(place))) {
                return false;
            }
        }
        return true;
    }

    // Combining filters. O(w). All throw `incompatible` unless compatible_with(other).

    /// Whether the two can be combined; converts to true if they can, and gives the reason if not.
    /// Their types may differ if their specs are equal: one may have its layout chosen at run time,
    /// the other at compile time.
    template <class OtherLayout, class OtherHash, class OtherStorage>
    [[nodiscard]] compatibility
    compatible_with(const basic_filter<OtherLayout, OtherHash, OtherStorage>& other) const {
        compatibility verdict = compare(spec(), other.spec());
        if (!verdict) {
            return verdict;
        }
        if constexpr (!std::same_as<Hash, OtherHash>) {
            if (id_of(hash_) == hash::hash_id::custom) {
                verdict.reason = "their hashes are of different types";
            }
        } else if constexpr (std::equality_comparable<Hash>) {
            if (!(hash_ == other.hash())) {
                verdict.reason = "their hashes have different seeds or keys";
            }
        } else if constexpr (!std::is_empty_v<Hash>) {
            verdict.reason = "their hashes cannot be compared: give the hash an operator==";
        }
        return verdict;
    }

    /// Becomes the union: bit for bit the filter of all keys of both.
    template <class OtherLayout, class OtherHash, class OtherStorage>
        requires is_changeable
    void merge(const basic_filter<OtherLayout, OtherHash, OtherStorage>& other) {
        detail::require_compatible(compatible_with(other), "merged");
        storage::unite(storage_.data(), other.words());
        design_.intersected = design_.intersected || other.made_for().intersected;
    }

    /// Becomes the intersection. It contains every common key, but has more false positives than a
    /// filter made from the common keys, and its fill ratio no longer shows how many keys there
    /// are.
    template <class OtherLayout, class OtherHash, class OtherStorage>
        requires is_changeable
    void intersect(const basic_filter<OtherLayout, OtherHash, OtherStorage>& other) {
        detail::require_compatible(compatible_with(other), "intersected");
        storage::intersect(storage_.data(), other.words());
        design_.intersected = true;
    }

    /// Shrinks the filter to the smallest size at which the keys in it still have a false-positive
    /// rate of at most p, for which it is then made. The result is bit for bit the filter of that
    /// size with the same keys. The sizes are those that `plan::fold_factors` allows: many if the
    /// shape came from `plan::foldable`. Ends the validity of `words()` and of views. O(w log w).
    /// Throws bad_argument if the rate is above p already, memory_refused; the filter is then
    /// unchanged.
    BLOOMERY_OWN_COPY void fold(rate p)
        requires is_changeable && std::same_as<typename Layout::scheme, layout::native_scheme> &&
                 std::constructible_from<Storage, std::uint64_t>
    {
        require_words();
        const plan::shape before = layout_.shape();
        const std::uint64_t factor =
            detail::largest_fold(before, words(), p, hash::digest_bits(id_of(hash_)));
        const plan::shape after = plan::folded(before, factor);
        const Layout small(after);
        const auto held = static_cast<std::uint64_t>(estimated_items().items + 0.5);
        const design made_for{std::max(plan::item_capacity(after, p), held), p.value,
                              design_.intersected};
        if (factor > 1) {
            Storage smaller = storage_like(after.byte_count() / 8);
            detail::fold_words(before, words(), factor, smaller.data());
            storage_ = std::move(smaller);
            layout_ = small;
        }
        design_ = made_for;
    }

    /// Removes all keys. O(w).
    void clear() noexcept
        requires is_changeable
    {
        storage::clear(storage_.data(), storage_.word_count());
        design_.intersected = false;
    }

    /// Equal specs and equal bits. O(w).
    template <class OtherLayout, class OtherHash, class OtherStorage>
    [[nodiscard]] bool
    operator==(const basic_filter<OtherLayout, OtherHash, OtherStorage>& other) const {
        return compatible_with(other) && storage::equal(words(), other.words());
    }

    // Properties. O(1).

    [[nodiscard]] std::uint64_t bit_count() const noexcept { return layout_.bit_count(); }
    [[nodiscard]] std::uint32_t hash_count() const noexcept { return layout_.hash_count(); }
    [[nodiscard]] std::uint64_t byte_count() const noexcept { return storage_.word_count() * 8; }
    /// The number of keys that it was sized for; 0 if it was made from bits and hashes.
    [[nodiscard]] std::uint64_t item_capacity() const noexcept { return design_.item_capacity; }
    [[nodiscard]] const design& made_for() const noexcept { return design_; }
    [[nodiscard]] bloomery::spec spec() const noexcept {
        bloomery::spec made{filter_kind::bloom, Layout::scheme::id, id_of(hash_), seed_of(hash_),
                            layout_.shape()};
        if constexpr (requires { made.parameters = layout_.parameters(); }) {
            made.parameters = layout_.parameters();
        }
        return made;
    }
    [[nodiscard]] const Layout& layout() const noexcept { return layout_; }
    [[nodiscard]] const Hash& hash() const noexcept { return hash_; }
    [[nodiscard]] std::span<const std::uint64_t> words() const noexcept {
        return {storage_.data(), storage_.word_count()};
    }

    // Statistics, from the current bits. O(w) each; `stats` computes all in one pass.

    [[nodiscard]] BLOOMERY_OWN_COPY statistics stats() const {
        if (!has_words()) {
            return {};
        }
        statistics now = statistics_of(layout_.shape(), count_ones(words()));
        now.expected_rate = plan::with_collisions(layout_.expected_rate(words()), now.items.items,
                                                  hash::digest_bits(id_of(hash_)));
        now.intersected = design_.intersected;
        return now;
    }
    /// The share of bits that are set: about one half when the filter holds as many keys as
    /// planned.
    [[nodiscard]] double fill_ratio() const noexcept {
        if (!has_words()) {
            return 0;
        }
        return static_cast<double>(count_ones(words())) / static_cast<double>(bit_count());
    }
    /// The estimated number of distinct keys, with its standard error; an upper bound if the filter
    /// contains an intersection.
    [[nodiscard]] plan::cardinality estimated_items() const { return stats().items; }
    /// The current false-positive rate.
    [[nodiscard]] double expected_rate() const { return stats().expected_rate; }
    /// The expected rate after n distinct keys, whatever the filter contains now.
    [[nodiscard]] double rate_at(items n) const {
        if (!has_words()) {
            return 0;
        }
        if constexpr (requires { layout_.rate_at(n); }) {
            return layout_.rate_at(n);
        } else {
            const auto keys = static_cast<double>(n.value);
            return plan::with_collisions(plan::expected_rate(layout_.shape(), keys), keys,
                                         hash::digest_bits(id_of(hash_)));
        }
    }

private:
    template <class, class, class>
    friend class basic_filter;
    friend struct detail::answers_at;

    [[nodiscard]] bulk_calls<Layout, Hash> bulk() noexcept {
        return {layout_, hash_, storage_.data(), kernel::access::alone};
    }
    [[nodiscard]] bulk_calls<Layout, Hash, const std::uint64_t> bulk() const noexcept {
        return {layout_, hash_, storage_.data(), kernel::access::alone};
    }

    /// Whether a layout has a form without bits, so that queries need no check for it.
    static constexpr bool forgets_bits = requires(const Layout& of) { of.without_bits(); };

    [[nodiscard]] bool has_words() const noexcept { return storage_.word_count() != 0; }
    BLOOMERY_INLINE void require_words() const {
        if (!has_words()) [[unlikely]] {
            storage::detail::refuse_moved_from();
        }
    }
    /// The layout of a moved-from filter.
    void forget_bits() noexcept {
        if constexpr (forgets_bits) {
            if (!has_words()) {
                layout_ = layout_.without_bits();
            }
        }
    }

    /// New words from the allocator of these, if they have one.
    [[nodiscard]] Storage storage_like(std::uint64_t count) const {
        if constexpr (requires { Storage(count, storage_.get_allocator()); }) {
            return Storage(count, storage_.get_allocator());
        } else {
            return Storage(count);
        }
    }

    /// The digest that the layout needs for a key.
    template <class Key>
    [[nodiscard]] auto probe(const Key& key) const {
        return detail::probe_of<Layout>(hash_, key);
    }
    /// Calls `with(probe(key))`. Of a hash that is chosen at run time, only the usual one for
    /// integers is inlined, with all that follows: digests that could come from several places
    /// would go through memory.
    template <class Key, class With>
    BLOOMERY_INLINE auto with_probe(const Key& key, With with) const {
        if constexpr (has_kernel<Layout> && detail::is_mixed_integer<Key, Hash> &&
                      requires { hash_.visit([](const auto&) {}); }) {
            if (hash_.id() == hash::hash_id::xxh3_64) [[likely]] {
                return with(
                    widen(digest64{hash::mix64_with(integer_of(key), *hash_.integer_seed())}));
            }
            return with_probe_apart(key, with);
        } else {
            return with(probe(key));
        }
    }
    template <class Key, class With>
    [[gnu::noinline]] BLOOMERY_OWN_COPY auto with_probe_apart(const Key& key, With with) const {
        return with(probe(key));
    }

    Layout layout_;
    [[no_unique_address]] Hash hash_;
    design design_;
    Storage storage_;
};

} // namespace bloomery::inline v0
