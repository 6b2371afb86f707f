// The positions of a key in an array of anything: counters, not only bits.
#pragma once

#include <bloomery/detail/layout/scheme.hpp>
#include <bloomery/detail/plan/layout_kind.hpp>
#include <bloomery/detail/zero_when_moved.hpp>
#include <bloomery/error.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/plan/shape.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace bloomery::inline v0::layout {

/// The positions of one key, in the order of its probes; a position that two probes share appears
/// twice.
class key_places {
public:
    /// Adds a position, up to 64 of them. O(1).
    void add(std::uint64_t place) noexcept { places_[size_++] = place; }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::uint64_t operator[](std::size_t at) const noexcept { return places_[at]; }
    [[nodiscard]] std::span<const std::uint64_t> all() const noexcept {
        return {places_.data(), size_};
    }

private:
    // Not zeroed: each key costs only as many as it has.
    std::array<std::uint64_t, plan::max_hash_count> places_; // NOLINT
    std::uint32_t size_ = 0;
};

/// k probes per key anywhere among m positions. A value that owns nothing; a moved-from one has no
/// positions, like the counters that it belongs to.
class place_rule {
public:
    /// The first `skipped` steps of a key's walk are left to another array, so that the two are
    /// independent. Throws bad_argument for zero positions, or probes outside 1..64.
    place_rule(std::uint64_t places, hashes k, std::uint32_t skipped = 0)
        : place_count_(places), hash_count_(k.value), skipped_(skipped) {
        if (places == 0 || places > plan::max_bit_count) {
            throw bad_argument("a filter has between 1 and 2^63 counters, not " +
                               std::to_string(places) + "; choose a number in that range");
        }
        if (k.value == 0 || k.value > plan::max_hash_count) {
            throw bad_argument("a filter makes between 1 and 64 probes per key, not " +
                               std::to_string(k.value) + "; choose k in that range");
        }
    }

    /// Calls `visit` with each position until it returns false; returns true if it never did. O(k).
    template <class Visit>
    BLOOMERY_INLINE bool each(digest128 key, Visit visit) const {
        auto walk = native_scheme::walk(key);
        for (std::uint32_t i = 0; i < skipped_; ++i) {
            walk.next();
        }
        for (std::uint32_t i = 0; i < hash_count_; ++i) {
            if (!visit(native_scheme::reduce(walk.next(), place_count_))) {
                return false;
            }
        }
        return true;
    }

    /// All positions of a key. O(k).
    [[nodiscard]] key_places of(digest128 key) const noexcept {
        key_places found;
        each(key, [&](std::uint64_t place) {
            found.add(place);
            return true;
        });
        return found;
    }

    [[nodiscard]] std::uint64_t place_count() const noexcept { return place_count_; }
    [[nodiscard]] std::uint32_t hash_count() const noexcept { return hash_count_; }
    [[nodiscard]] plan::shape shape() const noexcept {
        return {layout_kind::classic, place_count_, hash_count_};
    }

    friend bool operator==(const place_rule& a, const place_rule& b) noexcept {
        return a.shape() == b.shape() && a.skipped_ == b.skipped_;
    }

private:
    zero_when_moved<std::uint64_t> place_count_;
    std::uint32_t hash_count_;
    std::uint32_t skipped_;
};

} // namespace bloomery::inline v0::layout
