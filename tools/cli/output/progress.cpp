#include "output/progress.hpp"

#include "wording.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <utility>

namespace bloomery::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto quiet_time = 500ms;
constexpr auto between_draws = 100ms;
constexpr std::uint64_t longest_stride = 65536;

// 12.3M, 4.0k, 17: a rate at a glance.
std::string short_number(double value) {
    if (value >= 1e9) return fmt::format("{:.1f}G", value / 1e9);
    if (value >= 1e6) return fmt::format("{:.1f}M", value / 1e6);
    if (value >= 1e3) return fmt::format("{:.1f}k", value / 1e3);
    return fmt::format("{:.0f}", value);
}

std::string clock_time(double seconds) {
    constexpr double longest = 999.0 * 3600;
    const auto whole = static_cast<std::uint64_t>(std::clamp(seconds, 0.0, longest));
    const std::uint64_t hours = whole / 3600;
    const std::uint64_t minutes = whole / 60 % 60;
    if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60);
    return fmt::format("{}:{:02}", minutes, whole % 60);
}

std::size_t terminal_columns(int fd) {
    winsize size{};
    if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

void write_ignoring_failure(int fd, std::string_view text) noexcept {
    [[maybe_unused]] const ssize_t sent = ::write(fd, text.data(), text.size());
}

} // namespace

std::string progress_line(std::string_view what, const progress_state& state) {
    const double seconds = (state.elapsed - state.skipped).count();
    const std::uint64_t records = state.records - state.skipped_records;
    const double speed = seconds > 0 ? static_cast<double>(records) / seconds : 0;
    const bool in_bytes = state.unit == progress_unit::bytes;
    const std::string rate = in_bytes ? fmt::format("{:.1f} MiB/s", speed / (1 << 20))
                                      : short_number(speed) + " records/s";
    const std::uint64_t total = state.total_bytes.value_or(0);
    if (total == 0 || state.done_bytes == 0) {
        const std::string done =
            in_bytes ? format_bytes(state.records) : counted(state.records, "record");
        return fmt::format("{}: {}  {}  {}", what, done, rate, clock_time(state.elapsed.count()));
    }
    // A file that grows while it is read must not pass 100 %.
    const double part =
        std::min(1.0, static_cast<double>(state.done_bytes) / static_cast<double>(total));
    const double measured =
        part - static_cast<double>(state.skipped_bytes) / static_cast<double>(total);
    if (!(measured > 0) || records == 0) return fmt::format("{}: {:3.0f} %", what, part * 100);
    return fmt::format("{}: {:3.0f} %  {}  ETA {}", what, part * 100, rate,
                       clock_time(seconds * (1 - part) / measured));
}

progress::progress(std::string what, std::optional<std::uint64_t> total_bytes, progress_mode mode,
                   int fd, clock::time_point (*now)())
    : fd_(fd), now_(now), what_(std::move(what)), total_bytes_(total_bytes) {
    const bool on =
        mode == progress_mode::always || (mode == progress_mode::automatic && ::isatty(fd) == 1);
    if (!on) return;
    // The text may hold a file name, and a file name may hold what moves the cursor.
    std::replace_if(
        what_.begin(), what_.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
    started_ = looked_ = drawn_ = now_();
    next_look_ = 0;
}

progress::~progress() { finish(); }

void progress::look(std::uint64_t done_bytes, std::uint64_t records) {
    const auto time = now_();
    if (next_look_ == 0) skip_start(done_bytes, records, time);
    // The stride finds itself: as long as looks come thick and fast it doubles, and it shrinks when
    // records are slow or huge, so that a slow job still shows a line that moves.
    const auto since_look = time - std::exchange(looked_, time);
    if (since_look < between_draws / 10) stride_ = std::min(2 * stride_, longest_stride);
    if (since_look > between_draws) stride_ = std::max<std::uint64_t>(stride_ / 8, 1);
    next_look_ = records > never - stride_ ? never : records + stride_;

    if (time - started_ <= quiet_time || time - drawn_ < between_draws) return;
    drawn_ = time;
    progress_state now = skipping_;
    now.done_bytes = done_bytes;
    now.records = records;
    now.total_bytes = total_bytes_;
    now.elapsed = time - started_;
    now.unit = unit_;
    draw(progress_line(what_, now));
}

// The first update says little about the speed, unless it brought a good part of the work.
void progress::skip_start(std::uint64_t done_bytes, std::uint64_t records, clock::time_point time) {
    if (!total_bytes_ || done_bytes > *total_bytes_ / 100) return;
    skipping_.skipped_bytes = done_bytes;
    skipping_.skipped_records = records;
    skipping_.skipped = time - started_;
}

void progress::draw(std::string line) {
    // A line that wraps cannot be rewritten with \r, and the last column wraps on some terminals.
    // The text is cut by bytes, which is never too long.
    line.resize(std::min(line.size(), terminal_columns(fd_) - 1));
    std::string painted = '\r' + line;
    if (line.size() < columns_drawn_) painted.append(columns_drawn_ - line.size(), ' ');
    columns_drawn_ = line.size();
    write_ignoring_failure(fd_, painted);
}

void progress::finish() noexcept {
    next_look_ = never;
    if (columns_drawn_ == 0) return;
    const std::size_t columns = std::exchange(columns_drawn_, 0);
    write_ignoring_failure(fd_, fmt::format("\r{:{}}\r", "", columns));
}

} // namespace bloomery::cli
