// The way to the cache: open, or closed for a while after the cache has failed.
#pragma once

#include <bloomery/guard/options.hpp>
#include <bloomery/guard/stores.hpp>

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

namespace bloomery::detail {

/// A cache that never throws: what it cannot tell is unknown. Old values that could not be removed
/// are debts, which are paid before the cache is asked again. Any number of threads.
class cache_gate {
public:
    cache_gate(std::unique_ptr<cache_handle> cache, const guard_options& options, tallies& counts)
        : cache_(std::move(cache)), pause_(options.cache_pause), most_debts_(options.most_debts),
          counts_(counts) {}

    [[nodiscard]] store::cached get(std::string_view key);
    [[nodiscard]] std::vector<store::cached> get_many(store::keys all);
    void put(std::span<const store::entry> entries);
    void erase(std::string_view key);
    /// Pays what is owed, if it can.
    void settle() { static_cast<void>(is_open()); }

private:
    using clock = std::chrono::steady_clock;

    /// Whether the cache may be asked. Pays what is owed first.
    [[nodiscard]] bool is_open();
    [[nodiscard]] bool pay();
    void owe(std::string_view key);
    void close_for(clock::duration time);
    /// False if the call failed, and the gate is closed.
    template <class Call>
    bool tried(Call call);

    std::unique_ptr<cache_handle> cache_;
    clock::duration pause_;
    std::size_t most_debts_;
    tallies& counts_;
    std::atomic<clock::rep> closed_until_ = clock::time_point::min().time_since_epoch().count();
    std::atomic<bool> owes_ = false;
    std::mutex mutex_;
    std::unordered_set<std::string> debts_;
    std::mutex paying_; ///< one thread pays, the others go round the cache meanwhile
};

} // namespace bloomery::detail
