// A source in memory that a test looks into, holds up and lets fail.
#pragma once

#include <bloomery/guard/store.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bloomery::testing {

/// What is done in a source.
enum class source_call { get, get_many, put, erase, scan, count, mark, scan_since };

/// Copies share everything. `before` and `after` run around each call, in the calling thread, and
/// may wait or throw; with `batch`, a scan gives so many keys at a time.
class watched_source {
public:
    static constexpr bool marks_are_exact = true;

    struct state {
        store::memory data{};
        std::function<void(source_call, std::string_view key)> before{};
        std::function<void(source_call, std::string_view key)> after{};
        std::atomic<std::uint64_t> keys_asked{0}; ///< by get and get_many
        std::atomic<std::uint64_t> trips{0};      ///< calls of get and get_many
        std::atomic<std::uint64_t> scans{0};
        std::size_t batch = 16;
    };

    watched_source() : state_(std::make_shared<state>()) {}

    [[nodiscard]] state* operator->() const noexcept { return state_.get(); }

    std::optional<std::string> get(std::string_view key) {
        ++state_->keys_asked;
        ++state_->trips;
        return around(source_call::get, key, [&] { return state_->data.get(key); });
    }
    std::vector<std::optional<std::string>> get_many(store::keys all) {
        state_->keys_asked += all.size();
        ++state_->trips;
        return around(source_call::get_many, {}, [&] { return state_->data.get_many(all); });
    }
    bool put(std::string_view key, std::string_view value) {
        return around(source_call::put, key, [&] { return state_->data.put(key, value); });
    }
    bool erase(std::string_view key) {
        return around(source_call::erase, key, [&] { return state_->data.erase(key); });
    }
    void scan(const store::key_visitor& visit) {
        ++state_->scans;
        around(source_call::scan, {}, [&] {
            state_->data.scan([&](store::keys keys) { in_batches(keys, visit); });
            return 0;
        });
    }
    std::uint64_t count() {
        return around(source_call::count, {}, [&] { return state_->data.count(); });
    }
    [[nodiscard]] std::string name() const { return state_->data.name(); }
    std::string mark() {
        return around(source_call::mark, {}, [&] { return state_->data.mark(); });
    }
    bool scan_since(const std::string& mark, const store::key_visitor& visit) {
        return around(source_call::scan_since, {}, [&] {
            return state_->data.scan_since(mark,
                                           [&](store::keys keys) { in_batches(keys, visit); });
        });
    }

private:
    template <class Call>
    std::invoke_result_t<Call> around(source_call what, std::string_view key, Call call) {
        if (state_->before) {
            state_->before(what, key);
        }
        auto result = call();
        if (state_->after) {
            state_->after(what, key);
        }
        return result;
    }
    void in_batches(store::keys keys, const store::key_visitor& visit) const {
        for (; !keys.empty(); keys = keys.subspan(std::min(keys.size(), state_->batch))) {
            visit(keys.first(std::min(keys.size(), state_->batch)));
        }
    }

    std::shared_ptr<state> state_;
};

static_assert(store::marked_source<watched_source>);

} // namespace bloomery::testing
