// A filter with a list of the keys on which it is known to err.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/filter/exception_list.hpp>
#include <bloomery/filter/fact.hpp>
#include <bloomery/filter/require_compatible.hpp>
#include <bloomery/filter/require_room.hpp>
#include <bloomery/filter/saved_words.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/bits.hpp>
#include <bloomery/key/key.hpp>
#include <bloomery/layout/status.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bloomery {

/// Any filter F, any_filter included, and an exact list of keys that were proven absent although F
/// claims them. The list is looked at only where F says "maybe". Use it where a wrong "maybe" is
/// dear and the same absent keys are asked for again and again: of the false positives those stop
/// that were reported, and no others.
///
/// It takes keys, not digests, because the list needs them. A listed key that is inserted leaves
/// the list. Threads: any number may call const members at once; a call that changes the filter
/// must be alone. Every call costs what the same call of F costs, and O(key) where F says "maybe".
///
/// Its spec is that of F with another kind; the kind of F is saved with the list.
template <class F>
class excepted {
public:
    using inner_type = F;

    /// Takes a filter in, with an empty list. Throws bad_argument if it has exceptions itself.
    explicit excepted(F inner, const exception_options& options = {})
        : excepted(std::move(inner), exception_list(keyed_as(inner, options))) {}

    /// As F, and then the key leaves the list. A key that was listed was surely not in. (A window
    /// that does not refresh takes a key that it claims for an old one, and may forget it early.)
    template <key Key>
    insertion insert(const Key& key) {
        insertion done = as_insertion(inner_.insert(key));
        if (done.state != status::full && list_.entry_count() != 0) {
            done.fresh =
                with_listed(key, [this](listed_key one) { return list_.erase(one); }) || done.fresh;
        }
        return done;
    }
    /// False: the key is surely not in. True: it is, or the filter errs and nobody reported it.
    template <key Key>
    [[nodiscard]] bool may_contain(const Key& key) const {
        return inner_.may_contain(key) && !is_excepted(key);
    }
    /// As F; a listed key is not in, and stays on the list.
    template <key Key>
        requires requires(F& filter, const Key& key) { filter.erase(key); }
    status erase(const Key& key) {
        return is_excepted(key) ? status::not_present : as_status(inner_.erase(key));
    }
    template <key Key>
        requires requires(const F& filter, const Key& key) { filter.count(key); }
    [[nodiscard]] std::uint64_t count(const Key& key) const {
        return is_excepted(key) ? 0 : inner_.count(key);
    }

    /// Whether F, which may be any filter, erases and counts. O(1).
    [[nodiscard]] bool can_erase() const noexcept {
        if constexpr (requires { inner_.can_erase(); }) {
            return inner_.can_erase();
        } else {
            return requires(F& filter, byte_view key) { filter.erase(key); };
        }
    }
    [[nodiscard]] bool can_count() const noexcept {
        if constexpr (requires { inner_.can_count(); }) {
            return inner_.can_count();
        } else {
            return requires(const F& filter, byte_view key) { filter.count(key); };
        }
    }

    /// Whether F has keys without a place; and throws no_place for one of them. As any_filter.
    [[nodiscard]] bool may_lack_places() const noexcept {
        if constexpr (requires { inner_.may_lack_places(); }) {
            return inner_.may_lack_places();
        } else {
            return false;
        }
    }
    template <key Key>
        requires requires(const F& filter, const Key& key) { filter.require_place(key); }
    void require_place(const Key& key) const {
        inner_.require_place(key);
    }

    /// Lists a key that the caller knows to be absent. `not_present` if F does not claim it, which
    /// changes nothing; `full` if the list refuses it. A key that is in must not be reported: it
    /// would be denied.
    template <key Key>
    status report_false_positive(const Key& key) {
        if (!inner_.may_contain(key)) {
            return status::not_present;
        }
        return with_listed(key, [this](listed_key one) { return list_.add(one); });
    }
    /// Takes a key off the list, and tells whether it was there. F then answers for it again.
    template <key Key>
    bool withdraw(const Key& key) {
        return with_listed(key, [this](listed_key one) { return list_.erase(one); });
    }
    /// Whether a key is listed.
    template <key Key>
    [[nodiscard]] bool is_excepted(const Key& key) const {
        return list_.entry_count() != 0 &&
               with_listed(key, [this](listed_key one) { return list_.contains(one); });
    }

    // Many keys, as F takes them; one by one while keys are listed that must leave the list.

    /// Adds all keys. Throws as F does; those before are in then. A filter without room throws
    /// filter_full.
    template <std::ranges::input_range Keys>
        requires key<std::ranges::range_value_t<Keys>>
    void insert_many(Keys&& keys) {
        if (list_.entry_count() == 0) {
            inner_.insert_many(keys);
            return;
        }
        for (const std::ranges::range_value_t<Keys>& key : keys) {
            (void)inserted(key);
        }
    }
    /// The same; bit i of `fresh` becomes whether key i was surely new.
    template <std::ranges::sized_range Keys>
        requires key<std::ranges::range_value_t<Keys>>
    void try_insert_many(Keys&& keys, bitmap& fresh) {
        if (list_.entry_count() == 0) {
            inner_.try_insert_many(keys, fresh);
            return;
        }
        fresh.reset(std::ranges::size(keys));
        std::size_t at = 0;
        for (const std::ranges::range_value_t<Keys>& key : keys) {
            fresh.set(at++, inserted(key));
        }
    }
    /// Asks for all keys; bit i of `maybe` becomes the answer for key i.
    template <std::ranges::forward_range Keys>
        requires std::ranges::sized_range<Keys> && key<std::ranges::range_value_t<Keys>>
    void may_contain_many(Keys&& keys, bitmap& maybe) const {
        inner_.may_contain_many(keys, maybe);
        if (list_.entry_count() == 0) {
            return;
        }
        std::size_t at = 0;
        for (const std::ranges::range_value_t<Keys>& key : keys) {
            if (maybe[at] && is_excepted(key)) {
                maybe.set(at, false);
            }
            ++at;
        }
    }

    /// Why the two cannot be combined, or nothing: F, and fingerprints under the same key.
    [[nodiscard]] compatibility compatible_with(const excepted& other) const
        requires requires(const F& filter) { filter.compatible_with(filter); }
    {
        compatibility verdict = inner_.compatible_with(other.inner_);
        if (verdict && !list_.comparable_with(other.list_)) {
            verdict.reason = "their lists keep keys in different forms, or under different secrets";
        }
        return verdict;
    }
    /// The union. A key stays listed if each of the two lists it or does not claim it; of
    /// fingerprints, which cannot be asked for, those stay that both list. Throws incompatible.
    void merge(const excepted& other)
        requires requires(F& filter) { filter.merge(filter); }
    {
        require_like(other, "merged");
        exception_list list = list_.in_union_with(
            other.list_, [this](listed_key one) { return claims(inner_, one); },
            [&other](listed_key one) { return claims(other.inner_, one); });
        inner_.merge(other.inner_);
        list_ = std::move(list);
    }
    /// What is in both: what either lists is not. Throws incompatible.
    void intersect(const excepted& other)
        requires requires(F& filter) { filter.intersect(filter); }
    {
        require_like(other, "intersected");
        exception_list list = list_.in_intersection_with(other.list_);
        inner_.intersect(other.inner_);
        list_ = std::move(list);
    }
    /// Forgets every key and every exception.
    void clear() {
        inner_.clear();
        list_.clear();
    }

    /// The filter without its exceptions.
    [[nodiscard]] const F& inner() const& noexcept { return inner_; }
    [[nodiscard]] F inner() && { return std::move(inner_); }
    [[nodiscard]] const exception_list& exceptions() const noexcept { return list_; }
    [[nodiscard]] std::uint64_t byte_count() const {
        if constexpr (requires { inner_.byte_count(); }) {
            return inner_.byte_count() + list_.byte_count();
        } else {
            return inner_.words().size_bytes() + list_.byte_count();
        }
    }
    [[nodiscard]] bloomery::spec spec() const {
        bloomery::spec own = inner_.spec();
        own.kind = filter_kind::excepted;
        return own;
    }
    [[nodiscard]] design made_for() const { return inner_.made_for(); }
    /// The secret of F, if its hash is keyed. Keep it to yourself.
    [[nodiscard]] std::optional<hash::sip_key> secret() const { return secret_of(inner_); }
    /// Those of F: its rate is that of keys which nobody reported.
    [[nodiscard]] statistics stats() const { return inner_.stats(); }
    [[nodiscard]] double fpp_at(items n) const { return inner_.fpp_at(n); }
    [[nodiscard]] std::vector<fact> facts() const {
        std::vector<fact> known;
        if constexpr (requires { inner_.facts(); }) {
            known = inner_.facts();
        }
        known.push_back({"filter inside", std::string(name_of(inner_.spec().kind))});
        known.push_back({"exceptions", std::to_string(list_.entry_count())});
        known.push_back({"exceptions refused", std::to_string(list_.refused())});
        return known;
    }

    /// The list, then what F saves. Take them apart with split_excepted. O(list).
    [[nodiscard]] saved_words saved() const {
        saved_words all{list_.saved(inner_.spec().kind), {}};
        if constexpr (requires { inner_.saved(); }) {
            const saved_words own = inner_.saved();
            all.record.insert(all.record.end(), own.record.begin(), own.record.end());
            all.arrays = own.arrays;
        } else {
            all.arrays.push_back(inner_.words());
        }
        return all;
    }
    /// A filter that was restored before, with the words of its list. Throws bad_data for a list
    /// that no filter saved or that belongs to another kind, bad_argument for fingerprints without
    /// their secret.
    [[nodiscard]] static excepted restored(F inner, std::span<const std::uint64_t> list_words,
                                           std::optional<hash::sip_key> key = {}) {
        if (split_excepted(list_words).inner != inner.spec().kind) {
            throw bad_data("the list of exceptions belongs to another kind of filter; get an "
                           "undamaged copy");
        }
        return excepted(std::move(inner), exception_list::restored(list_words, key));
    }

private:
    excepted(F&& inner, exception_list list) : inner_(std::move(inner)), list_(std::move(list)) {
        if (inner_.spec().kind == filter_kind::excepted) {
            throw bad_argument("the filter has a list of exceptions already; use that");
        }
    }

    static std::optional<hash::sip_key> secret_of(const F& of) {
        if constexpr (requires { of.secret(); }) {
            return of.secret();
        } else if constexpr (requires { of.hash().secret(); }) {
            return of.hash().secret();
        } else {
            return std::nullopt;
        }
    }
    /// One secret is enough to load both.
    static exception_options keyed_as(const F& inner, exception_options options) {
        if (options.fingerprints && !options.key) {
            options.key = secret_of(inner);
        }
        return options;
    }

    static insertion as_insertion(bool fresh) noexcept { return {fresh, status::ok}; }
    static insertion as_insertion(insertion done) noexcept { return done; }
    static status as_status(bool erased) noexcept {
        return erased ? status::ok : status::not_present;
    }
    static status as_status(status done) noexcept { return done; }

    template <class Key>
    bool inserted(const Key& key) {
        return detail::require_room(insert(key));
    }

    /// Calls `with` with what a hash takes of a key: its bytes, or the number that it is.
    template <class Key, class With>
    static auto with_listed(const Key& key, With with) {
        if constexpr (integer_key<Key> && !fed_key<Key>) {
            std::array<std::byte, 8> number;
            hash::store_le64(number.data(), integer_of(key));
            return with(listed_key{number, true});
        } else if constexpr (byte_string<Key> && !fed_key<Key>) {
            return with(listed_key{bytes_of(key), false});
        } else {
            key_sink sink;
            feed(sink, key);
            return with(listed_key{sink.bytes(), false});
        }
    }
    static bool claims(const F& asked, listed_key one) {
        return one.is_number ? asked.may_contain(hash::load_le64(one.bytes.data()))
                             : asked.may_contain(one.bytes);
    }

    void require_like(const excepted& other, const char* verb) const
        requires requires(const F& filter) { filter.compatible_with(filter); }
    {
        detail::require_compatible(compatible_with(other), verb);
    }

    F inner_;
    exception_list list_;
};

} // namespace bloomery
