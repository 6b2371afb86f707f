// --format: which system's file a filter is in, and what its bytes do not say.
#pragma once

#include <bloomery/format/foreign.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace bloomery::cli {

/// What --format says. Without it a native file is known by its mark, and others by their bytes
/// where these tell.
struct format_choice {
    bool said = false;
    const format::foreign_format* foreign = nullptr; ///< nothing: native, if it was said
    format::foreign_options parameters{};
};

/// Reads "NAME" or "NAME,PARAMETER=VALUE,...", where native is a name too. Throws bad_argument with
/// the names there are.
[[nodiscard]] format_choice parse_format(std::string_view text);

/// Adds --format.
void add_format_option(CLI::App& verb, format_choice& to);

/// The names of all formats, native first.
[[nodiscard]] std::vector<std::string> format_names();

/// The name of a format, native for none.
[[nodiscard]] std::string_view name_of(const format::foreign_format* format) noexcept;

} // namespace bloomery::cli
