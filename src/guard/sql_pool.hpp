// A few connections, lent to one thread at a time.
#pragma once

#include <bloomery/guard/store.hpp>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace bloomery::store {

/// See above. All calls may come from any thread. A Connection says of itself whether it
/// `is_sound()`, that is fit for another call.
template <class Connection>
class sql_pool {
public:
    using maker = std::function<std::unique_ptr<Connection>()>;

    /// `make` opens a connection, or throws; no more than `most` are open at a time.
    sql_pool(std::size_t most, std::chrono::milliseconds patience, maker make)
        : most_(most), patience_(patience), make_(std::move(make)) {}

    /// A connection that goes back when this ends, unless it is broken.
    class lease {
    public:
        lease(sql_pool& from, std::unique_ptr<Connection> what)
            : from_(&from), what_(std::move(what)) {}
        lease(lease&&) noexcept = default;
        lease& operator=(lease&&) = delete;
        ~lease() {
            if (what_) from_->take_back(std::move(what_));
        }
        [[nodiscard]] Connection& operator*() const noexcept { return *what_; }
        [[nodiscard]] Connection* operator->() const noexcept { return what_.get(); }

    private:
        sql_pool* from_;
        std::unique_ptr<Connection> what_;
    };

    /// An idle connection that is sound, or a new one, or when there are too many the next that is
    /// given back. Throws what the maker throws, and unavailable if all stay busy.
    [[nodiscard]] lease take() {
        std::unique_lock lock(mutex_);
        const auto deadline = std::chrono::steady_clock::now() + patience_;
        for (;;) {
            while (!idle_.empty()) {
                std::unique_ptr<Connection> found = std::move(idle_.back());
                idle_.pop_back();
                if (found->is_sound()) return {*this, std::move(found)};
                --made_;
            }
            if (made_ < most_) break;
            if (given_back_.wait_until(lock, deadline) == std::cv_status::timeout) {
                throw unavailable("all connections were busy: allow more of them, or call from "
                                  "fewer threads");
            }
        }
        idle_.reserve(made_ + 1);
        ++made_;
        lock.unlock();
        try {
            return {*this, make_()};
        } catch (...) {
            lock.lock();
            --made_;
            given_back_.notify_one();
            throw;
        }
    }

    /// Closes those that are idle: they were opened to a server that is gone.
    void forget_idle() noexcept {
        const std::lock_guard lock(mutex_);
        made_ -= idle_.size();
        idle_.clear();
    }

private:
    void take_back(std::unique_ptr<Connection> what) noexcept {
        const bool sound = what->is_sound();
        const std::lock_guard lock(mutex_);
        if (sound) {
            idle_.push_back(std::move(what)); // has room: it never holds more than were made
        } else {
            --made_;
        }
        given_back_.notify_one();
    }

    const std::size_t most_;
    const std::chrono::milliseconds patience_;
    const maker make_;
    std::mutex mutex_;
    std::condition_variable given_back_;
    std::vector<std::unique_ptr<Connection>> idle_;
    std::size_t made_ = 0; ///< idle and lent
};

} // namespace bloomery::store
