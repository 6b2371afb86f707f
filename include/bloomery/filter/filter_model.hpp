// How any_filter calls the filter inside: what a kind has is called, what it lacks is refused.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/filter/basic_filter.hpp>
#include <bloomery/filter/fact.hpp>
#include <bloomery/filter/filter_interface.hpp>
#include <bloomery/filter/require_compatible.hpp>
#include <bloomery/filter/require_room.hpp>
#include <bloomery/filter/saved_words.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/hash/hash_id.hpp>
#include <bloomery/hash/siphash.hpp>
#include <bloomery/layout/status.hpp>
#include <bloomery/storage/bitmap.hpp>
#include <bloomery/storage/words.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace bloomery::detail {

/// A filter of a known type behind the interface of any_filter.
template <class Filter>
struct filter_model final : filter_interface {
    using interface = filter_interface;

    explicit filter_model(Filter made) : value(std::move(made)) {}

    [[nodiscard]] std::unique_ptr<interface> clone() const override {
        if constexpr (std::copy_constructible<Filter>) {
            return std::make_unique<filter_model>(value);
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
    [[nodiscard]] bool may_lack_places() const noexcept override {
        if constexpr (requires { value.may_lack_places(); }) {
            return value.may_lack_places();
        } else {
            return false;
        }
    }
    void require_place(byte_view bytes) const override { find_place(bytes); }
    void require_place(std::uint64_t number) const override { find_place(number); }
    void require_place(digest128 hashed) const override { find_place(hashed); }
    [[nodiscard]] bool may_contain(byte_view bytes) const override {
        return value.may_contain(taken(bytes));
    }
    [[nodiscard]] bool may_contain(std::uint64_t number) const override {
        return value.may_contain(taken(number));
    }
    bool insert(byte_view bytes) override { return insert_one(bytes); }
    bool insert(std::uint64_t number) override { return insert_one(number); }
    [[nodiscard]] bool can_erase() const noexcept override {
        if constexpr (requires { value.can_erase(); }) {
            return value.can_erase();
        } else {
            return erases;
        }
    }
    [[nodiscard]] bool can_count() const noexcept override {
        if constexpr (requires { value.can_count(); }) {
            return value.can_count();
        } else {
            return counts;
        }
    }
    status erase(byte_view bytes) override { return erase_one(bytes); }
    status erase(std::uint64_t number) override { return erase_one(number); }
    status erase(digest128 hashed) override { return erase_one(hashed); }
    [[nodiscard]] std::uint64_t count(byte_view bytes) const override { return count_one(bytes); }
    [[nodiscard]] std::uint64_t count(std::uint64_t number) const override {
        return count_one(number);
    }
    [[nodiscard]] std::uint64_t count(digest128 hashed) const override { return count_one(hashed); }
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
        if constexpr (requires { value.compatible_with(value); }) {
            if (const auto* const same = dynamic_cast<const filter_model*>(&other)) {
                return value.compatible_with(same->value);
            }
        } else if (other.spec().kind == spec().kind) {
            return {not_of_its_kind("be combined with another").what()};
        }
        compatibility verdict = compare(spec(), other.spec());
        if (verdict && spec().hash == hash::hash_id::custom) {
            verdict.reason = "their hashes are of different types";
        }
        if constexpr (!requires { value.words(); }) {
            if (verdict) {
                verdict.reason = "they are of different types";
            }
        }
        return verdict;
    }
    void merge(const interface& other) override {
        if constexpr (requires { value.merge(value); }) {
            with_bits_of(other, [this](const auto& its) { value.merge(its); });
        } else {
            throw not_of_its_kind("be merged");
        }
    }
    void intersect(const interface& other) override {
        if constexpr (requires { value.intersect(value); }) {
            with_bits_of(other, [this](const auto& its) { value.intersect(its); });
        } else {
            throw not_of_its_kind("be intersected");
        }
    }
    void clear() override {
        if constexpr (requires { value.clear(); }) {
            value.clear();
        } else {
            throw not_of_its_kind("be emptied");
        }
    }
    void sync() override {
        if constexpr (requires { value.sync(); }) {
            value.sync();
        }
    }
    [[nodiscard]] bloomery::spec spec() const override { return value.spec(); }
    [[nodiscard]] design made_for() const override { return value.made_for(); }
    [[nodiscard]] statistics stats() const override { return value.stats(); }
    [[nodiscard]] double fpp_at(items n) const override { return value.fpp_at(n); }
    [[nodiscard]] std::span<const std::uint64_t> words() const override {
        if constexpr (requires { value.words(); }) {
            return value.words();
        } else {
            throw not_of_its_kind("be taken for an array of bits");
        }
    }
    [[nodiscard]] saved_words saved() const override {
        if constexpr (requires { value.saved(); }) {
            return value.saved();
        } else {
            return {{}, {value.words()}};
        }
    }
    [[nodiscard]] std::uint64_t byte_count() const override {
        if constexpr (requires { value.byte_count(); }) {
            return value.byte_count();
        } else {
            return value.words().size() * 8;
        }
    }
    [[nodiscard]] std::vector<fact> facts() const override {
        if constexpr (requires { value.facts(); }) {
            return value.facts();
        } else {
            return {};
        }
    }
    [[nodiscard]] std::optional<hash::sip_key> secret() const override {
        if constexpr (requires { value.secret(); }) {
            return value.secret();
        } else if constexpr (requires { value.hash().secret(); }) {
            return value.hash().secret();
        } else if constexpr (requires { hash::sip_key(value.hash().key); }) {
            return value.hash().key;
        } else {
            return std::nullopt;
        }
    }

    [[nodiscard]] unsupported not_of_its_kind(const char* verb) const {
        return unsupported("a filter of the kind " + std::string(name_of(spec().kind)) +
                           " cannot " + verb);
    }

    /// Whether a key was new, of what an insert tells.
    static bool done(bool fresh) noexcept { return fresh; }
    static bool done(const insertion& told) { return require_room(told); }

    [[nodiscard]] unsupported closed() const {
        return not_of_its_kind("take in another key; build it again from all of its keys");
    }

    template <class Key>
    bool insert_one(const Key& key) {
        if constexpr (inserts) {
            return done(value.insert(taken(key)));
        } else {
            throw closed();
        }
    }
    template <class Key>
    void find_place(const Key& key) const {
        if (may_lack_places()) {
            const auto probe = taken(key); // which throws where the hash does
            if constexpr (requires { value.require_place(probe); }) {
                value.require_place(probe);
            }
        }
    }
    template <class Key>
    status erase_one(const Key& key) {
        if constexpr (erases) {
            const auto told = value.erase(taken(key));
            if constexpr (std::same_as<decltype(value.erase(taken(key))), bool>) {
                return told ? status::ok : status::not_present;
            } else {
                return told;
            }
        } else {
            throw not_of_its_kind("take a key out again");
        }
    }
    template <class Key>
    [[nodiscard]] std::uint64_t count_one(const Key& key) const {
        if constexpr (counts) {
            return value.count(taken(key));
        } else {
            throw not_of_its_kind("tell how often a key is in");
        }
    }
    /// A key as the filter takes it: its digest, unless it needs the key itself.
    template <class Key>
    [[nodiscard]] auto taken(const Key& key) const {
        if constexpr (std::same_as<Key, digest128> && narrow) {
            return digest64{key.low};
        } else if constexpr (std::same_as<Key, digest128> && !wide) {
            throw unsupported("the keys of this filter cannot be hashed ahead: give them whole");
            return asked_with{}; // never: the call that follows has to compile
        } else if constexpr (std::same_as<Key, digest128> || !hashes_first) {
            return key;
        } else {
            return value.digest(key);
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
            } else if constexpr (inserts) {
                value.insert_many(hashed(all));
            } else if (!all.empty()) {
                throw closed();
            }
        });
    }
    template <class Keys>
    void try_all(Keys keys, bitmap& fresh) {
        own(keys, [&](const auto& all) {
            if constexpr (requires { value.try_insert_many(all, fresh); }) {
                value.try_insert_many(all, fresh);
            } else if constexpr (inserts) {
                value.try_insert_many(hashed(all), fresh);
            } else if (!all.empty()) {
                throw closed();
            } else {
                fresh.reset(0);
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
        if (const auto* const same = dynamic_cast<const filter_model*>(&other)) {
            return with(same->value);
        }
        detail::require_compatible(compatible_with(other), "combined");
        const auto bits = other.words();
        if constexpr (requires { value.layout().word_count(); }) {
            auto* const words = const_cast<std::uint64_t*>(bits.data()); // NOLINT: only read
            using layout_type = std::decay_t<decltype(value.layout())>;
            using hash_type = std::decay_t<decltype(value.hash())>;
            with(basic_filter<layout_type, hash_type, storage::borrowed_words>(
                value.layout(), storage::borrowed_words({words, bits.size()}), value.hash(),
                other.made_for()));
        } else if constexpr (requires { value.merge(bits); }) {
            with(bits); // not a bit for each place: it knows its own words
        } else {
            detail::require_compatible({"they are of different types"}, "combined");
        }
    }

    static constexpr bool hashes_first = requires { typename Filter::digest_type; };
    using asked_with = decltype([] {
        if constexpr (hashes_first) {
            return std::type_identity<typename Filter::digest_type>{};
        } else {
            return std::type_identity<byte_view>{};
        }
    }())::type;
    static constexpr bool wide = std::same_as<asked_with, digest128>;
    static constexpr bool narrow = std::same_as<asked_with, digest64>;
    static constexpr bool inserts =
        requires(Filter& filter, asked_with key) { filter.insert(key); };
    static constexpr bool erases = requires(Filter& filter, asked_with key) { filter.erase(key); };
    static constexpr bool counts =
        requires(const Filter& filter, asked_with key) { filter.count(key); };
    Filter value;
};

} // namespace bloomery::detail
