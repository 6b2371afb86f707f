// Options whose value is a number as people write it: 10M, 64MiB, 1%.
#pragma once

#include <bloomery/plan/quantity.hpp>

#include "wording.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace bloomery::cli {

inline void read_number(const std::string& text, std::uint64_t& to) { to = parse_count(text); }
inline void read_number(const std::string& text, items& to) { to = items{parse_count(text)}; }
inline void read_number(const std::string& text, bits& to) { to = bits{parse_count(text)}; }
inline void read_number(const std::string& text, bytes& to) { to = bytes{parse_bytes(text)}; }
inline void read_number(const std::string& text, rate& to) { to = rate{parse_rate(text)}; }
template <class Number>
void read_number(const std::string& text, std::optional<Number>& to) {
    read_number(text, to.emplace());
}

/// Adds an option; `value` is what help calls its value. `to` lives as long as the parser.
template <class Number>
CLI::Option* add_number(CLI::App& verb, const char* names, Number& to, const char* value,
                        const char* what) {
    return verb
        .add_option_function<std::string>(
            names, [&to](const std::string& text) { read_number(text, to); }, what)
        ->type_name(value);
}

} // namespace bloomery::cli
