// bloomery guard demo: traffic and an attack, without a guard and with one.
#pragma once

#include <bloomery/plan/quantity.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace bloomery::cli {

/// What the demo plays, and on what.
struct guard_demo_options {
    std::optional<std::string> postgres{}; ///< empty: one that the demo starts
    std::optional<std::string> redis{};    ///< the same
    std::uint64_t rows = 1'000'000;
    std::uint64_t requests = 200'000; ///< of each phase, at most
    double seconds = 3;               ///< of each phase, at most
    unsigned threads = 4;
    rate planned{0.01};
    std::uint64_t seed = 1;
    bool json = false;
    std::string keep{}; ///< a folder that the SQLite database stays in
};

/// Plays it and prints what was measured. Throws what the stores throw, bad_argument, and
/// unsupported where the command was built without databases. A signal ends it after the servers
/// that it started and the files that it made are gone.
void play_guard_demo(const guard_demo_options& o);

} // namespace bloomery::cli
