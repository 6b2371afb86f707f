// Arguments as they were typed. CLI11 takes "[a,b]" for a list of two; here it is a key or a file
// name.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace bloomery::cli {

/// A byte behind an argument that begins with a bracket: then it no longer ends with one.
inline constexpr char bracket_guard = '\x01';

/// The arguments in the order that CLI11 wants, last first, brackets guarded.
[[nodiscard]] inline std::vector<std::string> literal_arguments(int argc, char** argv) {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    for (std::string& argument : arguments) {
        if (!argument.empty() && argument.front() == '[') argument += bracket_guard;
    }
    return {arguments.rbegin(), arguments.rend()};
}

/// Makes every option of every verb take the guard off again.
inline void take_literally(CLI::App& app) {
    const auto unguard = [](std::string& text) {
        if (!text.empty() && text.front() == '[') text.pop_back();
        return std::string();
    };
    for (CLI::Option* option : app.get_options()) {
        if (option->get_items_expected_max() > 0) option->transform(CLI::Validator(unguard, ""));
    }
    for (CLI::App* verb : app.get_subcommands({})) take_literally(*verb);
}

} // namespace bloomery::cli
