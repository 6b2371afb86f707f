// Access to the cache, which is bypassed for a while after a failure.
#pragma once

#include <bloomery/detail/guard/stores.hpp>
#include <bloomery/guard/options.hpp>

#include "tallies.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace bloomery::inline v0::detail {

/// A cache that never throws: on failure, the answer is "unknown". Old values that could not be
/// removed are pending removals, done before the cache is used again. Thread-safe.
class cache_gate {
public:
    cache_gate(std::unique_ptr<cache_handle> cache, const guard_options& options, tallies& counts)
        : cache_(std::move(cache)), pause_(options.cache_pause),
          most_pending_erases_(options.most_pending_erases), counts_(counts) {}

    [[nodiscard]] store::cached get(std::string_view key);
    [[nodiscard]] std::vector<store::cached> get_many(store::keys all);
    void put(std::span<const store::entry> entries);
    void erase(std::string_view key);
    /// Does the pending removals, if possible.
    void settle() { static_cast<void>(is_open()); }

private:
    using clock = std::chrono::steady_clock;

    /// Whether the cache may be used. Does the pending removals first.
    [[nodiscard]] bool is_open();
    [[nodiscard]] bool erase_pending();
    void note_pending(std::string_view key);
    void close_for(clock::duration time);
    /// False if the call failed, and the gate is closed.
    template <class Call>
    bool tried(Call call);

    std::unique_ptr<cache_handle> cache_;
    clock::duration pause_;
    std::size_t most_pending_erases_;
    tallies& counts_;
    std::atomic<clock::rep> closed_until_ = clock::time_point::min().time_since_epoch().count();
    std::atomic<bool> has_pending_ = false;
    std::mutex mutex_;
    std::unordered_set<std::string> pending_erases_;
    std::mutex erasing_pending_; ///< one thread does the removals; the others bypass the cache
};

} // namespace bloomery::inline v0::detail
