// What the tests of DCSO's filters share; compressed ones have their own test file.
#pragma once

#include "peer.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bloomery::testing::dcso {

inline const foreign_format& format = format::foreign_format_named("dcso");

inline std::vector<std::string> keys_of(const json& list) {
    std::vector<std::string> keys;
    for (const json& key : list) keys.push_back(text_of(key));
    return keys;
}

inline std::string little_endian(std::uint64_t value) {
    std::string bytes(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(value >> (8 * i));
    return bytes;
}

/// Six numbers of a header.
inline std::string header(std::uint64_t flags, double p, std::uint64_t k, std::uint64_t m) {
    return little_endian(flags) + little_endian(10) +
           little_endian(std::bit_cast<std::uint64_t>(p)) + little_endian(k) + little_endian(m) +
           little_endian(0);
}

/// The filter of a case, empty.
inline any_filter made(const json& one) {
    foreign_options options;
    options.n = items{one.at("n").get<std::uint64_t>()};
    options.p = rate{one.at("p").get<double>()};
    return format.create(options);
}

/// What the original prints of a filter, as `Name: value` lines, and nothing else that we tell.
inline std::string told(const any_filter& of) {
    std::string text;
    for (const format::foreign_fact& fact : format.facts(of)) {
        if (fact.name == "attached data" || fact.name == "packed") continue;
        text += fact.name + ": " + fact.value + "\n";
    }
    return text;
}

/// The same lines of `bloom show`, without the name of the file.
inline std::string shown(const json& one) {
    const auto show = one.at("show").get<std::string>();
    std::string text;
    for (const char c : show.substr(show.find('\n') + 1)) {
        if (c == '\t' && text.ends_with(' ')) continue;
        text += c == '\t' ? ' ' : c;
    }
    while (text.ends_with('\n')) text.pop_back();
    return text + '\n';
}

} // namespace bloomery::testing::dcso
