// System calls that fail with EINTR, on demand.
#pragma once

#include <pthread.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace bloomery::cli {

/// Lets another thread interrupt the calls of the thread that made this object.
class interrupter {
public:
    interrupter() {
        struct sigaction quiet{};
        quiet.sa_handler = [](int) {}; // without SA_RESTART the call in progress gives up
        ::sigaction(SIGUSR1, &quiet, &before_);
    }
    interrupter(const interrupter&) = delete;
    interrupter& operator=(const interrupter&) = delete;
    ~interrupter() { ::sigaction(SIGUSR1, &before_, nullptr); }

    /// Interrupts again and again for some 20 ms.
    void interrupt() const {
        for (int i = 0; i < 20; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            ::pthread_kill(target_, SIGUSR1);
        }
    }

private:
    pthread_t target_ = ::pthread_self();
    struct sigaction before_{};
};

} // namespace bloomery::cli
