// A second thread that is awake when it is needed.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>
#include <utility>

namespace bloomery::cli {

/// Runs two functions at once. Starting a thread, or waking one, takes as long as thousands of
/// inserts; so the thread stays, and spins for a moment after its work. The untimed run of a case
/// wakes it, and the timed run finds it spinning.
class partner {
public:
    partner() : thread_([this] { work(); }) {}
    partner(const partner&) = delete;
    partner& operator=(const partner&) = delete;
    ~partner() {
        ask({});
        thread_.join();
    }

    /// Calls `mine` here and `theirs`, which must not throw, there; returns when both are done. One
    /// caller at a time.
    template <class Mine>
    void run_both(const Mine& mine, std::function<void()> theirs) {
        const std::uint64_t job = ask(std::move(theirs));
        mine();
        while (done_.load(std::memory_order_acquire) != job) {
            std::this_thread::yield();
        }
    }

private:
    static constexpr std::chrono::microseconds patience{50};

    std::uint64_t ask(std::function<void()> job) {
        job_ = std::move(job);
        const std::uint64_t number = asked_.fetch_add(1, std::memory_order_release) + 1;
        asked_.notify_one();
        return number;
    }

    void await_more_than(std::uint64_t seen) {
        const auto until = std::chrono::steady_clock::now() + patience;
        while (std::chrono::steady_clock::now() < until) {
            if (asked_.load(std::memory_order_acquire) != seen) return;
        }
        asked_.wait(seen, std::memory_order_acquire);
    }

    void work() {
        for (std::uint64_t seen = 0;; ++seen) {
            await_more_than(seen);
            if (!job_) return;
            job_();
            done_.store(seen + 1, std::memory_order_release);
        }
    }

    std::function<void()> job_; // handed over by asked_, and back by done_
    std::atomic<std::uint64_t> asked_{0};
    std::atomic<std::uint64_t> done_{0};
    std::thread thread_; // last: it uses the others
};

} // namespace bloomery::cli
