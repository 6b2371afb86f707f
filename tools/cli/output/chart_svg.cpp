// A chart as SVG: one file, no fonts or scripts of its own, colours for light and dark pages.
#include "output/chart.hpp"

#include <fmt/format.h>

#include <string_view>

namespace bloomery::cli {

namespace {

constexpr double svg_width = 720;
constexpr double svg_height = 420;
constexpr double plot_left = 72;
constexpr double plot_right = svg_width - 28;
constexpr double plot_top = 64;
constexpr double plot_bottom = svg_height - 64;

constexpr std::string_view svg_style = R"(<style>
  .page { fill: #ffffff }
  text { fill: #24292f; font: 13px system-ui, sans-serif }
  .title { font-size: 16px; font-weight: 600 }
  .quiet { fill: #57606a }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  .axis { stroke: #57606a; stroke-width: 1 }
  .curve { fill: none; stroke: #0969da; stroke-width: 2.5; stroke-linejoin: round }
  .made-for { fill: #bc4c00 }
  .now { fill: #1a7f37 }
  .guide { stroke-dasharray: 4 4; stroke-width: 1.2 }
  .guide.made-for { stroke: #bc4c00 }
  .guide.now { stroke: #1a7f37 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 }
    text { fill: #e6edf3 }
    .quiet { fill: #9198a1 }
    .grid { stroke: #30363d }
    .axis { stroke: #9198a1 }
    .curve { stroke: #58a6ff }
    .made-for { fill: #f0883e }
    .now { fill: #3fb950 }
    .guide.made-for { stroke: #f0883e }
    .guide.now { stroke: #3fb950 }
  }
</style>
)";

std::string svg_escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    }
    return safe;
}

double x_of(const chart& of, double keys) {
    return plot_left + of.across(keys) * (plot_right - plot_left);
}
double y_of(const chart& of, double rate) {
    const double up = of.up(rate);
    return plot_bottom - (up < 0 ? 0 : up) * (plot_bottom - plot_top);
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view classes,
                    std::string_view text) {
    return fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}" class="{}">{}</text>)"
                       "\n",
                       x, y, anchor, classes, svg_escaped(text));
}

std::string svg_line(std::string_view classes, double x1, double y1, double x2, double y2) {
    return fmt::format(R"(<line class="{}" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>)"
                       "\n",
                       classes, x1, y1, x2, y2);
}

std::string svg_axes(const chart& of) {
    std::string text;
    for (const chart_tick& each : rate_ticks(of)) {
        const double y = y_of(of, each.value);
        text += svg_line("grid", plot_left, y, plot_right, y);
        text += text_at(plot_left - 8, y + 4, "end", "quiet", each.label);
    }
    for (const chart_tick& each : key_ticks(of)) {
        const double x = x_of(of, each.value);
        text += svg_line("axis", x, plot_bottom, x, plot_bottom + 5);
        text += text_at(x, plot_bottom + 20, "middle", "quiet", each.label);
    }
    return text + svg_line("axis", plot_left, plot_bottom, plot_right, plot_bottom) +
           text_at((plot_left + plot_right) / 2, plot_bottom + 42, "middle", "quiet", "keys");
}

std::string curve_path(const chart& of) {
    std::string path;
    // Points that lie below the picture are left out, all but the one where the curve enters
    // it.
    for (std::size_t i = 0; i < of.curve.size(); ++i) {
        const bool next_seen = i + 1 < of.curve.size() && of.up(of.curve[i + 1].rate) >= 0;
        if (of.up(of.curve[i].rate) < 0 && !next_seen) continue;
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : " L",
                            x_of(of, of.curve[i].keys), y_of(of, of.curve[i].rate));
    }
    return fmt::format("<path class=\"curve\" d=\"{}\"/>\n", path);
}

std::string_view class_of(const chart_mark& mark) {
    return mark.what == chart_mark::role::now ? "now" : "made-for";
}

std::string dot_at(const chart_mark& mark, double x, double y) {
    return fmt::format(R"(<circle class="{}" cx="{:.1f}" cy="{:.1f}" r="5"/>)"
                       "\n",
                       class_of(mark), x, y);
}

/// On the curve, with a line down to the number of keys.
std::string mark_on_curve(const chart& of, const chart_mark& mark) {
    const double x = x_of(of, mark.at.keys);
    const double y = y_of(of, mark.at.rate);
    return svg_line(fmt::format("guide {}", class_of(mark)), x, y, x, plot_bottom) +
           dot_at(mark, x, y);
}

/// What the marks are: in the upper left corner, where no curve that rises comes.
std::string legend_of(const chart& of) {
    constexpr double line_height = 22;
    double y = plot_top + line_height;
    std::string text;
    for (const chart_mark& each : of.marks) {
        text += dot_at(each, plot_left + 16, y - 4.5);
        text += text_at(plot_left + 28, y, "start", class_of(each), each.label);
        y += line_height;
    }
    return text;
}

} // namespace

std::string drawn_as_svg(const chart& of) {
    std::string text = fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:.0f} {1:.0f}" width="{0:.0f}" height="{1:.0f}" role="img">)"
        "\n<title>{2}</title>\n",
        svg_width, svg_height, svg_escaped(of.title));
    text += svg_style;
    text += fmt::format(R"(<rect class="page" width="{:.0f}" height="{:.0f}"/>)"
                        "\n",
                        svg_width, svg_height);
    text += text_at(plot_left, 28, "start", "title", of.title);
    if (!of.subtitle.empty()) text += text_at(plot_left, 48, "start", "quiet", of.subtitle);
    text += svg_axes(of) + curve_path(of);
    for (const chart_mark& each : of.marks) text += mark_on_curve(of, each);
    return text + legend_of(of) + "</svg>\n";
}

} // namespace bloomery::cli
