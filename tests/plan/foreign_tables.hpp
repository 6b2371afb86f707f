// The cases of tests/data/foreign, which were made by running other libraries.
#pragma once

#include "foreign_manifest.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace foreign {

inline nlohmann::json cases(const std::string& folder) {
    using namespace bloomery::testing;
    return load_manifest(foreign_data() / folder / "manifest.json").at("cases");
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
