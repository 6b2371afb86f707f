// Facts for programs: what --json prints.
//
// Names are words in small letters with underscores between them, numbers are numbers, and bytes
// that are not UTF-8 become U+FFFD. A verb that tells one thing prints one object; a verb that
// tells something of each line or file prints one object a line.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/statistics.hpp>

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace CLI {
class App;
}

namespace bloomery::cli {

/// On one line, with its newline.
[[nodiscard]] std::string json_line(const nlohmann::ordered_json& of);

/// On many lines.
[[nodiscard]] std::string json_page(const nlohmann::ordered_json& of);

/// What a filter is and how full, by the names that `info --json` uses.
[[nodiscard]] nlohmann::ordered_json filter_facts(const spec& what, const design& made_for,
                                                  const statistics& now);
[[nodiscard]] nlohmann::ordered_json filter_facts(const any_filter& of);

/// Adds --json.
void add_json_flag(CLI::App& verb, bool& to, const char* what = "Print an object instead of text");

/// Throws bad_argument if a filter is to go to standard output, where the facts would be.
void keep_output_for_json(bool json, const std::string& path);

} // namespace bloomery::cli
