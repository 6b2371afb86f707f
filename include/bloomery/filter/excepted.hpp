// A filter with a list of known false positives.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/derived_calls.hpp>
#include <bloomery/detail/filter/exception_list.hpp>
#include <bloomery/detail/filter/raw_keys.hpp>
#include <bloomery/detail/filter/require_room.hpp>
#include <bloomery/detail/filter/saved_words.hpp>
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/layout/status.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/key/key.hpp>
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

namespace bloomery::inline v0 {

/// Any filter F, including any_filter, plus an exact list of keys that are known to be absent
/// although F says "maybe". The list is consulted only if F says "maybe". Use it if a wrong "maybe"
/// is expensive and the same absent keys are queried again and again: it stops the false positives
/// that were reported, and no others.
///
/// It takes keys, not digests, because the list needs them. Inserting a listed key removes it from
/// the list. Threads: any number may call const members at once; a call that changes the filter
/// needs exclusive access. Every call costs as much as the same call of F, plus O(key) if F says
/// "maybe".
///
/// Its spec is that of F with another kind; the kind of F is saved with the list.
template <class F>
class excepted : public detail::derived_calls<excepted<F>> {
    using derived = detail::derived_calls<excepted>;

public:
    using derived::erase_many;
    using derived::may_contain_many;
    using derived::try_insert_many;
    using inner_type = F;

    /// Holds a filter, with an empty list. Throws bad_argument if it already has exceptions.
    explicit excepted(F inner, const exception_options& options = {})
        : excepted(std::move(inner), exception_list(keyed_as(inner, options))) {}

    /// As F; the key is then taken off the list. A listed key counts as definitely new. (A window
    /// that does not refresh takes a false positive for an old key, and may forget it early.)
    template <key Key>
    BLOOMERY_OWN_COPY void insert(const Key& key) {
        inner_.insert(key);
        if (list_.entry_count() != 0) {
            withdraw(key);
        }
    }
    template <key Key>
    [[nodiscard]] BLOOMERY_OWN_COPY insertion try_insert(const Key& key) {
        insertion done = as_insertion(inner_.try_insert(key));
        if (done.state != status::full && list_.entry_count() != 0) {
            done.fresh = withdraw(key) || done.fresh;
        }
        return done;
    }
    /// False: the key is definitely not in the filter. True: it is, or this is a false positive
    /// that was not reported.
    template <key Key>
    [[nodiscard]] BLOOMERY_OWN_COPY bool may_contain(const Key& key) const {
        return inner_.may_contain(key) && !is_excepted(key);
    }
    /// As F; a listed key counts as absent and stays on the list.
    template <key Key>
        requires requires(F& filter, const Key& key) { filter.erase(key); }
    BLOOMERY_OWN_COPY status erase(const Key& key) {
        return is_excepted(key) ? status::not_present : inner_.erase(key);
    }
    template <key Key>
        requires requires(const F& filter, const Key& key) { filter.count(key); }
    [[nodiscard]] BLOOMERY_OWN_COPY std::uint64_t count(const Key& key) const {
        return is_excepted(key) ? 0 : inner_.count(key);
    }

    /// Whether F supports erase and count. O(1).
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

    /// Whether F has keys without a position; and throws no_place for one of them. As in
    /// any_filter.
    [[nodiscard]] bool may_lack_places() const noexcept {
        if constexpr (requires { inner_.may_lack_places(); }) {
            return inner_.may_lack_places();
        } else {
            return false;
        }
    }
    template <key Key>
        requires requires(const F& filter, const Key& key) { filter.require_place(key); }
    BLOOMERY_OWN_COPY void require_place(const Key& key) const {
        inner_.require_place(key);
    }

    /// Lists a key that the caller knows to be absent. Returns `not_present` and changes nothing if
    /// F denies it anyway; `full` if the list has no room. Never report a key that is in the
    /// filter: it would be denied.
    template <key Key>
    BLOOMERY_OWN_COPY status report_false_positive(const Key& key) {
        if (!inner_.may_contain(key)) {
            return status::not_present;
        }
        return with_listed(key, [this](listed_key one) { return list_.add(one); });
    }
    /// Takes a key off the list. Returns whether it was listed. F then answers for it again.
    template <key Key>
    BLOOMERY_OWN_COPY bool withdraw(const Key& key) {
        return with_listed(key, [this](listed_key one) { return list_.erase(one); });
    }
    /// Whether a key is listed.
    template <key Key>
    [[nodiscard]] BLOOMERY_OWN_COPY bool is_excepted(const Key& key) const {
        return list_.entry_count() != 0 &&
               with_listed(key, [this](listed_key one) { return list_.contains(one); });
    }

    // Bulk calls, as in F; one by one if listed keys may have to leave the list.

    /// Adds all keys. Throws as F does, including filter_full if there is no room; earlier keys are
    /// then in the filter.
    template <std::ranges::input_range Keys>
        requires key<std::ranges::range_value_t<Keys>>
    BLOOMERY_OWN_COPY void insert_many(Keys&& keys) {
        if (list_.entry_count() == 0) {
            inner_.insert_many(keys);
            return;
        }
        for (const std::ranges::range_value_t<Keys>& key : keys) {
            insert(key);
        }
    }
    /// As above; bit i of `fresh` becomes whether key i was definitely new.
    template <std::ranges::sized_range Keys>
        requires key<std::ranges::range_value_t<Keys>>
    BLOOMERY_OWN_COPY void try_insert_many(Keys&& keys, bitmap& fresh) {
        if (list_.entry_count() == 0) {
            inner_.try_insert_many(keys, fresh);
            return;
        }
        derived::answer(keys, fresh,
                        [this](const auto& key) { return detail::require_room(try_insert(key)); });
    }
    /// Queries all keys; bit i of `maybe` becomes the answer for key i.
    template <std::ranges::forward_range Keys>
        requires std::ranges::sized_range<Keys> && key<std::ranges::range_value_t<Keys>>
    BLOOMERY_OWN_COPY void may_contain_many(Keys&& keys, bitmap& maybe) const {
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
    /// Erases all keys that are in the filter; bit i of `erased` becomes whether key i was.
    template <std::ranges::sized_range Keys>
        requires key<std::ranges::range_value_t<Keys>> &&
                 requires(F& filter, Keys& keys, bitmap& erased) {
                     filter.erase_many(keys, erased);
                 }
    BLOOMERY_OWN_COPY void erase_many(Keys&& keys, bitmap& erased) {
        if (list_.entry_count() == 0) {
            inner_.erase_many(keys, erased);
            return;
        }
        derived::answer(keys, erased,
                        [this](const auto& key) { return erase(key) != status::not_present; });
    }

    /// Whether the two can be combined: compatible F, and fingerprints made with the same key. If
    /// not, the result gives the reason.
    [[nodiscard]] compatibility compatible_with(const excepted& other) const
        requires requires(const F& filter) { filter.compatible_with(filter); }
    {
        compatibility verdict = inner_.compatible_with(other.inner_);
        if (verdict && !list_.comparable_with(other.list_)) {
            verdict.reason = "their lists store keys in different forms, or under different "
                             "secrets";
        }
        return verdict;
    }
    /// Becomes the union. A key stays listed if each filter lists it or denies it anyway;
    /// fingerprints, which cannot be queried, stay if both list them. Throws incompatible.
    BLOOMERY_OWN_COPY void merge(const excepted& other)
        requires requires(F& filter) { filter.merge(filter); }
    {
        detail::require_compatible(compatible_with(other), "merged");
        exception_list list = list_.in_union_with(
            other.list_, [this](listed_key one) { return claims(inner_, one); },
            [&other](listed_key one) { return claims(other.inner_, one); });
        inner_.merge(other.inner_);
        list_ = std::move(list);
    }
    /// Becomes the intersection; what either lists is absent. Throws incompatible.
    BLOOMERY_OWN_COPY void intersect(const excepted& other)
        requires requires(F& filter) { filter.intersect(filter); }
    {
        detail::require_compatible(compatible_with(other), "intersected");
        exception_list list = list_.in_intersection_with(other.list_);
        inner_.intersect(other.inner_);
        list_ = std::move(list);
    }
    /// Removes all keys and all exceptions.
    void clear() {
        inner_.clear();
        list_.clear();
    }

    /// Equal filters, and the same exceptions in the order in which they came. O(w + list).
    friend bool operator==(const excepted& a, const excepted& b)
        requires std::equality_comparable<F>
    {
        return a.inner_ == b.inner_ && a.list_.comparable_with(b.list_) &&
               a.list_.saved({}) == b.list_.saved({});
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
    /// The secret of F, if its hash is keyed. Do not disclose it.
    [[nodiscard]] std::optional<hash::sip_key> secret() const { return secret_of(inner_); }
    /// The statistics of F; the rate applies to keys that were not reported.
    [[nodiscard]] statistics stats() const { return inner_.stats(); }
    [[nodiscard]] double rate_at(items n) const { return inner_.rate_at(n); }
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

    /// The list, then the saved words of F. split_excepted separates them. O(list).
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
    /// Combines a restored filter with the words of its list. Throws bad_data for a list that no
    /// filter saved or that belongs to another kind, bad_argument for fingerprints without their
    /// secret.
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
            throw bad_argument("the filter already has a list of exceptions; use that one");
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

    template <class Key, class With>
    BLOOMERY_OWN_COPY static auto with_listed(const Key& key, With with) {
        return detail::with_raw(key, [&](auto raw) {
            if constexpr (std::same_as<decltype(raw), std::uint64_t>) {
                std::array<std::byte, 8> number;
                hash::store_le64(number.data(), raw);
                return with(listed_key{number, true});
            } else {
                return with(listed_key{raw, false});
            }
        });
    }
    static bool claims(const F& asked, listed_key one) {
        return one.is_number ? asked.may_contain(hash::load_le64(one.bytes.data()))
                             : asked.may_contain(one.bytes);
    }

    F inner_;
    exception_list list_;
};

class any_filter;

/// What a file with a list of exceptions holds, whatever the filter inside. To use it, include
/// filter/any_filter.hpp too.
using any_excepted = excepted<any_filter>;
template <>
inline constexpr bool detail::is_compiled<any_excepted> = true;

/// The filter with a list of exceptions, which is empty unless it had one. O(1).
[[nodiscard]] BLOOMERY_EXPORT any_filter with_exceptions(any_filter of,
                                                         const exception_options& options = {});

/// The filter that a list of exceptions belongs to, or the filter itself if it has none. O(1).
[[nodiscard]] BLOOMERY_EXPORT const any_filter& without_exceptions(const any_filter& of) noexcept;

} // namespace bloomery::inline v0
