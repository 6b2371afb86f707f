// The manifests of tests/data/foreign, whose strings may hold what JSON readers refuse: UTF-16
// surrogates without a partner.
#pragma once

#include "test_paths.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bloomery::testing {

namespace detail {

/// U+F8FF, of the private use area: four hexadecimal digits after it stand for a surrogate. No
/// manifest has it otherwise, which `load_manifest` checks.
inline constexpr std::string_view marker = "\xef\xa3\xbf";

/// The value of the escape \uXXXX at `at`; -1 if none stands there.
inline int escape_at(std::string_view text, std::size_t at) {
    if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return -1;
    return std::stoi(std::string(text.substr(at + 2, 4)), nullptr, 16);
}

/// The text with the marker in place of each escape of an unpaired surrogate.
inline std::string with_markers(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const int unit = escape_at(text, at);
        const int next = unit < 0 ? -1 : escape_at(text, at + 6);
        if (unit >= 0xd800 && unit < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
            result += text.substr(at, 12);
            at += 12;
        } else if (unit >= 0xd800 && unit < 0xe000) {
            result.append(marker).append(text.substr(at + 2, 4));
            at += 6;
        } else {
            // A backslash goes with what it escapes, which may be another one.
            const std::size_t length = text[at] == '\\' ? 2 : 1;
            result += text.substr(at, length);
            at += length;
        }
    }
    return result;
}

} // namespace detail

/// Where the folders of all peers are. BLOOMERY_FOREIGN_DATA names another place of the same
/// layout, to hold the formats to cases that they were not written with.
inline std::filesystem::path foreign_data() {
    const char* const other = std::getenv("BLOOMERY_FOREIGN_DATA"); // NOLINT(concurrency-mt-unsafe)
    return other != nullptr ? other : test_data("/foreign");
}

/// The bytes of a file.
inline std::string file_bytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot open " + path.string());
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A file of a peer.
inline std::string foreign_file(std::string_view peer, std::string_view name) {
    return file_bytes(foreign_data() / peer / name);
}

/// A manifest. Read its strings by `text_of`.
inline nlohmann::json load_manifest(const std::filesystem::path& path) {
    const std::string text = file_bytes(path);
    if (text.find(detail::marker) != std::string::npos ||
        text.find("\\uf8ff") != std::string::npos) {
        throw std::runtime_error(path.string() + " holds U+F8FF, which marks surrogates here");
    }
    return nlohmann::json::parse(detail::with_markers(text));
}

/// A string of a manifest in generalised UTF-8: unpaired surrogates are encoded as they are.
inline std::string text_of(const nlohmann::json& value) {
    auto text = value.get<std::string>();
    for (std::size_t at = 0; (at = text.find(detail::marker, at)) != std::string::npos; at += 3) {
        const int unit = std::stoi(text.substr(at + detail::marker.size(), 4), nullptr, 16);
        const std::string encoded{static_cast<char>(0xe0 | (unit >> 12)),
                                  static_cast<char>(0x80 | ((unit >> 6) & 0x3f)),
                                  static_cast<char>(0x80 | (unit & 0x3f))};
        text.replace(at, detail::marker.size() + 4, encoded);
    }
    return text;
}

/// The bytes in lower-case hexadecimal digits.
inline std::string to_hex(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string hex;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        hex += digits[byte >> 4];
        hex += digits[byte & 15];
    }
    return hex;
}

/// The bytes that hexadecimal digits spell.
inline std::string from_hex(std::string_view hex) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    }
    return bytes;
}

} // namespace bloomery::testing
