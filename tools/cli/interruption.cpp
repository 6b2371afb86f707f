#include "interruption.hpp"

#include <bloomery/format/file.hpp>

#include <signal.h> // NOLINT: sigaction is POSIX's

#include <array>
#include <atomic>
#include <cstddef>

namespace bloomery::cli {

namespace {

constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};

std::atomic<int> came = 0;                           // NOLINT: a handler has nothing else to reach
std::atomic<bool> patient = false;                   // NOLINT: the same
std::array<struct sigaction, signals.size()> before; // NOLINT: set by the one that lives

static_assert(std::atomic<int>::is_always_lock_free);

// In a handler the signal is blocked: it ends the process when the handler returns.
void end_by(int which) {
    ::signal(which, SIG_DFL);
    ::raise(which);
}

void tidy_up_and_end(int which) {
    remove_temporaries();
    end_by(which);
}

void note(int which) {
    const bool is_second = came.exchange(which, std::memory_order_relaxed) != 0;
    if (is_second && !patient.load(std::memory_order_relaxed)) tidy_up_and_end(which);
}

void handle(int which, void (*handler)(int), int flags) noexcept {
    struct sigaction now{};
    ::sigaction(which, nullptr, &now);
    if (now.sa_handler == SIG_IGN) return; // NOLINT: a union, by POSIX
    struct sigaction wanted{};
    wanted.sa_handler = handler; // NOLINT: the same
    wanted.sa_flags = flags;
    ::sigaction(which, &wanted, nullptr);
}

} // namespace

void tidy_up_on_signals() noexcept {
    for (const int each : signals) handle(each, tidy_up_and_end, SA_RESTART);
}

interruption::interruption(waiting calls) {
    came = 0;
    patient = calls == waiting::resume;
    for (std::size_t i = 0; i < signals.size(); ++i) {
        ::sigaction(signals[i], nullptr, &before[i]);
        handle(signals[i], note, calls == waiting::resume ? SA_RESTART : 0);
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
    if (noted()) end_by(came);
}

} // namespace bloomery::cli
