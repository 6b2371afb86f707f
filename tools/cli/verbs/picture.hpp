// --plot and --svg: the picture that plan and info can draw.
#pragma once

#include "output/chart.hpp"

#include <functional>
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

/// Prints a text and, if one is wanted, the picture that `draw` makes. The file of --svg is written
/// first: if it cannot be written, only that is reported. Throws io_error.
void print_with_picture(const picture_options& o, const std::function<void()>& print_text,
                        const std::function<chart()>& draw);

} // namespace bloomery::cli
