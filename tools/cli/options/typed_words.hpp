// The words of a command line, read before CLI11 reads them.
//
// CLI11 names the words that it did not expect from the last to the first, says "KEY is required"
// for a key that begins with a dash, ends a verb at `--` when its arguments are complete, and takes
// "[a,b]" for a list of two. So the words are sorted here by what they are: what is wrong with them
// is said in one sentence, and what is an argument is marked, so that CLI11 takes it as it is.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace bloomery::cli {

/// The words in the order that CLI11 wants, the last one first; arguments and values that it would
/// take for something else are marked. Throws bad_argument for a verb or an option that there is
/// not (with the nearest one that there is), for an option whose value is missing, and for more
/// arguments than the verb takes.
[[nodiscard]] std::vector<std::string> typed_words(const CLI::App& app,
                                                   const std::vector<std::string>& words);

/// Makes every option of every verb take the marks off again.
void take_marks_off(CLI::App& app);

/// What is wrong with the words, where only CLI11 finds it: a missing argument, a word that is not
/// a number, an option given twice.
[[nodiscard]] std::string usage_complaint(const CLI::App& app, const CLI::ParseError& error);

} // namespace bloomery::cli
