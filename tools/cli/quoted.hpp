// User text inside an error sentence.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace bloomery::cli {

/// The text in double quotes. Control bytes are escaped: a hostile file name or argument must not
/// be able to repaint the terminal of whoever reads the error.
[[nodiscard]] inline std::string in_quotes(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) {
            result += fmt::format("\\x{:02x}", byte);
        } else {
            result += c;
        }
    }
    return result + '"';
}

} // namespace bloomery::cli
