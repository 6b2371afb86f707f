// One line on the terminal that says how far a long job has come.
//
// It appears on standard error only if that is a terminal and the work has lasted half a second,
// is rewritten in place at most ten times a second, and is gone when the work ends. When it is off,
// an update costs one comparison; when it is on, the clock is asked once in up to 65,536 records.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace bloomery::cli {

/// Whether to draw: if the descriptor is a terminal, in any case, or not at all.
enum class progress_mode { automatic, always, never };

/// The unit of the speed. Work without records counts its bytes as such.
enum class progress_unit { records, bytes };

/// How far the work has come; both counts from its beginning.
struct progress_state {
    std::uint64_t done_bytes = 0;
    std::uint64_t records = 0;
    std::optional<std::uint64_t> total_bytes;
    std::chrono::duration<double> elapsed{};
    progress_unit unit = progress_unit::records;
    /// What was done, and in which time, before the speed was worth measuring: the first records
    /// pay for what happens once, such as the pages of a new filter.
    std::uint64_t skipped_bytes = 0;
    std::uint64_t skipped_records = 0;
    std::chrono::duration<double> skipped{};
};

/// The text of the line: `add:  42 %  12.3M records/s  ETA 0:12`, or without a total
/// `add: 12,345,678 records  12.3M records/s  0:05`; of bytes `push:  42 %  812.5 MiB/s  ETA 0:12`.
/// As long as nothing came after what is skipped, the speed is not known, and neither is it told.
[[nodiscard]] std::string progress_line(std::string_view what, const progress_state& state);

/// Draws the line. A failure to draw is ignored: the work matters, and not the line. One thread at
/// a time.
class progress {
public:
    using clock = std::chrono::steady_clock;

    /// `what` opens the line. `total_bytes` is the size of the input where it is known. `fd` and
    /// `now` are there for tests.
    progress(std::string what, std::optional<std::uint64_t> total_bytes,
             progress_mode mode = progress_mode::automatic, int fd = STDERR_FILENO,
             clock::time_point (*now)() = &clock::now);

    /// The same for work that has bytes and no records.
    progress(std::string what, std::optional<std::uint64_t> total_bytes, progress_unit unit)
        : progress(std::move(what), total_bytes) {
        unit_ = unit;
    }

    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;

    /// Finishes, so that an error message starts on a clean line.
    ~progress();

    /// Tells how far the work has come, in totals from its beginning. Call as often as you like.
    void update(std::uint64_t done_bytes, std::uint64_t records) {
        if (records >= next_look_) look(done_bytes, records);
    }

    /// Wipes the line; later updates draw nothing.
    void finish() noexcept;

private:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    void look(std::uint64_t done_bytes, std::uint64_t records);
    void skip_start(std::uint64_t done_bytes, std::uint64_t records, clock::time_point time);
    void draw(std::string line);

    int fd_;
    clock::time_point (*now_)();
    std::string what_;
    std::optional<std::uint64_t> total_bytes_;
    progress_unit unit_ = progress_unit::records;
    clock::time_point started_{};
    clock::time_point looked_{};
    clock::time_point drawn_{};
    progress_state skipping_{};
    std::uint64_t stride_ = 1;
    std::uint64_t next_look_ = never;
    std::size_t columns_drawn_ = 0;
};

} // namespace bloomery::cli
