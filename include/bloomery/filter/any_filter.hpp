// One handle for every kind of filter. Tools, formats and bindings speak to this and nothing else.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/filter/basic_filter.hpp>
#include <bloomery/filter/filter_interface.hpp>
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
#include <string_view>
#include <utility>
#include <vector>

namespace bloomery {

/// A filter whose type is known at run time only. Its bulk calls pay one virtual call for a batch.
/// A copy copies the filter inside: its bits too, unless it only borrows them, as one of `view_of`
/// does. Threads as for basic_filter. A moved-from handle may only be assigned to or destroyed.
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

    any_filter(const any_filter& other) : self_(other.self_->clone()) {}
    any_filter(any_filter&&) noexcept = default;
    any_filter& operator=(const any_filter& other) {
        self_ = other.self_->clone();
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
        return with_raw(key, [this](auto raw) { return self_->insert(raw); });
    }
    template <key Key>
    [[nodiscard]] bool may_contain(const Key& key) const {
        return with_raw(key, [this](auto raw) { return self_->may_contain(raw); });
    }

    /// Whether keys can be hashed before they are asked for. Some filters of other systems hash
    /// more than a digest holds; their keys go in whole.
    [[nodiscard]] bool hashes_ahead() const noexcept { return self_->hashes_ahead(); }
    /// The digest of a key. Throws unsupported unless hashes_ahead().
    template <key Key>
    [[nodiscard]] digest128 digest(const Key& key) const {
        return with_raw(key, [this](auto raw) { return self_->digest(raw); });
    }

    /// Hashes all keys once, for this filter and every other of equal hash and seed. O(bytes);
    /// throws std::bad_alloc, and unsupported unless hashes_ahead().
    void digest_many(byte_keys keys, std::vector<digest128>& into) const {
        self_->digest_many(keys, into);
    }
    void digest_many(integer_keys keys, std::vector<digest128>& into) const {
        self_->digest_many(keys, into);
    }

    /// Adds all keys; bit i of `fresh` is set if key i was surely new. O(n k).
    void try_insert_many(digests keys, bitmap& fresh) { self_->try_insert_many(keys, fresh); }
    template <std::ranges::sized_range Keys>
        requires key<std::ranges::range_value_t<Keys>>
    void try_insert_many(Keys&& keys, bitmap& fresh) {
        with_keys(
            keys, [&](auto all) { self_->try_insert_many(all, fresh); },
            [&] {
                answer_each(keys, fresh, [this](const auto& key) { return this->insert(key); });
            });
    }

    /// Adds all keys. O(n k).
    void insert_many(digests keys) { self_->insert_many(keys); }
    template <std::ranges::input_range Keys>
        requires key<std::ranges::range_value_t<Keys>>
    void insert_many(Keys&& keys) {
        with_keys(
            keys, [this](auto all) { self_->insert_many(all); },
            [&] {
                for (const std::ranges::range_value_t<Keys>& key : keys) {
                    insert(key);
                }
            });
    }

    /// Asks for all keys; bit i of `maybe` is the answer for key i. O(n k).
    void may_contain_many(digests keys, bitmap& maybe) const {
        self_->may_contain_many(keys, maybe);
    }
    template <std::ranges::sized_range Keys>
        requires key<std::ranges::range_value_t<Keys>>
    void may_contain_many(Keys&& keys, bitmap& maybe) const {
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
        return self_->compatible_with(*other.self_);
    }
    void merge(const any_filter& other) { self_->merge(*other.self_); }
    void intersect(const any_filter& other) { self_->intersect(*other.self_); }
    void clear() { self_->clear(); }

    /// Returns when what was inserted into a file is on the disk; of a filter in memory, at once.
    /// See format/mapped.hpp for what it promises and throws.
    void sync() { self_->sync(); }

    [[nodiscard]] bloomery::spec spec() const { return self_->spec(); }
    [[nodiscard]] design made_for() const { return self_->made_for(); }
    [[nodiscard]] statistics stats() const { return self_->stats(); }
    [[nodiscard]] double fpp_at(items n) const { return self_->fpp_at(n); }
    /// The bits. O(1) in memory, O(w) in a file, where they are checked first.
    [[nodiscard]] std::span<const std::uint64_t> words() const { return self_->words(); }
    /// The secret, if the hash is keyed. Keep it to yourself. O(1).
    [[nodiscard]] std::optional<hash::sip_key> secret() const { return self_->secret(); }

private:
    using interface = detail::filter_interface;

    template <class Filter>
    struct model;

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

template <class Filter>
struct any_filter::model final : interface {
    explicit model(Filter made) : value(std::move(made)) {}

    [[nodiscard]] std::unique_ptr<interface> clone() const override {
        if constexpr (std::copy_constructible<Filter>) {
            return std::make_unique<model>(value);
        } else {
            return std::move(value.in_memory().self_);
        }
    }
    [[nodiscard]] bool hashes_ahead() const noexcept override { return narrow || wide; }
    [[nodiscard]] digest128 digest(byte_view bytes) const override { return handed_out(bytes); }
    [[nodiscard]] digest128 digest(std::uint64_t number) const override {
        return handed_out(number);
    }
    void digest_many(byte_keys keys, std::vector<digest128>& into) const override {
        hash_all(keys, into);
    }
    void digest_many(integer_keys keys, std::vector<digest128>& into) const override {
        hash_all(keys, into);
    }
    [[nodiscard]] bool may_contain(byte_view bytes) const override {
        return value.may_contain(value.digest(bytes));
    }
    [[nodiscard]] bool may_contain(std::uint64_t number) const override {
        return value.may_contain(value.digest(number));
    }
    bool insert(byte_view bytes) override { return value.insert(value.digest(bytes)); }
    bool insert(std::uint64_t number) override { return value.insert(value.digest(number)); }
    void insert_many(byte_keys keys) override { add_all(keys); }
    void insert_many(integer_keys keys) override { add_all(keys); }
    void insert_many(digests keys) override { add_all(keys); }
    void try_insert_many(byte_keys keys, bitmap& fresh) override { try_all(keys, fresh); }
    void try_insert_many(integer_keys keys, bitmap& fresh) override { try_all(keys, fresh); }
    void try_insert_many(digests keys, bitmap& fresh) override { try_all(keys, fresh); }
    void may_contain_many(byte_keys keys, bitmap& maybe) const override { ask_all(keys, maybe); }
    void may_contain_many(integer_keys keys, bitmap& maybe) const override { ask_all(keys, maybe); }
    void may_contain_many(digests keys, bitmap& maybe) const override { ask_all(keys, maybe); }
    [[nodiscard]] compatibility compatible_with(const interface& other) const override {
        if (const auto* const same = dynamic_cast<const model*>(&other)) {
            return value.compatible_with(same->value);
        }
        compatibility verdict = compare(spec(), other.spec());
        if (verdict && spec().hash == hash::hash_id::custom) {
            verdict.reason = "their hashes are of different types";
        }
        return verdict;
    }
    void merge(const interface& other) override {
        with_bits_of(other, [this](const auto& its) { value.merge(its); });
    }
    void intersect(const interface& other) override {
        with_bits_of(other, [this](const auto& its) { value.intersect(its); });
    }
    void clear() override { value.clear(); }
    void sync() override {
        if constexpr (requires { value.sync(); }) {
            value.sync();
        }
    }
    [[nodiscard]] bloomery::spec spec() const override { return value.spec(); }
    [[nodiscard]] design made_for() const override { return value.made_for(); }
    [[nodiscard]] statistics stats() const override { return value.stats(); }
    [[nodiscard]] double fpp_at(items n) const override { return value.fpp_at(n); }
    [[nodiscard]] std::span<const std::uint64_t> words() const override { return value.words(); }
    [[nodiscard]] std::optional<hash::sip_key> secret() const override {
        if constexpr (requires { value.hash().secret(); }) {
            return value.hash().secret();
        } else if constexpr (requires { hash::sip_key(value.hash().key); }) {
            return value.hash().key;
        } else {
            return std::nullopt;
        }
    }

    // A filter with 64-bit digests hands them out widened, and takes the narrow half back.
    template <class Key>
    [[nodiscard]] digest128 handed_out(const Key& key) const {
        if constexpr (narrow || wide) {
            return widely(value.digest(key));
        } else {
            throw unsupported("the keys of this filter cannot be hashed ahead: give them whole");
        }
    }
    template <class Keys>
    void hash_all(Keys keys, std::vector<digest128>& into) const {
        into.clear();
        for (const auto& key : keys) {
            into.push_back(handed_out(key));
        }
    }

    /// Calls `with` with keys as the filter takes them, which may be their digests only.
    template <class Keys, class With>
    static void own(Keys keys, With with) {
        if constexpr (!std::same_as<Keys, digests> || wide) {
            with(keys);
        } else if constexpr (narrow) {
            with(std::views::transform(keys, [](digest128 d) { return digest64{d.low}; }));
        } else if (!keys.empty()) {
            throw unsupported("the keys of this filter cannot be hashed ahead: give them whole");
        }
    }
    template <class Keys>
    void add_all(Keys keys) {
        own(keys, [this](const auto& all) {
            if constexpr (requires { value.insert_many(all); }) {
                value.insert_many(all);
            } else {
                value.insert_many(hashed(all));
            }
        });
    }
    template <class Keys>
    void try_all(Keys keys, bitmap& fresh) {
        own(keys, [&](const auto& all) {
            if constexpr (requires { value.try_insert_many(all, fresh); }) {
                value.try_insert_many(all, fresh);
            } else {
                value.try_insert_many(hashed(all), fresh);
            }
        });
    }
    template <class Keys>
    void ask_all(Keys keys, bitmap& maybe) const {
        own(keys, [&](const auto& all) {
            if constexpr (requires { value.may_contain_many(all, maybe); }) {
                value.may_contain_many(all, maybe);
            } else {
                value.may_contain_many(hashed(all), maybe);
            }
        });
    }
    template <class Keys>
    [[nodiscard]] std::vector<digest128> hashed(const Keys& keys) const {
        std::vector<digest128> made;
        hash_all(keys, made);
        return made;
    }

    /// Calls `with` with the other filter, or with its bits as a filter of this one's layout and
    /// hash: equal specs mean that they are.
    template <class With>
    void with_bits_of(const interface& other, With with) {
        if (const auto* const same = dynamic_cast<const model*>(&other)) {
            return with(same->value);
        }
        if (const compatibility verdict = compatible_with(other); !verdict) {
            throw incompatible("the filters cannot be combined: " + verdict.reason);
        }
        const auto bits = other.words();
        if constexpr (requires { value.layout(); }) {
            auto* const words = const_cast<std::uint64_t*>(bits.data()); // NOLINT: only read
            using layout_type = std::decay_t<decltype(value.layout())>;
            using hash_type = std::decay_t<decltype(value.hash())>;
            with(basic_filter<layout_type, hash_type, storage::borrowed_words>(
                value.layout(), storage::borrowed_words({words, bits.size()}), value.hash()));
        } else {
            with(bits); // not a bit for each place: it knows its own words
        }
    }

    static constexpr bool wide = std::same_as<typename Filter::digest_type, digest128>;
    static constexpr bool narrow = std::same_as<typename Filter::digest_type, digest64>;
    Filter value;
};

} // namespace bloomery
