#include "pool.hpp"

#include <bloomery/redis/error.hpp>

#include <utility>

namespace bloomery::redis {

pool::lease pool::take(const endpoint& server, clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    shelf& here = shelves_[server];
    for (;;) {
        while (!here.idle.empty()) {
            std::unique_ptr<connection> found = std::move(here.idle.back());
            here.idle.pop_back();
            if (found->is_quiet()) return {*this, std::move(found)};
            --here.made; // the server closed it meanwhile
        }
        if (here.made < how_.most_connections) break;
        if (given_back_.wait_until(lock, deadline) == std::cv_status::timeout) {
            throw unreachable("all connections to Redis at " + server.text() +
                              " were busy: allow more of them, or share a client among fewer "
                              "threads");
        }
    }
    here.idle.reserve(here.made + 1);
    ++here.made;
    lock.unlock();
    try {
        return {*this, std::make_unique<connection>(server, how_)};
    } catch (...) {
        lock.lock();
        --here.made;
        given_back_.notify_all();
        throw;
    }
}

void pool::take_back(std::unique_ptr<connection> what) noexcept {
    const bool sound = what->failure().empty() && what->done();
    const std::lock_guard lock(mutex_);
    shelf& here = shelves_.find(what->where())->second;
    if (sound) {
        what->begin();
        here.idle.push_back(std::move(what)); // has room: it never holds more than were made
    } else {
        --here.made;
    }
    given_back_.notify_all();
}

} // namespace bloomery::redis
