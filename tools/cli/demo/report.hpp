// What the demo measured, as a table, as bars and as JSON.
#pragma once

#include <bloomery/guard/numbers.hpp>

#include "demo/traffic.hpp"
#include "output/canvas.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace bloomery::cli {

/// One traffic, with the guard or without.
struct demo_phase {
    std::string traffic{};
    bool guarded = false;
    demo_timing timing{};
    std::uint64_t source_queries = 0;
    std::uint64_t absent_queries = 0; ///< of them, for keys that are not there
    std::uint64_t cache_hits = 0;

    /// Queries of the source for a key that is not there, as a share of the requests for such.
    [[nodiscard]] double absent_share() const noexcept;
    [[nodiscard]] double per_second() const noexcept;
    /// Queries of the source for a thousand requests.
    [[nodiscard]] double per_thousand() const noexcept;
};

/// Everything.
struct demo_report {
    std::string source{};
    std::string cache{}; ///< empty if there is none
    std::uint64_t rows = 0;
    unsigned clients = 0;
    std::uint64_t seed = 0;
    double load_seconds = 0;
    double warm_up_seconds = 0;
    std::array<demo_phase, 4>
        phases{};                    ///< ordinary traffic, then the attack; each without, then with
    std::uint64_t asked_again = 0;   ///< absent keys of the attack, a second time
    std::uint64_t queries_again = 0; ///< of the source, then
    guard_numbers numbers{};
};

/// What was played, and a row for each phase.
[[nodiscard]] std::string demo_table(const demo_report& of);
/// Queries of the source and throughput, drawn to scale.
[[nodiscard]] std::string demo_bars(const demo_report& of, const canvas& on);
/// What the figures come to: false positives, and the second time.
[[nodiscard]] std::string demo_summary(const demo_report& of);
[[nodiscard]] std::string demo_json(const demo_report& of);

} // namespace bloomery::cli
