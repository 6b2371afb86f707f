// A cache in memory that a test can inspect, delay and make fail.
#pragma once

#include <bloomery/guard/store.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace bloomery::testing {

/// What is done in a cache.
enum class cache_call { get, get_many, put, erase };

/// Copies share everything. `before` runs before each call, in the calling thread, and may wait or
/// throw; set it before threads use the cache.
class watched_cache {
public:
    struct state {
        explicit state(store::memory_cache of) : data(std::move(of)) {}
        store::memory_cache data;
        std::function<void(cache_call)> before{};
        std::atomic<bool> down = false;       ///< every call throws store::unavailable
        std::atomic<std::uint64_t> asked{0};  ///< keys, by get and get_many
        std::atomic<std::uint64_t> trips{0};  ///< calls of get and get_many
        std::atomic<std::uint64_t> fills{0};  ///< calls of put
        std::atomic<std::uint64_t> erased{0}; ///< keys
        std::atomic<std::uint64_t> calls{0};  ///< of any kind, also such as failed
    };

    explicit watched_cache(std::chrono::milliseconds expiry = {}, bool absences = false)
        : state_(std::make_shared<state>(store::memory_cache(100'000, expiry, absences))) {}

    [[nodiscard]] state* operator->() const noexcept { return state_.get(); }
    /// Whether it has a value of the key.
    [[nodiscard]] bool has(std::string_view key) const {
        return state_->data.get(key).is == store::cached::knowledge::value;
    }
    /// As another process would, or nobody should.
    void remember(std::string_view key, std::string_view value) const {
        const store::entry one{key, value};
        state_->data.put({&one, 1});
    }

    store::cached get(std::string_view key) {
        begin(cache_call::get);
        ++state_->trips;
        ++state_->asked;
        return state_->data.get(key);
    }
    std::vector<store::cached> get_many(store::keys all) {
        begin(cache_call::get_many);
        ++state_->trips;
        state_->asked += all.size();
        return state_->data.get_many(all);
    }
    void put(std::span<const store::entry> entries) {
        begin(cache_call::put);
        ++state_->fills;
        state_->data.put(entries);
    }
    void erase(store::keys all) {
        begin(cache_call::erase);
        state_->erased += all.size();
        state_->data.erase(all);
    }
    [[nodiscard]] std::chrono::milliseconds longest_life() const {
        return state_->data.longest_life();
    }

private:
    void begin(cache_call what) {
        ++state_->calls;
        if (state_->before) {
            state_->before(what);
        }
        if (state_->down) {
            throw store::unavailable("the cache is down; start it");
        }
    }

    std::shared_ptr<state> state_;
};

static_assert(store::cache<watched_cache>);

} // namespace bloomery::testing
