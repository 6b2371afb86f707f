// A short queue between two threads.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace bloomery::cli {

/// Passes values from one thread to another, at most `room` of them on the way. Either side may
/// close it: the other then stops waiting.
template <class T>
class bounded_queue {
public:
    explicit bounded_queue(std::size_t room) : room_(room) {}

    /// Waits for room. False if it was closed, and the value is gone.
    bool push(T value) {
        std::unique_lock lock(guard_);
        changed_.wait(lock, [this] { return closed_ || waiting_.size() < room_; });
        if (closed_) return false;
        waiting_.push_back(std::move(value));
        changed_.notify_one();
        return true;
    }

    /// Waits for a value. Nothing once it was closed and is empty.
    std::optional<T> pop() {
        std::unique_lock lock(guard_);
        changed_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
        if (waiting_.empty()) return std::nullopt;
        std::optional<T> value(std::move(waiting_.front()));
        waiting_.pop_front();
        changed_.notify_one();
        return value;
    }

    void close() {
        const std::scoped_lock lock(guard_);
        closed_ = true;
        changed_.notify_all();
    }

private:
    std::mutex guard_;
    std::condition_variable changed_;
    std::deque<T> waiting_;
    std::size_t room_;
    bool closed_ = false;
};

} // namespace bloomery::cli
