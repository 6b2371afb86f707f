// A chart in the terminal: Braille dots where there are some, else stars.
#include "output/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>

namespace bloomery::cli {

namespace {

/// A cell that is one character: the dots of the curve, or a mark over them.
struct chart_cell {
    unsigned dots = 0;
    std::optional<chart_mark::role> mark{};
};

/// Cells with finer places inside: 2 across and 4 down for Braille, else one of each.
class chart_grid {
public:
    chart_grid(std::size_t columns, std::size_t rows, bool fine)
        : columns_(columns), across_(fine ? 2 : 1), down_(fine ? 4 : 1), rows_(rows),
          cells_(columns * rows) {}

    [[nodiscard]] std::size_t fine_columns() const noexcept { return columns_ * across_; }

    /// The fine row of a height, from the top; below the grid nothing.
    [[nodiscard]] std::optional<std::size_t> fine_row(double up) const {
        if (up < 0) return std::nullopt;
        const auto most = static_cast<double>(rows_ * down_ - 1);
        return static_cast<std::size_t>(std::lround((1 - std::min(up, 1.0)) * most));
    }
    void set(std::size_t x, std::size_t y) {
        // How the dots of a Braille character are numbered: the last row was added later.
        constexpr std::array<std::array<unsigned, 2>, 4> bits{
            {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};
        at(x / across_, y / down_).dots |= bits.at(y % down_).at(x % across_);
    }
    void mark(double across, double up, chart_mark::role what) {
        const auto x = static_cast<std::size_t>(
            std::lround(std::clamp(across, 0.0, 1.0) * static_cast<double>(columns_ - 1)));
        const std::size_t y = fine_row(std::max(up, 0.0)).value_or(0) / down_;
        at(x, y).mark = what;
    }
    [[nodiscard]] const chart_cell& at(std::size_t x, std::size_t y) const {
        return cells_.at(y * columns_ + x);
    }
    [[nodiscard]] std::size_t columns() const noexcept { return columns_; }
    [[nodiscard]] std::size_t rows() const noexcept { return rows_; }

private:
    chart_cell& at(std::size_t x, std::size_t y) { return cells_.at(y * columns_ + x); }

    std::size_t columns_;
    std::size_t across_;
    std::size_t down_;
    std::size_t rows_;
    std::vector<chart_cell> cells_;
};

/// The rate between the points of the curve, by its logarithm.
double height_at(const chart& of, double keys) {
    const auto after = std::ranges::lower_bound(of.curve, keys, {}, &chart_point::keys);
    if (after == of.curve.end()) return of.up(of.curve.back().rate);
    if (after == of.curve.begin() || after->keys == keys) return of.up(after->rate);
    const auto before = after - 1;
    const double part = (keys - before->keys) / (after->keys - before->keys);
    return of.up(before->rate) * (1 - part) + of.up(after->rate) * part;
}

void draw_curve(const chart& of, chart_grid& to) {
    std::optional<std::size_t> last;
    for (std::size_t x = 0; x < to.fine_columns(); ++x) {
        const double keys =
            of.most_keys * static_cast<double>(x) / static_cast<double>(to.fine_columns() - 1);
        const auto here = to.fine_row(height_at(of, keys));
        if (here) {
            // A steep curve stays one: from beside the last place up to this one.
            const std::size_t from = last && *last > *here + 1 ? *last - 1 : *here;
            for (std::size_t y = *here; y <= from; ++y) to.set(x, y);
        }
        last = here;
    }
}

std::string braille(unsigned dots) {
    const unsigned code = 0x2800U + dots;
    return {static_cast<char>(0xE0U | (code >> 12U)),
            static_cast<char>(0x80U | ((code >> 6U) & 0x3FU)),
            static_cast<char>(0x80U | (code & 0x3FU))};
}

std::string symbol(chart_mark::role what, const canvas& on) {
    const bool now = what == chart_mark::role::now;
    if (!on.unicode) return inked(now ? "@" : "o", now ? ink::green : ink::yellow, on);
    return inked(now ? "●" : "◆", now ? ink::green : ink::yellow, on);
}

std::string cell_text(const chart_cell& of, const canvas& on) {
    if (of.mark) return symbol(*of.mark, on);
    if (of.dots == 0) return " ";
    return inked(on.unicode ? braille(of.dots) : "*", ink::cyan, on);
}

constexpr std::size_t label_width = 8;

std::string row_of(const chart_grid& of, std::size_t y, std::string_view label, const canvas& on) {
    std::string line = fmt::format("{:>{}} {}", label, label_width - 1, on.unicode ? "┤" : "|");
    if (label.empty()) line.replace(label_width, std::string::npos, on.unicode ? "│" : "|");
    std::size_t end = of.columns(); // no blanks at the end of a line
    while (end > 0 && !of.at(end - 1, y).mark && of.at(end - 1, y).dots == 0) --end;
    for (std::size_t x = 0; x < end; ++x) line += cell_text(of.at(x, y), on);
    return line + '\n';
}

/// The axis of keys, and the numbers below it, each in the middle under its tick.
std::string key_axis(const chart& of, std::size_t columns, const canvas& on) {
    std::vector<std::string> line(columns, on.unicode ? "─" : "-");
    std::string numbers(label_width + 1 + columns, ' ');
    for (const chart_tick& each : key_ticks(of)) {
        const auto x = static_cast<std::size_t>(
            std::lround(of.across(each.value) * static_cast<double>(columns - 1)));
        line.at(x) = on.unicode ? "┬" : "+";
        const std::size_t middle = label_width + 1 + x;
        const std::size_t start =
            std::min(middle - each.label.size() / 2, numbers.size() - each.label.size());
        numbers.replace(start, each.label.size(), each.label);
    }
    std::string text = std::string(label_width, ' ') + (on.unicode ? "└" : "+");
    for (const std::string& each : line) text += each;
    return text + '\n' + numbers.substr(0, numbers.find_last_not_of(' ') + 1) + '\n';
}

} // namespace

std::string drawn_as_text(const chart& of, const canvas& on) {
    constexpr std::size_t narrowest = 20;
    const std::size_t columns = std::max(on.columns, label_width + 2 + narrowest) - label_width - 2;
    const auto rows = static_cast<std::size_t>(std::clamp(-of.least_decade * 3, 9, 15)) + 1;
    chart_grid grid(columns, rows, on.unicode);
    draw_curve(of, grid);
    for (const chart_mark& each : of.marks) {
        grid.mark(of.across(each.at.keys), of.up(each.at.rate), each.what);
    }
    std::vector<std::string> labels(rows);
    for (const chart_tick& each : rate_ticks(of)) {
        const double from_top = (1 - of.up(each.value)) * static_cast<double>(rows - 1);
        labels.at(static_cast<std::size_t>(std::lround(from_top))) = each.label;
    }
    std::string text = of.title + '\n';
    if (!of.subtitle.empty()) text += of.subtitle + '\n';
    text += '\n';
    for (std::size_t y = 0; y < rows; ++y) text += row_of(grid, y, labels[y], on);
    text += key_axis(of, columns, on);
    for (const chart_mark& each : of.marks) {
        text += fmt::format("{:>{}}{} {}\n", "", label_width, symbol(each.what, on), each.label);
    }
    return text;
}

} // namespace bloomery::cli
