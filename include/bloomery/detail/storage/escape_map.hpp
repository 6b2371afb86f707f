// The few counters that are too large for their array: a map from position to value.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/detail/zero_when_moved.hpp>
#include <bloomery/storage/words.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace bloomery::inline v0::storage {

/// A random number, drawn once per process, so that the places in a file cannot be chosen such that
/// all of them collide. O(1), never throws.
[[nodiscard]] BLOOMERY_EXPORT std::uint64_t map_salt() noexcept;

namespace detail {

/// Sorts positions with their values. O(n log n).
BLOOMERY_EXPORT void
sort_by_place(std::vector<std::pair<std::uint64_t, std::uint64_t>>& entries) noexcept;

} // namespace detail

/// Open addressing with linear probing, at most three quarters full: lookups are for places that
/// are in the map, which are found quickly even so. The order of the slots differs from process to
/// process, so only sorted entries leave the map.
template <class Allocator = zeroed_allocator<std::uint64_t>>
class escape_map {
public:
    /// A position and its value.
    using entry = std::pair<std::uint64_t, std::uint64_t>;

    /// Empty; takes no memory.
    explicit escape_map(const Allocator& allocator = {}) : slots_(0, allocator) {}

    /// Makes room, so that `extra` calls of `put` with new positions cannot fail. O(size()) when it
    /// grows, to half full. Throws memory_refused; then nothing has changed.
    void reserve(std::uint64_t extra) {
        if (!has_room_for(size_ + extra)) {
            rebuild(2 * (size_ + extra) + 2);
        }
    }
    /// The same for a map that will not grow soon: to three quarters full.
    void reserve_tightly(std::uint64_t extra) {
        if (!has_room_for(size_ + extra)) {
            rebuild((size_ + extra) / 3 * 4 + 4);
        }
    }

    /// The value of a position in the map; 0 for any other. O(1).
    [[nodiscard]] std::uint64_t find(std::uint64_t place) const noexcept {
        const std::uint64_t slot = slot_of(place);
        return slot == none ? 0 : slots_.data()[2 * slot + 1];
    }

    /// Sets the value of a position that is in the map, or for which room was reserved. O(1).
    void put(std::uint64_t place, std::uint64_t value) noexcept {
        std::uint64_t slot = home(place);
        while (key_at(slot) != 0 && key_at(slot) != place + 1) {
            slot = next(slot);
        }
        size_ += key_at(slot) == 0 ? 1U : 0U;
        slots_.data()[2 * slot] = place + 1;
        slots_.data()[2 * slot + 1] = value;
    }

    /// Removes a position, if it is in the map. O(1). Entries after it move up, so no tombstone
    /// stays.
    void erase(std::uint64_t place) noexcept {
        std::uint64_t hole = slot_of(place);
        if (hole == none) {
            return;
        }
        for (std::uint64_t at = next(hole); key_at(at) != 0; at = next(at)) {
            if (distance(home(key_at(at) - 1), at) >= distance(hole, at)) {
                std::copy(slots_.data() + 2 * at, slots_.data() + 2 * at + 2,
                          slots_.data() + 2 * hole);
                hole = at;
            }
        }
        std::fill_n(slots_.data() + 2 * hole, 2, std::uint64_t{0});
        --size_;
    }

    /// All entries, sorted by position. O(n log n); throws std::bad_alloc.
    [[nodiscard]] std::vector<entry> sorted() const {
        std::vector<entry> all;
        all.reserve(static_cast<std::size_t>(size_));
        for (std::uint64_t slot = 0; slot < slot_count(); ++slot) {
            if (key_at(slot) != 0) {
                all.emplace_back(key_at(slot) - 1, slots_.data()[2 * slot + 1]);
            }
        }
        detail::sort_by_place(all);
        return all;
    }

    /// Removes all entries and frees the memory. O(1). Throws memory_refused for an allocator that
    /// refuses nothing at all.
    void clear() {
        slots_ = heap_words<Allocator>(0, slots_.get_allocator());
        size_ = 0;
    }

    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
    [[nodiscard]] std::uint64_t byte_count() const noexcept { return 8 * slots_.word_count(); }

private:
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    [[nodiscard]] std::uint64_t slot_count() const noexcept { return slots_.word_count() / 2; }
    [[nodiscard]] bool has_room_for(std::uint64_t entries) const noexcept {
        return entries <= slot_count() / 4 * 3;
    }
    /// 0 for an empty slot, otherwise the position plus 1.
    [[nodiscard]] std::uint64_t key_at(std::uint64_t slot) const noexcept {
        return slots_.data()[2 * slot];
    }
    [[nodiscard]] std::uint64_t next(std::uint64_t slot) const noexcept {
        return slot + 1 == slot_count() ? 0 : slot + 1;
    }
    [[nodiscard]] std::uint64_t home(std::uint64_t place) const noexcept {
        return hash::fastrange(hash::fmix64(place ^ salt_), slot_count());
    }
    /// The number of steps from one slot to another.
    [[nodiscard]] std::uint64_t distance(std::uint64_t from, std::uint64_t to) const noexcept {
        return to >= from ? to - from : to + slot_count() - from;
    }
    [[nodiscard]] std::uint64_t slot_of(std::uint64_t place) const noexcept {
        if (size_ == 0) {
            return none;
        }
        std::uint64_t slot = home(place);
        while (key_at(slot) != 0) {
            if (key_at(slot) == place + 1) {
                return slot;
            }
            slot = next(slot);
        }
        return none;
    }
    void rebuild(std::uint64_t slots) {
        escape_map larger(slots_.get_allocator());
        larger.slots_ = heap_words<Allocator>(2 * slots, slots_.get_allocator());
        for (std::uint64_t slot = 0; slot < slot_count(); ++slot) {
            if (key_at(slot) != 0) {
                larger.put(key_at(slot) - 1, slots_.data()[2 * slot + 1]);
            }
        }
        *this = std::move(larger);
    }

    heap_words<Allocator> slots_; // pairs of key and value
    zero_when_moved<std::uint64_t> size_ = 0;
    std::uint64_t salt_ = map_salt();
};

extern template class BLOOMERY_EXPORT escape_map<>;

} // namespace bloomery::inline v0::storage
