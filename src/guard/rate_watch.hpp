// Detects whether absent keys pass the filter more often than they should.
#pragma once

#include <cstdint>
#include <mutex>

namespace bloomery::inline v0::detail {

/// Compares the false positives of a window with what chance explains. Thread-safe.
class rate_watch {
public:
    struct finding {
        bool beyond_chance = false; ///< more than the computed rate gives, once in 1e9 windows
        bool beyond_plan = false;   ///< the true rate is clearly more than twice the planned one
        std::uint64_t absences = 0;
        std::uint64_t errors = 0;
    };

    /// Called with the counts so far, after each false positive. Each window is judged once.
    [[nodiscard]] finding look(std::uint64_t refused, std::uint64_t false_positives,
                               double computed, double planned);
    /// Whether there are enough for a judgement, so that the rate is worth computing. O(1).
    [[nodiscard]] bool is_due(std::uint64_t false_positives);
    /// Starts a window with a new filter.
    void begin(std::uint64_t refused, std::uint64_t false_positives);

private:
    static constexpr std::uint64_t least_errors = 64;

    std::mutex mutex_;
    std::uint64_t refused_ = 0;
    std::uint64_t errors_ = 0;
    std::uint64_t due_ = least_errors;
};

} // namespace bloomery::inline v0::detail
