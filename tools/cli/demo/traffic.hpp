// The requests of the demo, and the clock beside them.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::cli {

/// The key of a number: "user:" and 16 hexadecimal digits, another one for each number and seed.
class demo_key {
public:
    demo_key(std::uint64_t number, std::uint64_t seed) noexcept;

    [[nodiscard]] std::string_view text() const noexcept { return {text_.data(), text_.size()}; }

private:
    std::array<char, 21> text_;
};

/// The value of a key, so that an answer can be checked. O(1).
[[nodiscard]] std::string demo_value(std::string_view key);

/// What clients ask for. Keys that are there have the numbers below `rows`, the n-th as popular as
/// 1/n; keys that are not are asked for once each.
struct demo_traffic {
    const char* name;
    double absent; ///< the share of keys that are not there
    std::uint64_t rows;
    std::uint64_t seed;
    unsigned kind; ///< traffic of another kind has other absent keys
};

/// The requests of one client, always the same for one traffic and client.
class demo_requests {
public:
    demo_requests(const demo_traffic& of, unsigned client) noexcept;

    struct request {
        demo_key key;
        bool present;
    };
    [[nodiscard]] request next() noexcept;

private:
    [[nodiscard]] double chance() noexcept;

    double absent_;
    std::uint64_t rows_;
    double log_rows_;
    std::uint64_t seed_;
    std::uint64_t state_;
    std::uint64_t next_absent_;
};

/// How long a phase lasts at most.
struct demo_limits {
    std::uint64_t requests;
    std::chrono::duration<double> time;
    unsigned clients;
};

/// What was measured while traffic was played.
struct demo_timing {
    std::vector<std::uint64_t> asked; ///< by each client
    std::uint64_t requests = 0;
    std::uint64_t absent = 0; ///< of them, for keys that are not there
    std::chrono::duration<double> time{};
    std::chrono::nanoseconds median{};
    std::chrono::nanoseconds p99{};
};

/// Gives the value of a key, or nothing.
using demo_asker = std::function<std::optional<std::string>(std::string_view)>;

/// Plays the traffic by so many threads at once, and checks every answer. Throws what the asker
/// throws, bad_data for a wrong answer, interrupted.
[[nodiscard]] demo_timing play(const demo_traffic& what, const demo_limits& limits,
                               const demo_asker& ask);

/// Asks again for the absent keys that were asked for then. Returns how many there were. Throws as
/// play.
[[nodiscard]] std::uint64_t ask_absent_again(const demo_traffic& what, const demo_timing& then,
                                             const demo_asker& ask);

} // namespace bloomery::cli
