// The filter of a guard, queried and changed by many threads, and its replacement by another.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/guard/store.hpp>
#include <bloomery/storage/bitmap.hpp>

#include "read_mostly_lock.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bloomery::inline v0::detail {

enum class verdict : std::uint8_t {
    absent, ///< definitely
    maybe,
    unfiltered, ///< there is no filter
};

/// One filter, or several layers of which the last accepts keys, or none. While a new one is being
/// built, keys that are put are also kept for it.
///
/// Not a layer_stack: the layers are any_filters whose hashes may differ, so each needs the key
/// itself, not one digest; a query may throw, because a file may be damaged; and the newest is
/// queried and changed through a view that threads share. Only the runs of keys are the same
/// (unclaimed_keys).
class front {
public:
    /// What a write started with: which filter was in use, and to which epoch of writes it belongs.
    struct ticket {
        std::uint64_t generation;
        std::uint64_t epoch;
        bool fresh = false; ///< the filter did not claim the key before
    };

    explicit front(bool erases) : erases_(erases) {}

    // Queries. A filter that fails, because its file or the disk is damaged or it has no room for
    // another key, is no longer used: see drop_damaged.

    [[nodiscard]] verdict ask(std::string_view key) const;
    /// False, and no answers, if there is no filter.
    [[nodiscard]] bool ask_many(store::keys keys, bitmap& maybe) const;

    // Writes. Each begin_put is followed by exactly one end_put.

    /// Inserts the key.
    [[nodiscard]] ticket begin_put(std::string_view key);
    /// The source has the key (`created`: it is new), refused it, or the outcome is unknown.
    void end_put(const ticket& from, bool created) noexcept;
    /// Undoes one insertion in a counting filter: the key was already in the source.
    void take_back(const ticket& from, std::string_view key);
    [[nodiscard]] ticket begin_erase() const;
    /// After the key was removed from the source: removes it, if the filter supports that and is
    /// still the one that had it. False: it stays in.
    bool end_erase(const ticket& from, std::string_view key);
    /// Inserts keys that the source has.
    void take_in(store::keys keys);

    // The next filter. One thread at a time.

    /// From now on, puts are kept for the next filter; returns when those that began earlier have
    /// ended.
    void begin_next();
    /// The keys kept so far.
    [[nodiscard]] std::vector<std::string> kept();
    /// Pauses writes while the last kept keys are added to `next`, `before` runs and `next`
    /// replaces all layers. Throws what `before` and `next` throw; nothing has changed then.
    void replace(any_filter next, std::uint64_t key_count, const std::function<void()>& before);
    /// There will be no next filter.
    void give_up_next() noexcept;

    // The layers.

    /// The first filter, or all layers of a file.
    void install(std::vector<any_filter> layers);
    void add_layer(any_filter layer);
    [[nodiscard]] bool has_damage() const noexcept {
        return damaged_.load(std::memory_order_relaxed) != undamaged;
    }
    /// Discards a filter that was found damaged, if it is still in use; `before` runs first, and
    /// writes are paused meanwhile.
    void drop_damaged(const std::function<void()>& before);
    [[nodiscard]] bool is_empty() const;

    /// Puts wait, gets do not.
    void sync();
    [[nodiscard]] std::vector<any_filter> copies() const;

    /// What is known without reading the bits.
    struct facts {
        std::uint64_t layers = 0;
        std::uint64_t item_capacity = 0;
        std::uint64_t items = 0;        ///< in all layers
        std::uint64_t newest_items = 0; ///< in the last
        std::uint64_t newest_capacity = 0;
        std::uint64_t byte_count = 0;
        std::uint64_t leftovers = 0; ///< erased keys that are still in the filter
        double rate = 0;             ///< expected with that many keys
    };
    /// Sometimes takes a few milliseconds.
    [[nodiscard]] facts look() const;
    /// Only the rate; nothing if a write is in progress.
    [[nodiscard]] std::optional<double> rate_if_idle() const;
    /// The number of ones in the newest layer, and how many keys are known to have set them. O(w).
    [[nodiscard]] std::pair<statistics, std::uint64_t> count_bits() const;

private:
    static constexpr std::uint64_t undamaged = ~std::uint64_t{0};

    /// Whether it was definitely new.
    bool insert(std::string_view key);
    /// The same for many keys: how many were.
    std::uint64_t insert_many(store::keys keys);
    [[nodiscard]] bool claims(std::string_view key) const;
    /// Whether a layer below the newest claims the key; and which of many keys.
    [[nodiscard]] bool older_claim(std::string_view key) const;
    void add_older_claims(store::keys keys, bitmap& maybe) const;
    /// Runs what changes the newest layer: beside readers where it can be shared, else alone.
    template <class Change>
    void change_newest(Change change);
    /// After the layers have changed.
    void renew_view();
    [[nodiscard]] facts look_now() const;
    /// Runs a query of the filter; false if it found damage, which is recorded.
    template <class Look>
    bool unharmed(Look look) const;

    const bool erases_;

    mutable read_mostly_lock lock_; ///< protects what readers see
    // Protects every change below; what readers see also needs the lock above. A sync holds only
    // this one.
    mutable std::mutex writing_;
    std::vector<any_filter> layers_;
    std::optional<any_shared_view> newest_; ///< the last layer, if several threads may use it
    std::vector<std::uint64_t> items_;      ///< of each layer
    std::uint64_t leftovers_ = 0;
    std::uint64_t generation_ = 0;
    bool keeping_ = false;
    std::vector<std::string> kept_;

    std::uint64_t epoch_ = 0;
    std::array<std::uint64_t, 2> in_flight_{}; ///< puts of the epochs, even and odd
    std::condition_variable settled_;

    mutable std::atomic<std::uint64_t> damaged_ = undamaged; ///< the generation that is

    // The rate is expensive to compute; it is cached until the number of keys has changed.
    mutable std::pair<std::uint64_t, std::vector<std::uint64_t>> rate_of_{undamaged, {}};
    mutable double rate_now_ = 0;
};

} // namespace bloomery::inline v0::detail
