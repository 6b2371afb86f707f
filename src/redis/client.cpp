#include <bloomery/redis/client.hpp>

#include "cluster.hpp"
#include "exchange.hpp"
#include "pool.hpp"

#include <array>
#include <exception>
#include <mutex>
#include <utility>

namespace bloomery::inline v0::redis {

/// The connections and, for a cluster, the slot map.
class client::impl final : public servers {
public:
    explicit impl(options how) : how_(std::move(how)), pool_(how_) {
        if (how_.servers.empty()) throw bad_argument("name at least one server");
        if (how_.most_connections == 0)
            throw bad_argument("a client needs at least one connection");
        how_.cluster ? require_map() : static_cast<void>(pool_.take(how_.servers.front()));
    }

    [[nodiscard]] const options& how() const noexcept override { return how_; }
    [[nodiscard]] pool& connections() noexcept override { return pool_; }

    [[nodiscard]] std::optional<endpoint> server_for(std::optional<std::uint16_t> slot) override {
        if (!how_.cluster) return how_.servers.front();
        const std::lock_guard lock(mutex_);
        if (slot) return map_->master_of(*slot);
        return map_->masters().empty() ? std::nullopt : std::optional(map_->masters().front());
    }

    [[nodiscard]] std::vector<endpoint> masters() const {
        if (!how_.cluster) return how_.servers;
        const std::lock_guard lock(mutex_);
        return map_->masters();
    }

    void move(std::uint16_t slot, const endpoint& to) override {
        const std::lock_guard lock(mutex_);
        map_->move(slot, to);
    }

    /// If many threads find the map wrong, one refreshes it and the others use the result.
    void refresh(clock::time_point deadline) noexcept override {
        if (!how_.cluster) return;
        const clock::time_point called = clock::now();
        const std::lock_guard only(refreshing_);
        if (refreshed_ >= called) return;
        try {
            static_cast<void>(read_map(deadline)); // if it fails, the next attempt may succeed
        } catch (const std::bad_alloc&) {
        }
        refreshed_ = clock::now();
    }

private:
    /// All servers that may have the map: first those in the last map, then those given.
    [[nodiscard]] std::vector<endpoint> known_servers() const {
        std::vector<endpoint> all;
        const std::lock_guard lock(mutex_);
        if (map_) all = map_->servers();
        all.insert(all.end(), how_.servers.begin(), how_.servers.end());
        return all;
    }

    void require_map() {
        const std::exception_ptr failure = read_map(clock::now() + how_.patience);
        if (failure) std::rethrow_exception(failure);
    }

    /// Asks one server after the other for the map, until one has it. If none has, returns why the
    /// first had none.
    std::exception_ptr read_map(clock::time_point deadline) {
        std::exception_ptr failure;
        for (const endpoint& each : known_servers()) {
            try {
                take_map(each, deadline);
                return {};
            } catch (const error&) {
                if (!failure) failure = std::current_exception();
            }
            if (clock::now() >= deadline) break;
        }
        return failure;
    }

    void take_map(const endpoint& from, clock::time_point deadline) {
        const request question = request(2).add("CLUSTER").add("SLOTS");
        const pool::shelf::lease asked = pool_.take(from, deadline);
        asked->begin();
        asked->queue(question.bytes());
        std::array<connection*, 1> one{&*asked};
        round_trip(one, how_.answer_timeout);
        if (!asked->failure().empty()) throw unreachable(asked->failure());
        const reply& told = asked->replies().front();
        if (told.is_error()) {
            throw refused("Redis at " + from.text() + " is not part of a cluster: " + told.text);
        }
        auto map = std::make_unique<slot_map>(told, from);
        // A server that left its cluster, or never had one, knows no master.
        if (map->masters().empty()) {
            throw refused("Redis at " + from.text() + " does not know a server that has slots");
        }
        const std::lock_guard lock(mutex_);
        map_ = std::move(map);
    }

    const options how_;
    pool pool_;
    mutable std::mutex mutex_; ///< of the map
    std::unique_ptr<slot_map> map_;
    std::mutex refreshing_;
    clock::time_point refreshed_{};
};

client::client(options how) : impl_(std::make_shared<impl>(std::move(how))) {}

std::vector<answer> client::exchange(std::span<const request> all, unsigned replicas) {
    return redis::exchange(*impl_, all, replicas);
}

reply client::run(const request& one) { return std::move(run(std::span(&one, 1)).front()); }

std::vector<reply> client::run(std::span<const request> all) {
    std::vector<reply> replies;
    for (answer& each : exchange(all)) {
        if (!each.arrived) throw unreachable(each.failure);
        require_no_error(each.reply);
        replies.push_back(std::move(each.reply));
    }
    return replies;
}

const options& client::how() const noexcept { return impl_->how(); }
std::vector<endpoint> client::masters() const { return impl_->masters(); }

endpoint client::master_of(std::uint16_t slot) const {
    const std::optional<endpoint> found = impl_->server_for(slot);
    if (!found) throw unreachable("no server of the cluster has slot " + std::to_string(slot));
    return *found;
}

} // namespace bloomery::inline v0::redis
