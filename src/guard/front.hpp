// The filter of a guard, asked and changed by many threads, and its replacement by another.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/guard/filters.hpp>
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

namespace bloomery::detail {

enum class verdict : std::uint8_t {
    absent, ///< surely
    maybe,
    unfiltered, ///< there is no filter to ask
};

/// One filter, or several layers of which the last takes keys, or none. While another is being
/// made, keys that are put are kept for it too.
class front {
public:
    /// What a write began with: which filter was there, and which writes it belongs to.
    struct ticket {
        std::uint64_t generation;
        std::uint64_t epoch;
        bool fresh = false; ///< the filter did not claim the key before
    };

    explicit front(bool erases) : erases_(erases) {}

    // Asking. A filter that fails, because its file is damaged, the disk is, or it has no room for
    // another key, is none from then on: see drop_damaged.

    [[nodiscard]] verdict ask(std::string_view key) const;
    /// False, and no answers, if there is no filter.
    [[nodiscard]] bool ask_many(store::keys keys, bitmap& maybe) const;

    // Writing. Each begin_put is followed by one end_put, and that by nothing.

    /// Inserts the key.
    [[nodiscard]] ticket begin_put(std::string_view key);
    /// The source has it (`created`: it had not before), refused it, or nobody knows.
    void end_put(const ticket& from, bool created) noexcept;
    /// Takes one insertion back, of a filter that counts them: the key was in the source already.
    void take_back(const ticket& from, std::string_view key);
    [[nodiscard]] ticket begin_erase() const;
    /// After the source has lost the key: takes it out, if the filter can and is still the one that
    /// had it. False: it stays in.
    bool end_erase(const ticket& from, std::string_view key);
    /// Inserts keys that the source has.
    void take_in(store::keys keys);

    // The next filter. One thread at a time.

    /// From now on puts are kept for the next filter; returns when those begun before have ended.
    void begin_next();
    /// The keys kept so far.
    [[nodiscard]] std::vector<std::string> kept();
    /// Nobody writes while the keys kept last go into `next`, `before` runs and `next` takes the
    /// place of all layers. Throws what `before` and `next` throw: nothing has changed.
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
    /// Lets go of a filter that was found damaged, if it is still there; `before` runs first, and
    /// nobody writes meanwhile.
    void drop_damaged(const std::function<void()>& before);
    [[nodiscard]] bool is_empty() const;

    /// Puts wait, gets do not.
    void sync();
    [[nodiscard]] std::vector<any_filter> copies() const;

    /// What is known without looking at the bits.
    struct facts {
        std::uint64_t layers = 0;
        std::uint64_t item_capacity = 0;
        std::uint64_t items = 0;        ///< in all layers
        std::uint64_t newest_items = 0; ///< in the last
        std::uint64_t newest_capacity = 0;
        std::uint64_t byte_count = 0;
        std::uint64_t leftovers = 0; ///< keys that were erased and stay in
        double rate = 0;             ///< to expect with so many keys
    };
    /// A few milliseconds at times.
    [[nodiscard]] facts look() const;
    /// The rate alone; nothing if somebody writes just now.
    [[nodiscard]] std::optional<double> rate_if_idle() const;
    /// The newest layer's bits counted, and how many keys are known to have set them. O(w).
    [[nodiscard]] std::pair<statistics, std::uint64_t> count_bits() const;

private:
    static constexpr std::uint64_t undamaged = ~std::uint64_t{0};

    /// Whether it was surely new.
    bool insert(std::string_view key);
    [[nodiscard]] bool claims(std::string_view key) const;
    [[nodiscard]] facts look_now() const;
    /// Runs what looks at the filter; false if that found damage, which is noted.
    template <class Look>
    bool unharmed(Look look) const;

    const bool erases_;

    mutable read_mostly_lock lock_; ///< what may be asked
    // Everything below changes under this one, and what readers see under the lock above too. A
    // sync holds only this one.
    mutable std::mutex writing_;
    std::vector<any_filter> layers_;
    std::vector<std::uint64_t> items_; ///< of each layer
    std::uint64_t leftovers_ = 0;
    std::uint64_t generation_ = 0;
    bool keeping_ = false;
    std::vector<std::string> kept_;

    std::uint64_t epoch_ = 0;
    std::array<std::uint64_t, 2> in_flight_{}; ///< puts of the epochs, even and odd
    std::condition_variable settled_;

    mutable std::atomic<std::uint64_t> damaged_ = undamaged; ///< the generation that is

    // The rate is dear to compute; it is kept until the number of keys has changed.
    mutable std::pair<std::uint64_t, std::vector<std::uint64_t>> rate_of_{undamaged, {}};
    mutable double rate_now_ = 0;
};

} // namespace bloomery::detail
