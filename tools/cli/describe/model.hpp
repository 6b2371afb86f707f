// What the command offers, read off its parser, and the texts that are made of it.
//
// A name, a description or a choice is written once, where a verb adds its option. Everything here
// is pure: the same parser gives the same text.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace bloomery::cli::describing {

struct option {
    std::vector<std::string> names; ///< with their dashes, the short one first
    std::string value;              ///< what follows it: `N`, `FILE`, `bytes|int`; empty for a flag
    std::vector<std::string> choices; ///< the words that may follow, where they can be listed
    bool takes_file = false;
    bool required = false;
    std::string group;
    std::string text;
};

struct argument {
    std::string name;
    bool takes_file = false;
    bool required = false;
    bool repeats = false;
    std::string text;
};

struct verb {
    std::string name; ///< as it is typed: `grep`, and of a verb within a verb `redis push`
    std::string text;
    std::vector<option> options;
    std::vector<argument> arguments;
    std::string footer;
    std::vector<verb> inner; ///< verbs of its own, of which one must follow

    /// The last word of its name.
    [[nodiscard]] std::string word() const { return name.substr(name.rfind(' ') + 1); }
};

struct command {
    verb whole; ///< the options that stand before a verb
    std::vector<verb> verbs;
};

/// Reads the parser; what is hidden (an empty group) is left out.
[[nodiscard]] command read(const CLI::App& app);

/// All verbs, each followed by those within it.
[[nodiscard]] std::vector<verb> with_inner(const std::vector<verb>& verbs);

/// The last words of verbs, in their order.
[[nodiscard]] std::vector<std::string> words_of(const std::vector<verb>& verbs);

/// The names of all options, or only of those that a value follows.
[[nodiscard]] std::vector<std::string> names_of(const verb& of, bool only_with_value = false);

/// `date` is the day that the page shows, as 2025-11-30.
[[nodiscard]] std::string man_page(const command& of, std::string_view date);
[[nodiscard]] std::string bash_completion(const command& of);
[[nodiscard]] std::string zsh_completion(const command& of);
[[nodiscard]] std::string fish_completion(const command& of);

/// `'it'\''s'`: the word as bash and zsh read it back; fish reads it the same unless it has a `\`.
[[nodiscard]] std::string shell_quoted(std::string_view word);

/// The text with each occurrence of `from` replaced.
[[nodiscard]] std::string replaced(std::string text, std::string_view from, std::string_view to);

} // namespace bloomery::cli::describing
