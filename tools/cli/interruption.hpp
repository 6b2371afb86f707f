// What SIGINT, SIGTERM and SIGHUP do: the process ends by them, and leaves nothing half-made
// behind.
#pragma once

namespace bloomery::cli {

/// Lets these signals remove the temporary files of unfinished saves before they end the process.
/// One that the process was started to ignore (nohup, a shell's background) stays ignored.
void tidy_up_on_signals() noexcept;

/// Thrown where work stops because of a signal. Not a bloomery::error: there is nothing to report.
struct interrupted {};

/// While one lives, these signals are noted and end nothing by themselves: for work that has to be
/// finished in order, such as sealing a mapped filter. One at a time.
class interruption {
public:
    /// What happens to a system call that waits, and to a second signal. `resume`: the call goes
    /// on, and signals wait for a check. `stop`: the call ends with EINTR, for whoever waits for
    /// input that may never come; a second signal ends the process at once.
    enum class waiting { resume, stop };

    explicit interruption(waiting calls = waiting::resume);
    interruption(const interruption&) = delete;
    interruption& operator=(const interruption&) = delete;
    /// Signals do again what they did before.
    ~interruption();

    /// Whether one came. O(1).
    [[nodiscard]] static bool noted() noexcept;
    /// Throws interrupted if one came. O(1).
    static void check();
    /// Ends the process as the signal would have, so that its parent knows; returns if none came.
    static void end_if_noted();
};

} // namespace bloomery::cli
