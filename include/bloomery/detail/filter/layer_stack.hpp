// The layers of a filter that grows: the newest takes keys, and all are queried.
//
// Many keys go through the layers in runs: the newest is queried first, and the older ones only for
// the keys that it denied.
#pragma once

#include <bloomery/detail/filter/bulk.hpp>
#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/detail/layout/status.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/storage/words.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector> // std::min too

namespace bloomery::inline v0::detail {

/// One bit per key of a run.
using run_bits = std::array<std::uint64_t, longest_run / 64>;

[[nodiscard]] BLOOMERY_OWN_COPY inline bool bit_of(const std::uint64_t* bits,
                                                   std::size_t i) noexcept {
    return (bits[i / 64] >> (i % 64) & 1U) != 0;
}

/// The capacity of the layer on top of one; nothing if it is too large to count.
[[nodiscard]] constexpr std::optional<std::uint64_t> grown(std::uint64_t capacity,
                                                           std::uint64_t growth) noexcept {
    return growth != 0 && capacity > UINT64_MAX / growth ? std::nullopt
                                                         : std::optional(capacity * growth);
}

/// The keys of a run, of `longest_run` at most, that no layer has claimed so far, in order.
template <class Key>
class BLOOMERY_OWN_COPY unclaimed_keys {
public:
    explicit unclaimed_keys(std::span<const Key> run) noexcept
        : run_(run), left_(run.data()), count_(run.size()) {
        for (std::size_t i = 0; i < count_; ++i) {
            places_[i] = static_cast<std::uint16_t>(i);
        }
    }
    unclaimed_keys(const unclaimed_keys&) = delete;
    unclaimed_keys& operator=(const unclaimed_keys&) = delete;

    [[nodiscard]] std::size_t count() const noexcept { return count_; }
    /// The index of key i of them in the run.
    [[nodiscard]] std::size_t place(std::size_t i) const noexcept { return places_[i]; }

    /// The keys themselves. Valid until some are removed.
    [[nodiscard]] std::span<const Key> keys() const noexcept { return {left_, count_}; }

    /// Removes the keys whose bit is set. Copies nothing if there is none: of many small layers,
    /// most claim no key of a run.
    void drop(const std::uint64_t* claimed) noexcept {
        std::uint64_t any = 0;
        for (std::size_t i = 0; i < count_; i += 64) {
            any |= claimed[i / 64];
        }
        if (any != 0) {
            keep([claimed](std::size_t i) { return !bit_of(claimed, i); });
        }
    }
    /// Removes the first ones.
    void drop_first(std::size_t n) noexcept {
        keep([n](std::size_t i) { return i >= n; });
    }

    /// Bit i of `claimed` becomes whether key i of the run is no longer among them.
    void tell_claimed(std::uint64_t* claimed) const noexcept {
        for (std::size_t i = 0; i < run_.size(); i += 64) {
            const std::size_t left = run_.size() - i;
            claimed[i / 64] = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
        }
        for (std::size_t i = 0; i < count_; ++i) {
            claimed[places_[i] / 64] &= ~(std::uint64_t{1} << (places_[i] % 64));
        }
    }

private:
    template <class Which>
    void keep(Which which) noexcept {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            places_[kept] = places_[i];
            kept_[kept] = left_[i];
            kept += which(i) ? 1U : 0U;
        }
        left_ = kept_.data();
        count_ = kept;
    }

    std::span<const Key> run_;
    const Key* left_; ///< those of the run, or of `kept_`
    std::size_t count_;
    std::array<std::uint16_t, longest_run> places_;
    std::array<Key, longest_run> kept_;
};

/// The layers, the oldest first. A `Layer` has
///     may_contain(digest)                  whether all bits are set
///     insert(digest)                       whether any bit was clear
///     ask(run, maybe), insert(run, fresh)  the same for a run, with a bit for each key
///     room()                               how many keys it is sure to take; 0: it is full
///     take(n)                              notes n keys that were added
/// and may have `mixes_digests`, true if each layer takes a digest of its own for a key
/// (hash::digest_for_part). All calls take O(l k) per key and allocate nothing.
template <class Layer, class Allocator = std::allocator<Layer>>
class BLOOMERY_OWN_COPY layer_stack : std::vector<Layer, Allocator> {
public:
    using list = std::vector<Layer, Allocator>;
    using run = std::span<const digest128>;

    layer_stack() = default;
    explicit layer_stack(list layers) noexcept : list(std::move(layers)) {}

    using list::back;
    using list::begin;
    using list::emplace_back;
    using list::empty;
    using list::end;
    using list::front;
    using list::push_back;
    using list::size;
    using list::operator[];
    [[nodiscard]] list& all() noexcept { return *this; }
    [[nodiscard]] const list& all() const noexcept { return *this; }

    /// Queries all layers, the newest, which has most of the keys, first.
    [[nodiscard]] bool may_contain(digest128 key) const noexcept {
        return first_may_contain(key, size());
    }
    /// Queries a run of `longest_run` keys at most; bit i of `maybe` becomes the answer for key i.
    void ask(run keys, std::uint64_t* maybe) const noexcept {
        if (size() == 1) { // whose digests are those of the keys
            return front().ask(keys, maybe);
        }
        unclaimed_keys<digest128> left(keys);
        keep_denied(left, size());
        left.tell_claimed(maybe);
    }

    /// Adds a key that no layer claims. If the newest layer is full, `grow()` adds another and
    /// returns true; if it returns false, the filter is full. Throws what `grow` throws, and
    /// bad_argument if there is no layer.
    template <class Grow>
    insertion insert(digest128 key, Grow grow) {
        require_layers();
        const std::size_t older = size() - 1;
        if (first_may_contain(key, older)) {
            return {};
        }
        if (back().room() == 0) {
            if (back().may_contain(digest_for(key, older))) {
                return {};
            }
            if (!grow()) {
                return {true, status::full};
            }
        }
        if (!back().insert(digest_for(key, size() - 1))) {
            return {};
        }
        back().take(1);
        return {true, status::ok};
    }

    /// The same for a run of `longest_run` keys at most, in order, up to the first without room.
    /// Returns the number of keys done; bit i of `fresh` becomes whether key i was new.
    template <class Grow>
    std::size_t insert(run keys, std::uint64_t* fresh, Grow grow) {
        return insert(keys, fresh, grow, [](std::size_t) { return false; });
    }
    /// The same, but calls `refused(i)` for a key without room. If that returns true, it goes on
    /// with the next one, without another try to grow.
    ///
    /// Each layer is queried once for a key: a full one no longer changes.
    template <class Grow, class Refused>
    std::size_t insert(run keys, std::uint64_t* fresh, Grow grow, Refused refused) {
        require_layers();
        for (std::size_t i = 0; i < keys.size(); i += 64) {
            fresh[i / 64] = 0;
        }
        unclaimed_keys<digest128> left(keys);
        keep_denied(left, size() - 1);
        while (left.count() != 0) {
            if (back().room() != 0) {
                insert_into_newest(left, fresh);
                continue;
            }
            keep_denied_by(left, size() - 1);
            if (left.count() != 0 && !grow()) {
                for (std::size_t i = 0; i < left.count(); ++i) {
                    if (!refused(left.place(i))) {
                        return left.place(i);
                    }
                }
                break;
            }
        }
        return keys.size();
    }

    /// The sum of `of(layer)` over all layers. O(l).
    template <class Of>
    [[nodiscard]] std::uint64_t sum(Of of) const noexcept {
        std::uint64_t all = 0;
        for (const Layer& layer : *this) {
            all += of(layer);
        }
        return all;
    }

    void require_layers() const {
        if (empty()) [[unlikely]] {
            storage::detail::refuse_moved_from();
        }
    }

    /// The digest that layer number `at` uses for a key.
    [[nodiscard]] BLOOMERY_INLINE static digest128
    digest_for(digest128 key, [[maybe_unused]] std::size_t at) noexcept {
        if constexpr (mixes) {
            return hash::digest_for_part(key, at);
        } else {
            return key;
        }
    }

private:
    static constexpr bool mixes = requires { requires Layer::mixes_digests; };

    [[nodiscard]] bool first_may_contain(digest128 key, std::size_t count) const noexcept {
        while (count-- > 0) {
            if ((*this)[count].may_contain(digest_for(key, count))) {
                return true;
            }
        }
        return false;
    }

    using digests = std::array<digest128, longest_run>;

    /// The digests that layer number `at` uses for keys; those that differ are written to `into`.
    [[nodiscard]] static run digests_for(run keys, std::size_t at, digests& into) noexcept {
        if (!mixes || at == 0) {
            return keys;
        }
        for (std::size_t i = 0; i < keys.size(); ++i) {
            into[i] = digest_for(keys[i], at);
        }
        return {into.data(), keys.size()};
    }

    /// Queries the `count` oldest layers, the newest of them first.
    void keep_denied(unclaimed_keys<digest128>& left, std::size_t count) const noexcept {
        while (count-- > 0 && left.count() != 0) {
            keep_denied_by(left, count);
        }
    }
    void keep_denied_by(unclaimed_keys<digest128>& left, std::size_t at) const noexcept {
        digests mixed; // NOLINT: not zeroed
        run_bits claimed;
        (*this)[at].ask(digests_for(left.keys(), at, mixed), claimed.data());
        left.drop(claimed.data());
    }

    /// Inserts as many as there is room for even if all are new; no older layer claims them.
    void insert_into_newest(unclaimed_keys<digest128>& left, std::uint64_t* fresh) noexcept {
        const std::size_t count = std::min<std::uint64_t>(left.count(), back().room());
        digests mixed; // NOLINT: not zeroed
        run_bits added;
        back().insert(digests_for(left.keys().first(count), size() - 1, mixed), added.data());
        std::uint64_t taken = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t at = left.place(i);
            const std::uint64_t is_fresh = bit_of(added.data(), i) ? 1 : 0;
            fresh[at / 64] |= is_fresh << (at % 64);
            taken += is_fresh;
        }
        back().take(taken);
        left.drop_first(count);
    }
};

} // namespace bloomery::inline v0::detail
