#include "format_choice.hpp"

#include <bloomery/error.hpp>

#include "command.hpp"
#include "nearest.hpp"
#include "parameters.hpp"
#include "quoted.hpp"
#include "units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace bloomery::cli {

namespace {

using format::foreign_options;

using set = void (*)(foreign_options& to, const std::string& value);

constexpr std::array<std::pair<std::string_view, set>, 16> format_parameters{{
    {"items", [](foreign_options& to, const std::string& v) { to.n = items{parse_count(v)}; }},
    {"rate", [](foreign_options& to, const std::string& v) { to.p = rate{parse_rate(v)}; }},
    {"bits", [](foreign_options& to, const std::string& v) { to.m = bits{parse_count(v)}; }},
    {"hashes",
     [](foreign_options& to, const std::string& v) {
         to.k = hashes{small_number<std::uint32_t>(v, "hashes")};
     }},
    {"bits-per-key", [](foreign_options& to,
                        const std::string& v) { to.bits_per_item = positive(v, "bits-per-key"); }},
    {"seed", [](foreign_options& to, const std::string& v) { to.seed = parse_count(v); }},
    {"word-bits",
     [](foreign_options& to, const std::string& v) {
         to.word_bits = small_number<unsigned>(v, "word-bits");
     }},
    {"size-argument",
     [](foreign_options& to, const std::string& v) { to.size_argument = parse_count(v); }},
    {"hash-type",
     [](foreign_options& to, const std::string& v) {
         to.hash_type = small_number<unsigned>(v, "hash-type");
     }},
    {"expansion", [](foreign_options& to,
                     const std::string& v) { to.growth = small_number<unsigned>(v, "expansion"); }},
    {"nonscaling", [](foreign_options& to, const std::string& v) { to.nonscaling = v != "0"; }},
    {"options",
     [](foreign_options& to, const std::string& v) {
         to.redisbloom_options = small_number<unsigned>(v, "options");
     }},
    {"funnel", [](foreign_options& to, const std::string& v) { to.funnel = v; }},
    {"column", [](foreign_options& to, const std::string& v) { to.column = v; }},
    {"row-group", [](foreign_options& to, const std::string& v) { to.row_group = parse_count(v); }},
    {"limit", [](foreign_options& to,
                 const std::string& v) { to.limits.most_unseen_bytes = parse_bytes(v); }},
}};

void set_format_parameter(foreign_options& to, std::string_view text) {
    const auto [name, value] = split_parameter(text);
    const auto* const found =
        std::ranges::find(format_parameters, name, [](const auto& known) { return known.first; });
    if (found == format_parameters.end() || !value) {
        std::vector<std::string> known;
        known.reserve(format_parameters.size());
        for (const auto& one : format_parameters) known.emplace_back(one.first);
        refuse_parameter("a format", text, known);
    }
    found->second(to, *value);
}

/// Nothing for native.
const format::foreign_format* format_named(std::string_view name) {
    if (name == "native") return nullptr;
    for (const format::foreign_format* const one : format::foreign_formats()) {
        if (one->name == name) return one;
    }
    refuse_unknown("format", name, format_names());
}

} // namespace

format_choice parse_format(std::string_view text) {
    format_choice choice;
    choice.said = true;
    std::string_view rest = text;
    choice.foreign = format_named(next_part(rest));
    while (!rest.empty()) set_format_parameter(choice.parameters, next_part(rest));
    return choice;
}

std::vector<std::string> format_names() {
    std::vector<std::string> names{"native"};
    for (const format::foreign_format* const one : format::foreign_formats()) {
        names.emplace_back(one->name);
    }
    return names;
}

std::string_view name_of(const format::foreign_format* format) noexcept {
    return format == nullptr ? "native" : format->name;
}

void add_format_option(CLI::App& verb, format_choice& to) {
    verb.add_option_function<std::string>(
            "--format", [&to](const std::string& text) { to = parse_format(text); },
            "The filter's format, with what its bytes do not say: redisson,bits=9585058,hashes=7 "
            "(bloomery formats lists them)")
        ->type_name("FORMAT[,PARAMETER=VALUE...]")
        ->group("Format");
}

} // namespace bloomery::cli
