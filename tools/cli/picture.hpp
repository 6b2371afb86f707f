// --plot and --svg: the picture that plan and info can draw.
#pragma once

#include "chart.hpp"

#include <string>

namespace CLI {
class App;
}

namespace bloomery::cli {

struct picture_options {
    bool plot = false;
    std::string svg_path{};
    bool force = false;

    [[nodiscard]] bool wanted() const noexcept { return plot || !svg_path.empty(); }
};

/// Adds --plot, --svg and --force.
void add_picture_options(CLI::App& verb, picture_options& to);

/// Throws bad_argument for a picture among JSON, and for two things on standard output.
void require_place(const picture_options& o, bool json);

/// Writes the file that --svg names, if it does. Throws io_error.
void write_svg(const chart& of, const picture_options& o);

/// Prints the picture if --plot wants it.
void print_plot(const chart& of, const picture_options& o);

} // namespace bloomery::cli
