// A pool of connections to one server or database, each used by one thread at a time.
#pragma once

#include <bloomery/detail/cxx20.hpp>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace bloomery::inline v0::detail {

/// Thread-safe. A Connection has `is_sound()`, whether it is fit for another call, and `rest()`,
/// the same when a call has ended.
template <class Connection>
class connection_pool {
public:
    /// No more than `most` are open at a time.
    explicit connection_pool(std::size_t most) noexcept : most_(most) {}

    /// A borrowed connection, returned by the destructor unless it is broken.
    class lease {
    public:
        lease(connection_pool& from, std::unique_ptr<Connection> what)
            : from_(&from), what_(std::move(what)) {}
        lease(lease&&) noexcept = default;
        lease& operator=(lease&&) = delete;
        ~lease() {
            if (what_) from_->take_back(std::move(what_));
        }
        [[nodiscard]] Connection& operator*() const noexcept { return *what_; }
        [[nodiscard]] Connection* operator->() const noexcept { return what_.get(); }

    private:
        connection_pool* from_;
        std::unique_ptr<Connection> what_;
    };

    /// An idle connection that is sound, or a new one from `make`; if there are too many, the next
    /// one that is returned. Throws what `make` throws. If all stay busy until the deadline, calls
    /// `refuse`, which throws.
    template <class Make, class Refuse>
    [[nodiscard]] lease take(std::chrono::steady_clock::time_point deadline, Make make,
                             Refuse refuse) {
        std::unique_lock lock(mutex_);
        for (;;) {
            while (!idle_.empty()) {
                std::unique_ptr<Connection> found = std::move(idle_.back());
                idle_.pop_back();
                if (found->is_sound()) return {*this, std::move(found)};
                --made_;
            }
            if (made_ < most_) break;
            if (given_back_.wait_until(lock, deadline) == std::cv_status::timeout) refuse();
        }
        idle_.reserve(made_ + 1);
        ++made_;
        lock.unlock();
        try {
            return {*this, make()};
        } catch (...) {
            lock.lock();
            --made_;
            given_back_.notify_one();
            throw;
        }
    }

    /// Closes idle connections: they were opened to a server that is gone.
    void forget_idle() noexcept {
        const std::lock_guard lock(mutex_);
        made_ -= idle_.size();
        idle_.clear();
    }

private:
    void take_back(std::unique_ptr<Connection> what) noexcept {
        const bool sound = what->rest();
        const std::lock_guard lock(mutex_);
        if (sound) {
            idle_.push_back(std::move(what)); // has room: it never holds more than were made
        } else {
            --made_;
        }
        given_back_.notify_one();
    }

    const std::size_t most_;
    std::mutex mutex_;
    std::condition_variable given_back_;
    std::vector<std::unique_ptr<Connection>> idle_;
    std::size_t made_ = 0; ///< idle and lent
};

} // namespace bloomery::inline v0::detail
