// A few connections to each server, lent to one thread at a time.
#pragma once

#include <bloomery/redis/options.hpp>

#include "connection.hpp"

#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace bloomery::redis {

/// See above. All calls may come from any thread. Who needs connections to several servers at once
/// takes them in the order of the servers, so that nobody waits for whom waits for him.
class pool {
public:
    explicit pool(const options& how) : how_(how) {}

    /// A connection that goes back when this ends, unless it has failed.
    class lease {
    public:
        lease(pool& from, std::unique_ptr<connection> what)
            : from_(&from), what_(std::move(what)) {}
        lease(lease&&) noexcept = default;
        lease& operator=(lease&&) = delete;
        ~lease() {
            if (what_) from_->take_back(std::move(what_));
        }
        [[nodiscard]] connection& operator*() const noexcept { return *what_; }
        [[nodiscard]] connection* operator->() const noexcept { return what_.get(); }

    private:
        pool* from_;
        std::unique_ptr<connection> what_;
    };

    /// An idle connection, or a new one, or when there are too many the next that is given back
    /// before the deadline. Throws as connection's constructor, and unreachable if none is.
    [[nodiscard]] lease take(const endpoint& server,
                             clock::time_point deadline = clock::time_point::max());

private:
    struct shelf {
        std::vector<std::unique_ptr<connection>> idle;
        std::size_t made = 0; ///< idle and lent
    };

    void take_back(std::unique_ptr<connection> what) noexcept;

    const options& how_;
    std::mutex mutex_;
    std::condition_variable given_back_;
    std::map<endpoint, shelf> shelves_;
};

} // namespace bloomery::redis
