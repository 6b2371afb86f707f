// Waiting for what another process does: until it is so, not for a guessed time.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

namespace bloomery::testing {

/// Whether the condition comes true before the deadline.
template <class Condition>
bool comes_true(std::chrono::milliseconds within, Condition is_so) {
    const auto deadline = std::chrono::steady_clock::now() + within;
    while (!is_so()) {
        if (std::chrono::steady_clock::now() >= deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

/// Returns when the condition is true; throws if it is not before the deadline.
template <class Condition>
void wait_until(const std::string& what, std::chrono::milliseconds within, Condition is_so) {
    if (!comes_true(within, is_so)) throw std::runtime_error("waited in vain until " + what);
}

} // namespace bloomery::testing
