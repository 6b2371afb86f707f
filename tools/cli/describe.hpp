// The manual page and the shell completions, written from the options themselves.
#pragma once

#include <CLI/CLI.hpp>

namespace bloomery::cli {

/// Adds the hidden verb `describe man|bash|zsh|fish`, which the build uses.
void add_describe(CLI::App& app, int& result);

} // namespace bloomery::cli
