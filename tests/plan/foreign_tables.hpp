// The cases of tests/data/foreign, which were made by running other libraries.
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace foreign {

inline std::string content(const std::string& name) {
    std::ifstream file(BLOOMERY_TEST_DATA "/foreign/" + name, std::ios::binary);
    EXPECT_TRUE(file) << name;
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Half of a surrogate pair as \uXXXX at `at`: 'h' the first, 'l' the second, 0 neither.
inline char surrogate_at(std::string_view text, std::size_t at) {
    if (text.substr(at, 2) != "\\u") return 0;
    const unsigned long unit =
        std::strtoul(std::string(text.substr(at + 2, 4)).c_str(), nullptr, 16);
    if (unit >= 0xd800 && unit < 0xdc00) return 'h';
    return unit >= 0xdc00 && unit < 0xe000 ? 'l' : char{0};
}

/// The text with unpaired surrogates replaced, which the parser refuses; keys do not matter here.
inline std::string without_lone_surrogates(std::string text) {
    for (std::size_t at = text.find('\\'); at != std::string::npos; at = text.find('\\', at)) {
        const char half = surrogate_at(text, at);
        if (half == 'h' && surrogate_at(text, at + 6) == 'l') {
            at += 12;
        } else if (half != 0) {
            text.replace(at, 6, "\\ufffd");
            at += 6;
        } else {
            at += 2;
        }
    }
    return text;
}

inline nlohmann::json cases(const std::string& folder) {
    return nlohmann::json::parse(without_lone_surrogates(content(folder + "/manifest.json")))
        .at("cases");
}

/// The cases of one type; those without a type are "".
inline nlohmann::json cases(const std::string& folder, const std::string& type) {
    nlohmann::json found = nlohmann::json::array();
    for (const nlohmann::json& one : cases(folder)) {
        if (one.value("type", "") == type) found.push_back(one);
    }
    EXPECT_FALSE(found.empty()) << folder << ' ' << type;
    return found;
}

/// The table of parameters of a folder.
inline nlohmann::json rows(const std::string& folder) {
    return cases(folder, "params").at(0).at("rows");
}

/// A number in the C notation of hexadecimal doubles.
inline double hex_double(const nlohmann::json& text) {
    return std::strtod(text.get<std::string>().c_str(), nullptr);
}

inline std::uint64_t ones_in(std::string_view bytes) {
    std::uint64_t ones = 0;
    for (const char c : bytes) {
        ones += static_cast<std::uint64_t>(std::popcount(static_cast<unsigned char>(c)));
    }
    return ones;
}

inline std::uint64_t rounded_up(std::uint64_t x, std::uint64_t unit) {
    return (x + unit - 1) / unit * unit;
}

} // namespace foreign
