// Facts for programs: what --json prints.
//
// Names are words in small letters with underscores between them, numbers are numbers, and bytes
// that are not UTF-8 become U+FFFD. A verb that tells one thing prints one object; a verb that
// tells something of each line or file prints one object a line.
#pragma once

#include <bloomery/filter/statistics.hpp>

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace bloomery::cli {

/// On one line, with its newline.
[[nodiscard]] std::string json_line(const nlohmann::ordered_json& of);

/// On many lines.
[[nodiscard]] std::string json_page(const nlohmann::ordered_json& of);

/// Adds --json.
void add_json_flag(CLI::App& verb, bool& to, const char* what = "Print JSON instead of text");

/// Throws bad_argument if a filter is to go to standard output, where the facts would be.
void keep_output_for_json(bool json, const std::string& path);

/// "keys in the newest" as "keys_in_the_newest": no member of our JSON has a blank in its name.
[[nodiscard]] std::string json_name(std::string_view name);

/// An object of all of them. A number is a number, several are an array, yes and no are true and
/// false. Text stays text, and so do names and seeds, of which a reader might round the latter.
[[nodiscard]] nlohmann::ordered_json facts_json(std::span<const fact> facts);

/// A fact's value for people: with commas if it is a large number.
[[nodiscard]] std::string fact_text(const fact& of);

} // namespace bloomery::cli
