// The format of a filter, and what its bytes do not contain, as text:
// "redisson,bits=9585058,hashes=7".
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/format/foreign.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace bloomery::inline v0::format {

/// The requested format. Without one, a native file is recognised by its magic number, and others
/// by their bytes if possible.
struct format_choice {
    bool said = false;
    const foreign_format* foreign = nullptr; ///< null: native, if it was named
    foreign_options parameters{};
};

/// Reads "NAME" or "NAME,PARAMETER=VALUE,...", where NAME may be native. Throws bad_argument with
/// the list of names.
[[nodiscard]] BLOOMERY_EXPORT format_choice parse_format(std::string_view said);

/// The name of a format, native for none. O(1).
[[nodiscard]] constexpr std::string_view name_of(const foreign_format* format) noexcept {
    return format == nullptr ? "native" : format->name;
}

/// The names of all formats, native first.
[[nodiscard]] BLOOMERY_EXPORT std::vector<std::string> format_names();

} // namespace bloomery::inline v0::format
