#include "output/canvas.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace bloomery::cli {

namespace {

std::string_view environment(const char* name) {
    const char* const value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nobody sets it
    return value == nullptr ? "" : value;
}

std::optional<std::size_t> columns_said() {
    const std::string_view text = environment("COLUMNS");
    std::size_t columns = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
    if (error != std::errc{} || end != text.data() + text.size() || columns == 0) {
        return std::nullopt;
    }
    return columns;
}

bool locale_is_utf8() {
    std::string_view locale = environment("LC_ALL");
    for (const char* const name : {"LC_CTYPE", "LANG"}) {
        if (locale.empty()) locale = environment(name);
    }
    for (const std::string_view name : {"UTF-8", "utf8", "utf-8", "UTF8"}) {
        if (locale.ends_with(name)) return true;
    }
    return false;
}

} // namespace

canvas canvas_here() {
    canvas here;
    winsize size{};
    const bool terminal = ::isatty(STDOUT_FILENO) == 1;
    if (terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) {
        here.columns = size.ws_col;
    } else {
        here.columns = columns_said().value_or(here.columns);
    }
    const bool dumb = environment("TERM") == "dumb";
    here.unicode = locale_is_utf8() && !dumb;
    here.colour = terminal && !dumb && environment("NO_COLOR").empty();
    return here;
}

std::string inked(std::string_view text, ink in, const canvas& on) {
    if (!on.colour || in == ink::plain || text.empty()) return std::string(text);
    constexpr std::array<std::string_view, 5> starts{"", "\x1b[31m", "\x1b[32m", "\x1b[33m",
                                                     "\x1b[36m"};
    return std::string(starts.at(static_cast<std::size_t>(in))).append(text).append("\x1b[0m");
}

std::string bar(double part, std::size_t width, const canvas& on) {
    const double exact = std::clamp(part, 0.0, 1.0) * static_cast<double>(width);
    const auto eighths =
        static_cast<std::size_t>(std::max(std::llround(exact * 8), part > 0 ? 1LL : 0LL));
    if (!on.unicode) return std::string(std::max<std::size_t>(eighths / 8, part > 0 ? 1 : 0), '#');
    constexpr std::array<std::string_view, 8> last{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    std::string text;
    for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
    return text.append(last.at(eighths % 8));
}

} // namespace bloomery::cli
