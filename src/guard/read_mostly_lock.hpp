// A lock for data that is read millions of times per second and changed rarely.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

namespace bloomery::inline v0::detail {

/// A small number that identifies the calling thread, to spread threads over slots. O(1).
[[nodiscard]] inline unsigned thread_number() noexcept {
    static std::atomic<unsigned> next = 0;
    thread_local const unsigned mine = next.fetch_add(1, std::memory_order_relaxed);
    return mine;
}

/// Any number of readers, or one writer, which has priority over readers that arrive later: with a
/// standard lock, many readers can starve a writer. Readers in different slots do not share a cache
/// line, unless there is a writer. Read locks are not recursive.
class read_mostly_lock {
public:
    class reading {
    public:
        explicit reading(const read_mostly_lock& of) noexcept : slot_(of.enter()) {}
        reading(const reading&) = delete;
        reading& operator=(const reading&) = delete;
        ~reading() { slot_.fetch_sub(1, std::memory_order_release); }

    private:
        std::atomic<std::uint32_t>& slot_;
    };

    class alone {
    public:
        explicit alone(read_mostly_lock& of) noexcept : of_(of) { of_.shut_out(); }
        alone(const alone&) = delete;
        alone& operator=(const alone&) = delete;
        ~alone() { of_.let_in(); }

    private:
        read_mostly_lock& of_;
    };

private:
    static constexpr std::size_t slot_count = 32;
    struct alignas(64) slot {
        std::atomic<std::uint32_t> readers = 0;
    };

    [[nodiscard]] std::atomic<std::uint32_t>& enter() const noexcept {
        std::atomic<std::uint32_t>& mine = slots_[thread_number() % slot_count].readers;
        for (;;) {
            // Either the writer sees this reader, or the reader sees the writer: both operations
            // are in one total order with those of shut_out.
            mine.fetch_add(1, std::memory_order_seq_cst);
            if (!writer_.load(std::memory_order_seq_cst)) {
                return mine;
            }
            mine.fetch_sub(1, std::memory_order_release);
            writer_.wait(true, std::memory_order_acquire);
        }
    }

    void shut_out() noexcept {
        writers_.lock();
        writer_.store(true, std::memory_order_seq_cst);
        for (slot& one : slots_) {
            while (one.readers.load(std::memory_order_seq_cst) != 0) {
                std::this_thread::yield();
            }
        }
    }

    void let_in() noexcept {
        writer_.store(false, std::memory_order_release);
        writer_.notify_all();
        writers_.unlock();
    }

    mutable std::array<slot, slot_count> slots_;
    std::atomic<bool> writer_ = false;
    std::mutex writers_;
};

} // namespace bloomery::inline v0::detail
