// How any_filter calls the filter inside; what a kind lacks throws unsupported.
#pragma once

#include <bloomery/detail/filter/filter_interface.hpp>
#include <bloomery/detail/filter/saved_words.hpp>
#include <bloomery/detail/filter/taken_keys.hpp>
#include <bloomery/detail/hash/hash_id.hpp>
#include <bloomery/detail/hash/siphash.hpp>
#include <bloomery/detail/layout/status.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/detail/storage/word_sets.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/basic_filter.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/digest.hpp>
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
#include <typeinfo>
#include <utility>
#include <vector>

namespace bloomery::inline v0::detail {

/// A filter of a known type behind the interface of any_filter.
template <class Filter>
struct BLOOMERY_OWN_COPY filter_model final : filter_interface {
    using interface = filter_interface;
    using forms = taken_keys<Filter>;

    explicit filter_model(Filter made) : value(std::move(made)) {}

    [[nodiscard]] std::unique_ptr<interface> clone() const override {
        if constexpr (std::copy_constructible<Filter>) {
            return std::make_unique<filter_model>(value);
        } else {
            return std::move(value.in_memory().self_);
        }
    }
    [[nodiscard]] const void* held(const std::type_info& type) const noexcept override {
        return type == typeid(Filter) ? &value : nullptr;
    }
    [[nodiscard]] bool hashes_ahead() const noexcept override {
        return forms::narrow || forms::wide;
    }
    [[nodiscard]] digest128 digest(byte_view bytes) const override {
        return forms::digest(value, bytes);
    }
    [[nodiscard]] digest128 digest(std::uint64_t number) const override {
        return forms::digest(value, number);
    }
    void digest_many(byte_keys keys, std::vector<digest128>& into) const override {
        digest_all_of(keys, into);
    }
    void digest_many(integer_keys keys, std::vector<digest128>& into) const override {
        digest_all_of(keys, into);
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
        return value.may_contain(forms::of(value, bytes));
    }
    [[nodiscard]] bool may_contain(std::uint64_t number) const override {
        return value.may_contain(forms::of(value, number));
    }
    [[nodiscard]] bool may_contain(digest128 hashed) const override {
        return value.may_contain(forms::of(value, hashed));
    }
    void insert(byte_view bytes) override { insert_one(bytes); }
    void insert(std::uint64_t number) override { insert_one(number); }
    void insert(digest128 hashed) override { insert_one(hashed); }
    [[nodiscard]] insertion try_insert(byte_view bytes) override { return try_one(bytes); }
    [[nodiscard]] insertion try_insert(std::uint64_t number) override { return try_one(number); }
    [[nodiscard]] insertion try_insert(digest128 hashed) override { return try_one(hashed); }
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
    void erase_many(byte_keys keys, bitmap& erased) override { erase_all(keys, erased); }
    void erase_many(integer_keys keys, bitmap& erased) override { erase_all(keys, erased); }
    void erase_many(digests keys, bitmap& erased) override { erase_all(keys, erased); }
    [[nodiscard]] compatibility compatible_with(const interface& other) const override {
        if constexpr (requires { value.compatible_with(value); }) {
            if (const Filter* const same = of_this_type(other)) {
                return value.compatible_with(*same);
            }
        }
        compatibility verdict = compare(spec(), other.spec());
        if constexpr (!requires { value.compatible_with(value); }) {
            if (other.spec().kind == spec().kind) {
                verdict.reason = not_of_its_kind("be combined with another").what();
            }
        }
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
    void fold([[maybe_unused]] rate p) override {
        if constexpr (requires { value.fold(p); }) {
            value.fold(p);
        } else {
            throw not_of_its_kind("be folded");
        }
    }
    void clear() override {
        if constexpr (requires { value.clear(); }) {
            value.clear();
        } else {
            throw not_of_its_kind("be emptied");
        }
    }
    // Filters of one kind but different types are compared by their bits.
    [[nodiscard]] bool equals(const interface& other) const override {
        if constexpr (std::equality_comparable<Filter>) {
            if (const Filter* const same = of_this_type(other)) {
                return value == *same;
            }
        }
        return has_words() && other.has_words() && compatible_with(other) &&
               other.compatible_with(*this) && storage::equal(words(), other.words());
    }
    [[nodiscard]] bool can_share() const noexcept override {
        if constexpr (requires { value.can_share(); }) {
            return value.can_share();
        } else {
            return shares;
        }
    }
    [[nodiscard]] std::shared_ptr<const shared_interface> shared() override {
        if constexpr (shares) {
            return std::make_shared<const shared_model<decltype(value.shared())>>(value.shared());
        } else {
            throw not_of_its_kind("be changed by several threads at once");
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
    [[nodiscard]] double rate_at(items n) const override { return value.rate_at(n); }
    [[nodiscard]] bool has_words() const noexcept override {
        return requires { value.words(); };
    }
    [[nodiscard]] std::span<const std::uint64_t> words() const override {
        if constexpr (requires { value.words(); }) {
            return value.words();
        } else {
            throw not_of_its_kind("be used as an array of bits");
        }
    }
    [[nodiscard]] saved_words saved() const override {
        if constexpr (requires { value.saved(); }) {
            return value.saved();
        } else {
            return {{}, {words()}};
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

    [[nodiscard]] static const Filter* of_this_type(const interface& other) noexcept {
        return static_cast<const Filter*>(other.held(typeid(Filter)));
    }

    [[nodiscard]] unsupported not_of_its_kind(const char* verb) const {
        std::string noun = "a filter of the kind " + std::string(name_of(spec().kind));
        if constexpr (requires { noun = Filter::noun; }) {
            noun = Filter::noun;
        } else if constexpr (requires { requires !Filter::is_changeable; }) {
            noun = "a view of a filter";
        }
        return unsupported(noun + " cannot " + verb);
    }

    [[nodiscard]] unsupported closed() const {
        return not_of_its_kind("take another key; build it again from all of its keys");
    }

    template <class Key>
    void insert_one(const Key& key) {
        if constexpr (inserts) {
            value.insert(forms::of(value, key));
        } else {
            throw closed();
        }
    }
    template <class Key>
    [[nodiscard]] insertion try_one(const Key& key) {
        if constexpr (!inserts) {
            throw closed();
        } else if constexpr (requires { value.try_insert(forms::of(value, key)).state; }) {
            return value.try_insert(forms::of(value, key));
        } else {
            return {value.try_insert(forms::of(value, key)), status::ok};
        }
    }
    template <class Key>
    void find_place(const Key& key) const {
        if (may_lack_places()) {
            const auto probe = forms::of(value, key); // throws if the hash does
            if constexpr (requires { value.require_place(probe); }) {
                value.require_place(probe);
            }
        }
    }
    template <class Key>
    status erase_one(const Key& key) {
        if constexpr (erases) {
            return value.erase(forms::of(value, key));
        } else {
            throw not_of_its_kind("remove a key");
        }
    }
    template <class Key>
    [[nodiscard]] std::uint64_t count_one(const Key& key) const {
        if constexpr (counts) {
            return value.count(forms::of(value, key));
        } else {
            throw not_of_its_kind("count how often a key is in it");
        }
    }
    template <class Keys>
    void digest_all_of(Keys keys, std::vector<digest128>& into) const {
        if constexpr (one_by_one) {
            this->digest_each(keys, into);
        } else {
            forms::digest_many(value, keys, into);
        }
    }
    template <class Keys>
    void add_all(Keys keys) {
        if constexpr (one_by_one) {
            this->insert_each(keys);
        } else {
            forms::all(keys, [this](const auto& all) {
                if constexpr (requires { value.insert_many(all); }) {
                    value.insert_many(all);
                } else if constexpr (inserts) {
                    value.insert_many(forms::digest_many(value, all));
                } else if (!all.empty()) {
                    throw closed();
                }
            });
        }
    }
    template <class Keys>
    void try_all(Keys keys, bitmap& fresh) {
        if constexpr (one_by_one) {
            this->try_insert_each(keys, fresh);
        } else {
            forms::all(keys, [&](const auto& all) {
                if constexpr (requires { value.try_insert_many(all, fresh); }) {
                    value.try_insert_many(all, fresh);
                } else if constexpr (inserts) {
                    value.try_insert_many(forms::digest_many(value, all), fresh);
                } else if (!all.empty()) {
                    throw closed();
                } else {
                    fresh.reset(0);
                }
            });
        }
    }
    template <class Keys>
    void ask_all(Keys keys, bitmap& maybe) const {
        if constexpr (one_by_one) {
            this->ask_each(keys, maybe);
        } else {
            forms::all(keys, [&](const auto& all) {
                if constexpr (requires { value.may_contain_many(all, maybe); }) {
                    value.may_contain_many(all, maybe);
                } else {
                    value.may_contain_many(forms::digest_many(value, all), maybe);
                }
            });
        }
    }
    template <class Keys>
    void erase_all(Keys keys, [[maybe_unused]] bitmap& erased) {
        if constexpr (erases) {
            forms::all(keys, [&](const auto& all) {
                if constexpr (requires { value.erase_many(all, erased); }) {
                    value.erase_many(all, erased);
                } else {
                    value.erase_many(forms::digest_many(value, all), erased);
                }
            });
        } else {
            throw not_of_its_kind("remove a key");
        }
    }
    /// Calls `with` with the other filter, or with its bits as a filter of this one's layout and
    /// hash, which equal specs imply.
    template <class With>
    void with_bits_of(const interface& other, With with) {
        if (const Filter* const same = of_this_type(other)) {
            return with(*same);
        }
        detail::require_compatible(compatible_with(other), "combined");
        const auto bits = other.words();
        if constexpr (requires { value.layout().word_count(); }) {
            using layout_type = std::decay_t<decltype(value.layout())>;
            using hash_type = std::decay_t<decltype(value.hash())>;
            with(basic_filter<layout_type, hash_type, storage::viewed_words>(
                value.layout(), storage::viewed_words(bits), value.hash(), other.made_for()));
        } else if constexpr (requires { value.merge(bits); }) {
            with(bits); // it knows what its words mean
        } else {
            detail::require_compatible({"they are of different types"}, "combined");
        }
    }

    using asked_with = typename forms::asked_with;
    /// Where nothing can be prefetched, calls for many keys gain nothing without a kernel, and
    /// would be a tenth of a module of WebAssembly.
    static constexpr bool one_by_one = [] {
        if constexpr (requires(const Filter& of) { of.layout().word_count(); }) {
            return !kernel::prefetches &&
                   !has_kernel<std::decay_t<decltype(std::declval<const Filter&>().layout())>>;
        } else {
            return false;
        }
    }();
    static constexpr bool shares =
        kernel::has_threads && requires(Filter& filter) { filter.shared(); };
    static constexpr bool inserts =
        requires(Filter& filter, asked_with key) { filter.insert(key); };
    static constexpr bool erases = requires(Filter& filter, asked_with key) { filter.erase(key); };
    static constexpr bool counts =
        requires(const Filter& filter, asked_with key) { filter.count(key); };
    Filter value;
};

/// The model of a filter. Those of `is_compiled` kinds are only in the library.
template <class Kind>
[[nodiscard]] BLOOMERY_EXPORT std::unique_ptr<filter_interface> compiled_model(Kind made);

template <class Filter>
[[nodiscard]] std::unique_ptr<filter_interface> model_of(Filter made) {
    if constexpr (is_compiled<Filter>) {
        return compiled_model(std::move(made));
    } else {
        return std::make_unique<filter_model<Filter>>(std::move(made));
    }
}

} // namespace bloomery::inline v0::detail
