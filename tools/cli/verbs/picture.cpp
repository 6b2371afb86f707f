#include "verbs/picture.hpp"

#include <bloomery/error.hpp>

#include "command.hpp"
#include "output/output.hpp"

#include <fmt/format.h>

namespace bloomery::cli {

void add_picture_options(CLI::App& verb, picture_options& to) {
    verb.add_flag("--plot", to.plot,
                  "Draw the false-positive rate over the number of keys in the terminal")
        ->group("Picture");
    verb.add_option("--svg", to.svg_path, "Write the same picture to a file, as SVG")
        ->type_name("FILE")
        ->group("Picture");
    verb.add_flag("--force", to.force, "With --svg: overwrite an existing file")->group("Picture");
}

void require_place(const picture_options& o, bool json) {
    if (o.plot && json) {
        throw bad_argument("--plot draws in text output: leave out --json, or write a file with "
                           "--svg");
    }
    if (o.svg_path == "-") {
        throw bad_argument("--svg needs a file, because the text goes to standard output: name "
                           "one");
    }
    if (o.force && o.svg_path.empty()) {
        throw bad_argument("--force overwrites the file that --svg names: give --svg too");
    }
}

void print_with_picture(const picture_options& o, const std::function<void()>& print_text,
                        const std::function<chart()>& draw) {
    if (!o.wanted()) return print_text();
    const chart picture = draw();
    if (!o.svg_path.empty()) write_text_file(o.svg_path, drawn_as_svg(picture), o.force);
    print_text();
    if (o.plot) fmt::print("\n{}", drawn_as_text(picture, canvas_here()));
}

} // namespace bloomery::cli
