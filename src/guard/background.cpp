#include "impl.hpp"

#include <algorithm>

namespace bloomery::inline v0::detail {

bool guard_impl::start_rebuild() {
    const std::lock_guard lock(worker_mutex_);
    if (wanted_ || rebuilding_ || stopping_) {
        return false;
    }
    wanted_ = true;
    if (!worker_.joinable()) {
        worker_ = std::thread([this] { work(); });
    }
    wake_.notify_all();
    return true;
}

// A rebuild that the guard starts by itself, limited by rebuild_pause.
void guard_impl::request_rebuild() {
    {
        const std::lock_guard lock(worker_mutex_);
        const clock::time_point now = clock::now();
        if (last_request_ && now - *last_request_ < how_.rebuild_pause) {
            return;
        }
        last_request_ = now;
    }
    start_rebuild();
}

void guard_impl::work() {
    // Without a filter, every key goes to the source, so a failed scan is retried: soon at first,
    // then less often.
    constexpr std::chrono::milliseconds soon{500};
    std::chrono::milliseconds pause = soon;
    std::unique_lock lock(worker_mutex_);
    while (!stopping_) {
        if (!wanted_) {
            wake_.wait(lock);
            continue;
        }
        lock.unlock();
        bool failed = false;
        try {
            rebuild();
            pause = soon;
        } catch (const std::exception&) { // counted; the old filter stays in use
            failed = true;
        }
        lock.lock();
        wanted_ = failed && front_.is_empty();
        if (wanted_) {
            wake_.wait_for(lock, pause, [this] { return stopping_.load(); });
            pause = std::min(pause * 2, std::max(soon, how_.rebuild_pause));
        }
    }
}

void guard_impl::stop() {
    {
        const std::lock_guard lock(worker_mutex_);
        stopping_ = true;
        wake_.notify_all();
    }
    if (worker_.joinable()) {
        worker_.join();
    }
}

} // namespace bloomery::inline v0::detail
