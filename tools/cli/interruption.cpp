#include "interruption.hpp"

#include <signal.h> // NOLINT: sigaction is POSIX's

#include <array>
#include <atomic>
#include <cstddef>

namespace bloomery::cli {

namespace {

constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};

std::atomic<int> came = 0;                           // NOLINT: a handler has nothing else to reach
std::array<struct sigaction, signals.size()> before; // NOLINT: set by the one that lives

static_assert(std::atomic<int>::is_always_lock_free);

void note(int which) { came.store(which, std::memory_order_relaxed); }

} // namespace

interruption::interruption() {
    came = 0;
    struct sigaction noting{};
    noting.sa_handler = note; // NOLINT: a union, by POSIX
    noting.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < signals.size(); ++i) {
        ::sigaction(signals[i], nullptr, &before[i]);
        // Who was started to ignore it (nohup, a shell's background) goes on doing so.
        if (before[i].sa_handler != SIG_IGN) ::sigaction(signals[i], &noting, nullptr); // NOLINT
    }
}

interruption::~interruption() {
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before[i], nullptr);
}

bool interruption::noted() noexcept { return came.load(std::memory_order_relaxed) != 0; }

void interruption::check() {
    if (noted()) throw interrupted{};
}

void interruption::end_if_noted() {
    if (!noted()) return;
    const int which = came;
    ::signal(which, SIG_DFL);
    ::raise(which);
}

} // namespace bloomery::cli
