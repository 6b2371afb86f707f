// The filter: a layout, a hash and a storage, and all the verbs, once.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/filter/bulk.hpp>
#include <bloomery/filter/parallel.hpp>
#include <bloomery/filter/require_compatible.hpp>
#include <bloomery/filter/shared_view.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/filter/survivors.hpp>
#include <bloomery/hash/digest_of.hpp>
#include <bloomery/kernel/shared_words.hpp>
#include <bloomery/layout/ones.hpp>
#include <bloomery/plan/digest_floor.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/storage/bitmap.hpp>
#include <bloomery/storage/word_sets.hpp>
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

namespace bloomery {

/// A set of keys that answers "surely not" or "maybe": never a false negative, and false positives
/// at a rate that was chosen when it was made.
///
/// Threads: any number may call const members at once; a call that changes the filter must be
/// alone, or go through `shared`. Errors: what throws changes nothing, but for bulk inserts whose
/// keys throw. Costs are given for k = hash_count() and w = words().size().
///
/// A filter that was moved from has no bits: it denies every key, and inserting into it throws
/// bad_argument, until another is assigned to it. (One over borrowed words stays what it was.)
template <class Layout, class Hash, class Storage = storage::heap_words<>>
class basic_filter {
public:
    using layout_type = Layout;
    using hash_type = Hash;
    using storage_type = Storage;
    using digest_type = digest_type_of<Hash>;
    static constexpr bool is_classic = requires { requires Layout::kind == layout_kind::classic; };

    /// A shape that a planner made, with what it was made for. Throws bad_argument, memory_refused.
    template <class... Allocator>
    basic_filter(const plan::shape& shape, Hash hash, design made_for,
                 const Allocator&... allocator)
        : layout_(shape), hash_(std::move(hash)), design_(made_for),
          storage_(layout_.word_count(), allocator...) {
        // More keys than 64-bit digests tell apart need a wider hash, if this one has one.
        if constexpr (requires { hash_ = hash_.widened(); }) {
            if (needs_wide_digests(made_for)) {
                hash_ = hash_.widened();
            }
        }
    }

    /// The same of a layout that is more than a shape.
    template <class... Allocator>
    basic_filter(Layout layout, Hash hash, design made_for, const Allocator&... allocator)
        : layout_(layout), hash_(std::move(hash)), design_(made_for),
          storage_(layout_.word_count(), allocator...) {}

    /// Sized so that after n distinct keys the rate is at most p, exactly (see plan/sizing.hpp).
    /// Throws bad_argument for n = 0 or p outside (0, 1), memory_refused.
    template <class... Allocator>
    basic_filter(items n, rate p, Hash hash = {}, const Allocator&... allocator)
        : basic_filter(Layout::shape_for(n, p), std::move(hash), design{n.value, p.value},
                       allocator...) {}

    /// An array of exactly m bits with k probes a key. Throws bad_argument, memory_refused.
    template <class... Allocator>
    basic_filter(bits m, hashes k, Hash hash = {}, const Allocator&... allocator)
        : basic_filter(Layout::shape_for(m, k), std::move(hash), design{}, allocator...) {}

    /// All of the memory given, with the k that suits n keys best. Throws as above.
    template <class... Allocator>
    basic_filter(bytes memory, items n, Hash hash = {}, const Allocator&... allocator)
        : basic_filter(Layout::shape_for(memory, n), std::move(hash), design{n.value, 0},
                       allocator...) {}

    /// Holds the keys of a sized range, at a rate of p. Throws as above, and what the range throws.
    template <std::ranges::sized_range Keys>
        requires hashes_key<Hash, std::ranges::range_value_t<Keys>>
    basic_filter(const Keys& keys, rate p, Hash hash = {})
        : basic_filter(items{std::max(std::uint64_t{1},
                                      static_cast<std::uint64_t>(std::ranges::size(keys)))},
                       p, std::move(hash)) {
        insert_many(keys);
    }

    /// Takes a storage as it is: memory borrowed, or filled elsewhere. O(1). Throws bad_argument
    /// when the number of words is not the layout's, or a bit past bit_count() is set.
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
            storage_ = std::move(other.storage_); // what may throw comes first
            layout_ = other.layout_;
            hash_ = std::move(other.hash_);
            design_ = other.design_;
            other.forget_bits();
        }
        return *this;
    }
    ~basic_filter() = default;

    /// A copy of an existing array as a filter of 64 bits a word. O(w). Throws bad_argument,
    /// memory_refused.
    [[nodiscard]] static basic_filter from_words(std::span<const std::uint64_t> words, hashes k,
                                                 Hash hash = {}) {
        basic_filter made(bits{words.size() * 64}, k, std::move(hash));
        std::copy(words.begin(), words.end(), made.storage_.data());
        return made;
    }

    // One key at a time. A key is anything that concept `key` allows, or its digest; O(k) each.

    /// Adds a key; true if any bit changed, which means that it surely was not in before.
    template <key_for<Hash> Key>
    BLOOMERY_INLINE bool insert(const Key& key) {
        const auto hashed = probe(key);
        require_words();
        return layout_.insert(storage_.data(), hashed);
    }

    /// The same, for callers who act on the answer: true = the key was surely new.
    template <key_for<Hash> Key>
    [[nodiscard]] BLOOMERY_INLINE bool try_insert(const Key& key) {
        return insert(key);
    }

    /// False: the key was surely never inserted. True: it was, or the filter errs.
    template <key_for<Hash> Key>
    [[nodiscard]] BLOOMERY_INLINE bool may_contain(const Key& key) const {
        if constexpr (!forgets_bits) {
            if (!has_words()) {
                return false;
            }
        }
        return layout_.may_contain(storage_.data(), probe(key));
    }

    /// Whether some keys have no place, as in some filters of other systems. O(1).
    [[nodiscard]] static constexpr bool may_lack_places() noexcept {
        return requires { requires Layout::may_throw; } || requires { requires Hash::may_throw; };
    }
    /// Throws no_place for a key that `insert` throws for, and changes nothing.
    template <class Key>
        requires requires { requires Layout::may_throw; }
    void require_place(const Key& key) const {
        layout_.require_place(probe(key));
    }

    /// Hash once, ask many: the digest works with every filter of equal hash and seed.
    template <key_for<Hash> Key>
    [[nodiscard]] digest_type digest(const Key& key) const {
        return detail::digest_or_self(hash_, key);
    }

    // Many keys: any range of keys or of digests, hashed and tested in vectors where the processor
    // can, with the memory asked for ahead where that helps. O(n k); nothing is allocated but what
    // a bitmap or a caller's iterator needs.

    /// Adds all keys. Throws what the range and the keys' own functions throw; then the keys before
    /// may be in.
    template <keys_for<Hash> Keys>
    void insert_many(Keys&& keys) {
        require_words();
        bulk().insert(keys);
    }

    /// The same by several threads, `threads{}` or your own `workers`. The calling thread waits,
    /// and the filter must not be used meanwhile. See filter/parallel.hpp for how and what it
    /// throws.
    template <std::ranges::random_access_range Keys, workers Workers>
        requires std::ranges::sized_range<const Keys> && keys_for<const Keys&, Hash>
    void insert_many(const Keys& keys, const Workers& by) {
        require_words();
        insert_in_parallel(layout_, hash_, storage_.data(), keys, by);
    }

    /// Adds all keys, in order; bit i is set if key i was surely new (also within the batch).
    template <keys_for<Hash> Keys>
        requires std::ranges::sized_range<Keys>
    void try_insert_many(Keys&& keys, bitmap& fresh) {
        require_words();
        bulk().try_insert(keys, fresh);
    }

    /// Asks for all keys; bit i is the answer for key i.
    template <keys_for<Hash> Keys>
        requires std::ranges::sized_range<Keys>
    void may_contain_many(Keys&& keys, bitmap& maybe) const {
        if (!has_words()) {
            maybe.reset(std::ranges::size(keys));
            return;
        }
        bulk().contains(keys, maybe);
    }

    /// The same two, into a bitmap of their own.
    template <keys_for<Hash> Keys>
        requires std::ranges::sized_range<Keys>
    [[nodiscard]] bitmap try_insert_many(Keys&& keys) {
        bitmap fresh;
        try_insert_many(keys, fresh);
        return fresh;
    }
    template <keys_for<Hash> Keys>
        requires std::ranges::sized_range<Keys>
    [[nodiscard]] bitmap may_contain_many(Keys&& keys) const {
        bitmap maybe;
        may_contain_many(keys, maybe);
        return maybe;
    }

    /// Copies the keys that may be in, and drops the others; returns the end of what was written.
    /// One unpredictable branch a key is what a loop of `may_contain` pays; this pays none. Throws
    /// what the keys' functions and the iterator throw.
    template <std::ranges::random_access_range Keys, class Output>
        requires std::ranges::sized_range<const Keys> && keys_for<const Keys&, Hash>
    Output copy_possible(const Keys& keys, Output out) const {
        if (has_words()) {
            detail::visit_possible(bulk(), keys,
                                   [&](std::size_t /*at*/, const auto& key) { *out++ = key; });
        }
        return out;
    }
    /// Copies the keys that are surely absent: those to fetch, to crawl, to insert.
    template <std::ranges::random_access_range Keys, class Output>
        requires std::ranges::sized_range<const Keys> && keys_for<const Keys&, Hash>
    Output copy_absent(const Keys& keys, Output out) const {
        if (!has_words()) {
            for (const auto& key : keys) {
                *out++ = key;
            }
            return out;
        }
        detail::visit_absent(bulk(), keys,
                             [&](std::size_t /*at*/, const auto& key) { *out++ = key; });
        return out;
    }
    /// Writes the positions of the keys that may be in: a selection vector.
    template <std::ranges::random_access_range Keys, class Output>
        requires std::ranges::sized_range<const Keys> && keys_for<const Keys&, Hash>
    Output select_possible(const Keys& keys, Output out) const {
        if (has_words()) {
            detail::visit_possible(bulk(), keys,
                                   [&](std::size_t at, const auto& /*key*/) { *out++ = at; });
        }
        return out;
    }

    /// The same filter for any number of threads at once, which may insert and ask. It must not be
    /// used otherwise meanwhile, nor end before the view. O(1). Throws bad_argument if it was moved
    /// from.
    [[nodiscard]] shared_view<Layout, Hash> shared() {
        require_words();
        return shared_view<Layout, Hash>(layout_, hash_, storage_.data());
    }

    // Raw locations of the classic layout, as in Go's library: they depend on the hash alone.

    /// The first `count` unreduced locations of a key. O(count); throws std::bad_alloc.
    template <key_for<Hash> Key>
        requires is_classic
    [[nodiscard]] std::vector<std::uint64_t> locations(const Key& key, std::uint32_t count) const {
        std::vector<std::uint64_t> found(count);
        const digest_type hashed = digest(key);
        auto walk = Layout::scheme::walk(hashed);
        for (std::uint64_t& place : found) {
            place = walk.next();
        }
        return found;
    }

    /// Whether the bits of all given raw locations are set. O(n).
    [[nodiscard]] bool test_locations(std::span<const std::uint64_t> raw) const noexcept
        requires is_classic
    {
        if (!has_words()) {
            return false;
        }
        for (const std::uint64_t place : raw) {
            const std::uint64_t at = Layout::scheme::reduce(place, layout_.bit_count());
            if (!kernel::bit_at<kernel::access::alone>(storage_.data(), at)) {
                return false;
            }
        }
        return true;
    }

    // Filters with filters. O(w). All throw `incompatible` unless compatible_with(other).

    /// Why the two cannot be combined, or nothing: then the result converts to true. Their types
    /// may differ, if their specs do not: a layout chosen at run time and the same at compile time.
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

    /// Becomes the union, bit for bit the filter of all keys of both.
    template <class OtherLayout, class OtherHash, class OtherStorage>
    void merge(const basic_filter<OtherLayout, OtherHash, OtherStorage>& other) {
        detail::require_compatible(compatible_with(other), "merged");
        storage::unite(storage_.data(), other.words());
        design_.intersected = design_.intersected || other.made_for().intersected;
    }

    /// Keeps what is in both. It holds every common key, but errs more often than a filter made of
    /// the common keys would, and its fill no longer tells how many they are.
    template <class OtherLayout, class OtherHash, class OtherStorage>
    void intersect(const basic_filter<OtherLayout, OtherHash, OtherStorage>& other) {
        detail::require_compatible(compatible_with(other), "intersected");
        storage::intersect(storage_.data(), other.words());
        design_.intersected = true;
    }

    /// Forgets every key. O(w).
    void clear() noexcept {
        storage::clear(storage_.data(), storage_.word_count());
        design_.intersected = false;
    }

    /// Equal specs and equal bits. O(w).
    template <class OtherLayout, class OtherHash, class OtherStorage>
    [[nodiscard]] bool
    operator==(const basic_filter<OtherLayout, OtherHash, OtherStorage>& other) const {
        return compatible_with(other) && storage::equal(words(), other.words());
    }

    // Facts. O(1).

    [[nodiscard]] std::uint64_t bit_count() const noexcept { return layout_.bit_count(); }
    [[nodiscard]] std::uint32_t hash_count() const noexcept { return layout_.hash_count(); }
    [[nodiscard]] std::uint64_t byte_count() const noexcept { return storage_.word_count() * 8; }
    /// The number of keys it was sized for; 0 if it was made from bits and hashes.
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

    // Statistics, from the bits as they are. O(w) each; `stats` gives all in one pass.

    [[nodiscard]] statistics stats() const {
        if (!has_words()) {
            return {};
        }
        statistics now = statistics_of(layout_.shape(), count_ones(words()));
        now.expected_fpp = plan::with_collisions(layout_.expected_fpp(words()), now.items.items,
                                                 hash::digest_bits(id_of(hash_)));
        now.intersected = design_.intersected;
        return now;
    }
    /// The share of bits that are set: about a half when the filter is as full as it should be.
    [[nodiscard]] double fill_ratio() const noexcept {
        if (!has_words()) {
            return 0;
        }
        return static_cast<double>(count_ones(words())) / static_cast<double>(bit_count());
    }
    /// How many distinct keys were inserted, with the standard error of that estimate; at most how
    /// many if an intersection went into it.
    [[nodiscard]] plan::cardinality estimated_items() const { return stats().items; }
    /// The rate of false positives now.
    [[nodiscard]] double expected_fpp() const { return stats().expected_fpp; }
    /// The rate to expect after n distinct keys. Independent of what is in it.
    [[nodiscard]] double fpp_at(items n) const {
        if (!has_words()) {
            return 0;
        }
        if constexpr (requires { layout_.fpp_at(n); }) {
            return layout_.fpp_at(n);
        } else {
            const auto keys = static_cast<double>(n.value);
            return plan::with_collisions(plan::fpp(layout_.shape(), keys), keys,
                                         hash::digest_bits(id_of(hash_)));
        }
    }

private:
    template <class, class, class>
    friend class basic_filter;

    [[nodiscard]] bulk_calls<Layout, Hash> bulk() const noexcept {
        auto* const words = const_cast<std::uint64_t*>(storage_.data()); // const callers only read
        return {layout_, hash_, words, kernel::access::alone};
    }

    /// Whether a layout has a form for a filter without bits, which no question must look out for.
    static constexpr bool forgets_bits = requires(const Layout& of) { of.without_bits(); };

    [[nodiscard]] bool has_words() const noexcept { return storage_.word_count() != 0; }
    BLOOMERY_INLINE void require_words() const {
        if (!has_words()) [[unlikely]] {
            storage::detail::refuse_moved_from();
        }
    }
    /// Of a filter whose words were taken.
    void forget_bits() noexcept {
        if constexpr (forgets_bits) {
            if (!has_words()) {
                layout_ = layout_.without_bits();
            }
        }
    }

    /// What a layout takes of a key.
    template <class Key>
    [[nodiscard]] auto probe(const Key& key) const {
        return detail::probe_of<Layout>(hash_, key);
    }

    Layout layout_;
    [[no_unique_address]] Hash hash_;
    design design_;
    Storage storage_;
};

} // namespace bloomery
