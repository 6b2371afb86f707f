// One handle for every kind of filter. Tools, formats and bindings speak to this and nothing else.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/filter/basic_filter.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/filter_interface.hpp>
#include <bloomery/filter/filter_model.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/hash_id.hpp>
#include <bloomery/hash/siphash.hpp>
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
#include <utility>
#include <vector>

namespace bloomery {

/// A filter whose type is known at run time only. Its bulk calls pay one virtual call for a batch.
/// A copy copies the filter inside: its bits too, unless it only borrows them, as one of `view_of`
/// does. Threads as for basic_filter.
///
/// A handle that was moved from holds no filter, until another is assigned to it: it denies every
/// key, it cannot erase, count or hash ahead, and all else throws bad_argument.
class any_filter {
public:
    /// Keys as bytes, and keys as integers: the two kinds that hash differently.
    using byte_keys = detail::filter_interface::byte_keys;
    using integer_keys = detail::filter_interface::integer_keys;
    /// Keys that were hashed before.
    using digests = detail::filter_interface::digests;

    /// Takes a filter in. O(1) for one that is moved.
    template <class Layout, class Hash, class Storage>
        requires byte_hash<Hash>
    any_filter(basic_filter<Layout, Hash, Storage> made) // NOLINT: every filter is one of these
        : self_(std::make_unique<model<basic_filter<Layout, Hash, Storage>>>(std::move(made))) {}

    /// Takes in a filter of another kind: counting, window, excepted, ... O(1) for one that is
    /// moved.
    template <class Kind>
        requires(!std::same_as<Kind, any_filter>) && requires(const Kind& of) {
            { of.saved() } -> std::same_as<saved_words>;
        }
    any_filter(Kind made) // NOLINT: as above
        : self_(std::make_unique<model<Kind>>(std::move(made))) {}

    /// Takes in a filter of another make that has the same verbs for digests: bits in a file.
    template <class Filter>
    any_filter(std::in_place_t /*other*/, Filter made)
        : self_(std::make_unique<model<Filter>>(std::move(made))) {}

    /// A handle on a filter that stays where it is, for reading it out: no bit is copied, nor by
    /// copies of the handle. None of them may outlive the filter, nor be inserted into.
    template <class Layout, class Hash, class Storage>
    [[nodiscard]] static any_filter view_of(const basic_filter<Layout, Hash, Storage>& other) {
        auto* const words = const_cast<std::uint64_t*>(other.words().data()); // NOLINT: only read
        return basic_filter<Layout, Hash, storage::borrowed_words>(
            other.layout(), storage::borrowed_words({words, other.words().size()}), other.hash(),
            other.made_for());
    }

    any_filter(const any_filter& other)
        : self_(other.self_ == nullptr ? nullptr : other.self_->clone()) {}
    any_filter(any_filter&&) noexcept = default;
    any_filter& operator=(const any_filter& other) {
        self_ = other.self_ == nullptr ? nullptr : other.self_->clone();
        return *this;
    }
    any_filter& operator=(any_filter&&) noexcept = default;
    ~any_filter() = default;

    /// The filter inside if it is of exactly this type, nullptr otherwise. O(1).
    template <class Filter>
    [[nodiscard]] Filter* get_if() noexcept {
        auto* const found = dynamic_cast<model<Filter>*>(self_.get());
        return found == nullptr ? nullptr : &found->value;
    }

    template <class Filter>
    [[nodiscard]] const Filter* get_if() const noexcept {
        const auto* const found = dynamic_cast<const model<Filter>*>(self_.get());
        return found == nullptr ? nullptr : &found->value;
    }

    /// One key, of any kind: as for basic_filter, at the price of a virtual call. O(k). Some
    /// filters of other systems have keys without a place and throw no_place for them, as their
    /// originals do.
    template <key Key>
    bool insert(const Key& key) {
        return with_raw(key, [this](auto raw) { return self().insert(raw); });
    }
    template <key Key>
    [[nodiscard]] bool may_contain(const Key& key) const {
        return self_ != nullptr &&
               with_raw(key, [this](auto raw) { return self_->may_contain(raw); });
    }

    /// Whether there are such keys at all. O(1).
    [[nodiscard]] bool may_lack_places() const noexcept { return self_->may_lack_places(); }
    /// Throws no_place for a key that `insert` would throw for, and changes nothing: an insert
    /// keeps the bits that it set before it threw. O(k), O(1) unless may_lack_places().
    template <key Key>
    void require_place(const Key& key) const {
        with_raw(key, [this](auto raw) { self_->require_place(raw); });
    }
    void require_place(digest128 hashed) const { self_->require_place(hashed); }

    /// Whether the kind can take keys out again, and whether it knows how often they are in. O(1).
    [[nodiscard]] bool can_erase() const noexcept { return self_ != nullptr && self_->can_erase(); }
    [[nodiscard]] bool can_count() const noexcept { return self_ != nullptr && self_->can_count(); }

    /// Takes a key out once: see the kind. Only keys that are in may be taken out; another one, for
    /// which the filter errs, makes it deny keys that are in. Throws unsupported unless
    /// can_erase().
    template <key Key>
    status erase(const Key& key) {
        return with_raw(key, [this](auto raw) { return self().erase(raw); });
    }
    status erase(digest128 hashed) { return self().erase(hashed); }

    /// How often a key is in: see the kind for what is promised. Throws unsupported unless
    /// can_count().
    template <key Key>
    [[nodiscard]] std::uint64_t count(const Key& key) const {
        return with_raw(key, [this](auto raw) { return self().count(raw); });
    }
    [[nodiscard]] std::uint64_t count(digest128 hashed) const { return self().count(hashed); }

    /// Whether keys can be hashed before they are asked for. Some filters of other systems hash
    /// more than a digest holds; their keys go in whole.
    [[nodiscard]] bool hashes_ahead() const noexcept {
        return self_ != nullptr && self_->hashes_ahead();
    }
    /// The digest of a key. Throws unsupported unless hashes_ahead().
    template <key Key>
    [[nodiscard]] digest128 digest(const Key& key) const {
        return with_raw(key, [this](auto raw) { return self().digest(raw); });
    }

    /// Hashes all keys once, for this filter and every other of equal hash and seed. O(bytes);
    /// throws std::bad_alloc, and unsupported unless hashes_ahead().
    void digest_many(byte_keys keys, std::vector<digest128>& into) const {
        self().digest_many(keys, into);
    }
    void digest_many(integer_keys keys, std::vector<digest128>& into) const {
        self().digest_many(keys, into);
    }

    /// Adds all keys; bit i of `fresh` is set if key i was surely new. O(n k).
    void try_insert_many(digests keys, bitmap& fresh) { self().try_insert_many(keys, fresh); }
    template <std::ranges::sized_range Keys>
        requires key<std::ranges::range_value_t<Keys>>
    void try_insert_many(Keys&& keys, bitmap& fresh) {
        with_keys(
            keys, [&](auto all) { self().try_insert_many(all, fresh); },
            [&] {
                answer_each(keys, fresh, [this](const auto& key) { return this->insert(key); });
            });
    }

    /// Adds all keys. O(n k).
    void insert_many(digests keys) { self().insert_many(keys); }
    template <std::ranges::input_range Keys>
        requires key<std::ranges::range_value_t<Keys>>
    void insert_many(Keys&& keys) {
        with_keys(
            keys, [this](auto all) { self().insert_many(all); },
            [&] {
                for (const std::ranges::range_value_t<Keys>& key : keys) {
                    insert(key);
                }
            });
    }

    /// Asks for all keys; bit i of `maybe` is the answer for key i. O(n k).
    void may_contain_many(digests keys, bitmap& maybe) const {
        if (self_ == nullptr) {
            return maybe.reset(keys.size());
        }
        self_->may_contain_many(keys, maybe);
    }
    template <std::ranges::sized_range Keys>
        requires key<std::ranges::range_value_t<Keys>>
    void may_contain_many(Keys&& keys, bitmap& maybe) const {
        if (self_ == nullptr) {
            return maybe.reset(std::ranges::size(keys));
        }
        with_keys(
            keys, [&](auto all) { self_->may_contain_many(all, maybe); },
            [&] {
                answer_each(keys, maybe,
                            [this](const auto& key) { return this->may_contain(key); });
            });
    }

    /// As for basic_filter, whatever the two filters are inside. O(w); `merge` and `intersect`
    /// throw incompatible and change nothing. A filter that cannot lose bits throws unsupported.
    [[nodiscard]] compatibility compatible_with(const any_filter& other) const {
        return self().compatible_with(other.self());
    }
    void merge(const any_filter& other) { self().merge(other.self()); }
    void intersect(const any_filter& other) { self().intersect(other.self()); }
    void clear() { self().clear(); }

    /// Returns when what was inserted into a file is on the disk; of a filter in memory, at once.
    /// See format/mapped.hpp for what it promises and throws.
    void sync() { self().sync(); }

    [[nodiscard]] bloomery::spec spec() const { return self().spec(); }
    [[nodiscard]] design made_for() const { return self().made_for(); }
    [[nodiscard]] statistics stats() const { return self().stats(); }
    [[nodiscard]] double fpp_at(items n) const { return self().fpp_at(n); }
    /// The memory of its arrays. O(1).
    [[nodiscard]] std::uint64_t byte_count() const { return self().byte_count(); }
    /// What only its kind knows. O(w).
    [[nodiscard]] std::vector<fact> facts() const { return self().facts(); }
    /// All of its state, for a file. As words() for one that is an array of bits.
    [[nodiscard]] saved_words saved() const { return self().saved(); }
    /// The bits. O(1) in memory, O(w) in a file, where they are checked first. Throws unsupported
    /// for a kind that is more than one array.
    [[nodiscard]] std::span<const std::uint64_t> words() const { return self().words(); }
    /// The secret, if the hash is keyed. Keep it to yourself. O(1).
    [[nodiscard]] std::optional<hash::sip_key> secret() const { return self().secret(); }

private:
    using interface = detail::filter_interface;

    template <class>
    friend struct detail::filter_model; // a copy of a mapped filter is what another handle holds
    template <class Filter>
    using model = detail::filter_model<Filter>;

    /// The filter inside. Throws bad_argument if there is none.
    [[nodiscard]] const interface& self() const {
        if (self_ == nullptr) [[unlikely]] {
            storage::detail::refuse_moved_from();
        }
        return *self_;
    }
    [[nodiscard]] interface& self() { return const_cast<interface&>(std::as_const(*this).self()); }

    /// Calls `with` with what a hash takes of a key: its bytes, or the number that it is.
    template <class Key, class With>
    static decltype(auto) with_raw(const Key& key, With with) {
        if constexpr (integer_key<Key> && !fed_key<Key>) {
            return with(integer_of(key));
        } else if constexpr (byte_string<Key> && !fed_key<Key>) {
            return with(bytes_of(key));
        } else {
            key_sink sink;
            feed(sink, key);
            return with(sink.bytes());
        }
    }

    /// Calls `with` with keys that the filter inside takes as they are, or with their digests;
    /// otherwise `one_by_one`.
    template <class Keys, class With, class Otherwise>
    void with_keys(Keys& keys, With with, Otherwise one_by_one) const {
        if constexpr (std::convertible_to<Keys&, byte_keys>) {
            with(byte_keys(keys));
        } else if constexpr (std::convertible_to<Keys&, integer_keys>) {
            with(integer_keys(keys));
        } else if (hashes_ahead()) {
            std::vector<digest128> hashed;
            for (const std::ranges::range_value_t<Keys>& key : keys) {
                hashed.push_back(digest(key));
            }
            with(digests(hashed));
        } else {
            one_by_one();
        }
    }

    template <class Keys, class Ask>
    static void answer_each(Keys& keys, bitmap& answers, Ask ask) {
        answers.reset(std::ranges::size(keys));
        std::size_t at = 0;
        for (const std::ranges::range_value_t<Keys>& key : keys) {
            answers.data()[at / 64] |= std::uint64_t{ask(key)} << (at % 64);
            ++at;
        }
    }

    std::unique_ptr<interface> self_;
};

// Compiled in the library, so that no program compiles them again; the other kinds are in
// filter/any_kinds.hpp.
extern template struct detail::filter_model<filter>;
extern template struct detail::filter_model<borrowed_filter>;

} // namespace bloomery
