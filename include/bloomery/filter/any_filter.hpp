// One handle for every kind of filter, used by tools, formats and bindings.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/any_shared_view.hpp>
#include <bloomery/detail/filter/derived_calls.hpp>
#include <bloomery/detail/filter/filter_interface.hpp>
#include <bloomery/detail/filter/filter_model.hpp>
#include <bloomery/detail/filter/raw_keys.hpp>
#include <bloomery/detail/hash/hash_id.hpp>
#include <bloomery/detail/hash/siphash.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/basic_filter.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/plan/shape.hpp>
#include <bloomery/storage/bitmap.hpp>
#include <bloomery/storage/words.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

namespace bloomery::inline v0 {

/// A filter whose type is known only at run time. Its bulk calls make one virtual call per batch. A
/// copy copies the filter inside, including its bits, unless it only borrows them, as after
/// `view_of`. Thread safety is that of basic_filter.
/// A moved-from handle holds no filter until another one is assigned to it: it denies every key, it
/// cannot erase, count or hash ahead, and all other calls throw bad_argument.
class any_filter : public detail::derived_calls<any_filter> {
public:
    using derived_calls::erase_many;
    using derived_calls::may_contain_many;
    using derived_calls::try_insert_many;

    /// Keys as bytes, and keys as integers: the two kinds are hashed differently.
    using byte_keys = detail::filter_interface::byte_keys;
    using integer_keys = detail::filter_interface::integer_keys;
    /// Digests: keys that are already hashed.
    using digests = detail::filter_interface::digests;

    /// Holds a filter. O(1) if it is moved.
    template <class Layout, class Hash, class Storage>
        requires byte_hash<Hash>
    any_filter(basic_filter<Layout, Hash, Storage> made) // NOLINT: every filter is one of these
        : self_(detail::model_of(std::move(made))) {}

    /// Holds a filter of another kind: counting, window, excepted, ... O(1) if it is moved.
    template <class Kind>
        requires(!std::same_as<Kind, any_filter>) && requires(const Kind& of) {
            { of.saved() } -> std::same_as<saved_words>;
        }
    any_filter(Kind made) // NOLINT: as above
        : self_(detail::model_of(std::move(made))) {}

    /// Holds any other filter with the same calls for digests, such as bits in a file.
    template <class Filter>
    any_filter(std::in_place_t /*other*/, Filter made) : self_(detail::model_of(std::move(made))) {}

    /// A handle to an existing filter, for reading: neither the handle nor its copies copy any
    /// bits. None of them may outlive the filter; calls that would change it throw unsupported.
    template <class Layout, class Hash, class Storage>
    [[nodiscard]] static any_filter view_of(const basic_filter<Layout, Hash, Storage>& other) {
        return basic_filter<Layout, Hash, storage::viewed_words>(
            other.layout(), storage::viewed_words(other.words()), other.hash(), other.made_for());
    }
    template <class Layout, class Hash, class Storage>
    static any_filter view_of(const basic_filter<Layout, Hash, Storage>&&) = delete;

    any_filter(const any_filter& other)
        : self_(other.self_ == nullptr ? nullptr : other.self_->clone()) {}
    any_filter(any_filter&&) noexcept = default;
    any_filter& operator=(const any_filter& other) {
        self_ = other.self_ == nullptr ? nullptr : other.self_->clone();
        return *this;
    }
    any_filter& operator=(any_filter&&) noexcept = default;
    ~any_filter() = default;

    /// The filter inside if it has exactly this type, otherwise nullptr. O(1).
    template <class Filter>
    [[nodiscard]] Filter* get_if() noexcept {
        return const_cast<Filter*>(std::as_const(*this).get_if<Filter>());
    }

    template <class Filter>
    [[nodiscard]] const Filter* get_if() const noexcept {
        return self_ == nullptr ? nullptr : static_cast<const Filter*>(self_->held(typeid(Filter)));
    }

    /// Single keys of any type: as for basic_filter, at the price of a virtual call. O(k). Some
    /// filters of other systems have keys without a position and throw no_place for them, as the
    /// originals do. If there is no room, `insert` throws filter_full, and `try_insert` returns
    /// that; it is true for a key that was definitely new and is in now. Digests are those of
    /// `digest`; they throw unsupported unless hashes_ahead(). `insert` throws unsupported for a
    /// kind that takes no more keys.
    template <key Key>
    BLOOMERY_OWN_COPY void insert(const Key& key) {
        detail::with_raw(key, [this](auto raw) { self().insert(raw); });
    }
    void insert(digest128 hashed) { self().insert(hashed); }
    template <key Key>
    [[nodiscard]] BLOOMERY_OWN_COPY insertion try_insert(const Key& key) {
        return detail::with_raw(key, [this](auto raw) { return self().try_insert(raw); });
    }
    [[nodiscard]] insertion try_insert(digest128 hashed) { return self().try_insert(hashed); }
    template <key Key>
    [[nodiscard]] BLOOMERY_OWN_COPY bool may_contain(const Key& key) const {
        return self_ != nullptr &&
               detail::with_raw(key, [this](auto raw) { return self_->may_contain(raw); });
    }
    [[nodiscard]] bool may_contain(digest128 hashed) const {
        return self_ != nullptr && self_->may_contain(hashed);
    }

    /// Whether such keys exist. O(1).
    [[nodiscard]] bool may_lack_places() const noexcept {
        return self_ != nullptr && self_->may_lack_places();
    }
    /// Throws no_place if `insert` would throw for this key; changes nothing, whereas an insert
    /// keeps the bits that it set before it threw. O(k), O(1) unless may_lack_places().
    template <key Key>
    BLOOMERY_OWN_COPY void require_place(const Key& key) const {
        detail::with_raw(key, [this](auto raw) { self().require_place(raw); });
    }
    void require_place(digest128 hashed) const { self().require_place(hashed); }

    /// Whether this kind can erase keys, and whether it can count them. O(1).
    [[nodiscard]] bool can_erase() const noexcept { return self_ != nullptr && self_->can_erase(); }
    [[nodiscard]] bool can_count() const noexcept { return self_ != nullptr && self_->can_count(); }

    /// Erases one occurrence of a key; see the kind. Erase only keys that are in the filter:
    /// erasing a false positive makes it deny keys that are in it. Throws unsupported unless
    /// can_erase().
    template <key Key>
    BLOOMERY_OWN_COPY status erase(const Key& key) {
        return detail::with_raw(key, [this](auto raw) { return self().erase(raw); });
    }
    status erase(digest128 hashed) { return self().erase(hashed); }

    /// How often a key is in the filter; see the kind for its guarantees. Throws unsupported unless
    /// can_count().
    template <key Key>
    [[nodiscard]] BLOOMERY_OWN_COPY std::uint64_t count(const Key& key) const {
        return detail::with_raw(key, [this](auto raw) { return self().count(raw); });
    }
    [[nodiscard]] std::uint64_t count(digest128 hashed) const { return self().count(hashed); }

    /// Whether keys can be hashed ahead of the query. Some filters of other systems hash more than
    /// fits into a digest; they need the whole key.
    [[nodiscard]] bool hashes_ahead() const noexcept {
        return self_ != nullptr && self_->hashes_ahead();
    }
    /// The digest of a key. Throws unsupported unless hashes_ahead().
    template <key Key>
    [[nodiscard]] BLOOMERY_OWN_COPY digest128 digest(const Key& key) const {
        return detail::with_raw(key, [this](auto raw) { return self().digest(raw); });
    }

    /// Hashes all keys once, for this filter and all others with the same hash and seed. O(bytes);
    /// throws std::bad_alloc, and unsupported unless hashes_ahead().
    template <std::ranges::input_range Keys>
        requires key<std::ranges::range_value_t<Keys>>
    BLOOMERY_OWN_COPY void digest_many(Keys&& keys, std::vector<digest128>& into) const {
        detail::with_raw_keys(keys, [&](auto all) { self().digest_many(all, into); });
    }
    template <std::ranges::input_range Keys>
        requires key<std::ranges::range_value_t<Keys>>
    [[nodiscard]] BLOOMERY_OWN_COPY std::vector<digest128> digest_many(Keys&& keys) const {
        std::vector<digest128> made;
        digest_many(keys, made);
        return made;
    }

    // Many keys, or digests of `digest_many`. Inserts throw filter_full at the first key without
    // room; earlier keys are then in. Calls that fill a bitmap can also return one.

    /// Adds all keys; bit i of `fresh` is set if key i was definitely new. O(n k).
    void try_insert_many(digests keys, bitmap& fresh) { self().try_insert_many(keys, fresh); }
    template <std::ranges::input_range Keys>
        requires key<std::ranges::range_value_t<Keys>>
    BLOOMERY_OWN_COPY void try_insert_many(Keys&& keys, bitmap& fresh) {
        detail::with_raw_keys(keys, [&](auto all) { self().try_insert_many(all, fresh); });
    }

    /// Adds all keys. O(n k).
    void insert_many(digests keys) { self().insert_many(keys); }
    template <std::ranges::input_range Keys>
        requires key<std::ranges::range_value_t<Keys>>
    BLOOMERY_OWN_COPY void insert_many(Keys&& keys) {
        detail::with_raw_keys(keys, [this](auto all) { self().insert_many(all); });
    }

    /// Queries all keys; bit i of `maybe` is the answer for key i. O(n k).
    void may_contain_many(digests keys, bitmap& maybe) const {
        if (self_ == nullptr) {
            return maybe.reset(keys.size());
        }
        self_->may_contain_many(keys, maybe);
    }
    template <std::ranges::input_range Keys>
        requires key<std::ranges::range_value_t<Keys>>
    BLOOMERY_OWN_COPY void may_contain_many(Keys&& keys, bitmap& maybe) const {
        detail::with_raw_keys(keys, [&](auto all) {
            self_ == nullptr ? maybe.reset(all.size()) : self_->may_contain_many(all, maybe);
        });
    }

    /// Erases all keys that are in the filter; bit i of `erased` is whether key i was. O(n k).
    /// Throws unsupported unless can_erase().
    void erase_many(digests keys, bitmap& erased) { self().erase_many(keys, erased); }
    template <std::ranges::input_range Keys>
        requires key<std::ranges::range_value_t<Keys>>
    BLOOMERY_OWN_COPY void erase_many(Keys&& keys, bitmap& erased) {
        detail::with_raw_keys(keys, [&](auto all) { self().erase_many(all, erased); });
    }

    /// Whether several threads may change it at once: filters that are one array of bits, in memory
    /// or mapped for writing, except those whose file counts insertions. O(1).
    [[nodiscard]] bool can_share() const noexcept { return self_ != nullptr && self_->can_share(); }
    /// The same filter for any number of threads at once, which may insert and query. Meanwhile it
    /// must not be changed, queried or counted in another way; it must outlive the view, but may be
    /// moved. Call `sync` of a mapped filter only while no thread inserts. O(1). Throws unsupported
    /// unless can_share().
    [[nodiscard]] any_shared_view shared() { return any_shared_view(self().shared()); }

    /// As for basic_filter, whatever the two filters are inside. O(w); `merge` and `intersect`
    /// throw incompatible and change nothing. A filter that cannot clear bits throws unsupported.
    [[nodiscard]] compatibility compatible_with(const any_filter& other) const {
        return self().compatible_with(other.self());
    }
    void merge(const any_filter& other) { self().merge(other.self()); }
    void intersect(const any_filter& other) { self().intersect(other.self()); }
    void clear() { self().clear(); }
    /// As for basic_filter. Throws unsupported unless it is a Bloom filter in memory with one of
    /// the native layouts.
    void fold(rate p) { self().fold(p); }

    /// Equal specs and equal state, whatever the types inside: a mapped filter equals its copy in
    /// memory. Filters of different kinds are never equal, and a filter in Redis equals no other.
    /// O(w). Throws only bad_data, if a mapped file is damaged.
    friend bool operator==(const any_filter& a, const any_filter& b) {
        return a.self_ == nullptr || b.self_ == nullptr ? a.self_ == b.self_
                                                        : a.self_->equals(*b.self_);
    }

    /// Returns when everything inserted into a file is on disk; a no-op for a filter in memory.
    /// See `map` in format/file.hpp for what it promises and throws.
    void sync() { self().sync(); }

    [[nodiscard]] bloomery::spec spec() const { return self().spec(); }
    [[nodiscard]] design made_for() const { return self().made_for(); }
    [[nodiscard]] statistics stats() const { return self().stats(); }
    [[nodiscard]] double rate_at(items n) const { return self().rate_at(n); }
    /// The memory of its arrays, in bytes. O(1).
    [[nodiscard]] std::uint64_t byte_count() const { return self().byte_count(); }
    /// Facts specific to its kind. O(w).
    [[nodiscard]] std::vector<fact> facts() const { return self().facts(); }
    /// All of its state, for a file. The same as words() for a filter that is one array of bits.
    [[nodiscard]] saved_words saved() const { return self().saved(); }
    /// The bits. O(1) in memory; O(w) in a file, where they are checked first. Throws unsupported
    /// for a kind with more than one array.
    [[nodiscard]] std::span<const std::uint64_t> words() const { return self().words(); }
    /// The secret, if the hash is keyed. Do not disclose it. O(1).
    [[nodiscard]] std::optional<hash::sip_key> secret() const { return self().secret(); }

private:
    using interface = detail::filter_interface;

    template <class>
    friend struct detail::filter_model; // a copy of a mapped filter is what another handle holds

    /// The filter inside. Throws bad_argument if there is none.
    [[nodiscard]] const interface& self() const {
        require_filter();
        return *self_;
    }
    [[nodiscard]] interface& self() {
        require_filter();
        return *self_;
    }
    void require_filter() const {
        if (self_ == nullptr) [[unlikely]] {
            storage::detail::refuse_moved_from();
        }
    }

    std::unique_ptr<interface> self_;
};

template <>
inline constexpr bool detail::is_compiled<filter> = true;
template <>
inline constexpr bool detail::is_compiled<borrowed_filter> = true;
template <>
inline constexpr bool detail::is_compiled<filter_view> = true;

// Native filters as handles.

/// An empty filter of that shape. O(w). Throws bad_argument, memory_refused.
[[nodiscard]] BLOOMERY_EXPORT any_filter make_filter(const plan::shape& shape,
                                                     const native_hash& hash = {},
                                                     design made_for = {});

/// The same over words filled elsewhere. O(1). Throws as above.
[[nodiscard]] BLOOMERY_EXPORT any_filter make_filter(const plan::shape& shape,
                                                     storage::heap_words<> words,
                                                     const native_hash& hash, design made_for);

} // namespace bloomery::inline v0
