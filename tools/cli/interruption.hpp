// A signal that waits until what the command made outside of itself is gone.
#pragma once

namespace bloomery::cli {

/// Thrown where work stops because of a signal. No bloomery::error: nobody is to be told.
struct interrupted {};

/// While one lives, SIGINT, SIGTERM and SIGHUP are noted, and end nothing by themselves. One at a
/// time.
class interruption {
public:
    interruption();
    interruption(const interruption&) = delete;
    interruption& operator=(const interruption&) = delete;
    /// Signals do again what they did.
    ~interruption();

    /// Whether one came. O(1).
    [[nodiscard]] static bool noted() noexcept;
    /// Throws interrupted if one came. O(1).
    static void check();
    /// Ends the process as the signal would have, so that whoever waits for it knows; returns if
    /// none came.
    static void end_if_noted();
};

} // namespace bloomery::cli
