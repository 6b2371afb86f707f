// Where figures are drawn: how wide it is and what it can show, and bars on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery::cli {

struct canvas {
    std::size_t columns = 80;
    bool unicode = true; ///< blocks and Braille dots in UTF-8; else plain ASCII
    bool colour = false;
};

/// Standard output: the width of the terminal, or $COLUMNS, or 80; UTF-8 if the locale says so and
/// TERM is not dumb; colours on a terminal only, and not if NO_COLOR is set.
[[nodiscard]] canvas canvas_here();

enum class ink : std::uint8_t { plain, red, green, yellow, cyan };

/// The text in that colour, where there are colours.
[[nodiscard]] std::string inked(std::string_view text, ink in, const canvas& on);

/// One bar, `part` of the whole width, to an eighth of a column. What is more than 0 is seen.
[[nodiscard]] std::string bar(double part, std::size_t width, const canvas& on);

} // namespace bloomery::cli
