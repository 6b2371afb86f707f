#include "picture.hpp"

#include <bloomery/error.hpp>

#include "command.hpp"
#include "text_file.hpp"

#include <fmt/format.h>

namespace bloomery::cli {

void add_picture_options(CLI::App& verb, picture_options& to) {
    verb.add_flag("--plot", to.plot,
                  "Draw the false-positive rate over the number of keys in the terminal")
        ->group("Picture");
    verb.add_option("--svg", to.svg_path, "Write the same picture to a file, as SVG")
        ->type_name("FILE")
        ->group("Picture");
    verb.add_flag("--force", to.force, "With --svg: replace a file that is already there")
        ->group("Picture");
}

void require_place(const picture_options& o, bool json) {
    if (o.plot && json) {
        throw bad_argument("--plot draws among text: leave --json out, or write a file with --svg");
    }
    if (o.svg_path == "-") {
        throw bad_argument("--svg writes a file, beside the text on standard output: name one");
    }
    if (o.force && o.svg_path.empty()) {
        throw bad_argument("--force replaces the file that --svg names: give --svg too");
    }
}

void write_svg(const chart& of, const picture_options& o) {
    if (!o.svg_path.empty()) write_text_file(o.svg_path, drawn_as_svg(of), o.force);
}

void print_plot(const chart& of, const picture_options& o) {
    if (o.plot) fmt::print("\n{}", drawn_as_text(of, canvas_here()));
}

} // namespace bloomery::cli
