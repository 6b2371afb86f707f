#include "format_choice.hpp"

#include <bloomery/error.hpp>

#include "command.hpp"
#include "parameters.hpp"
#include "quoted.hpp"
#include "units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace bloomery::cli {

namespace {

using format::foreign_options;

using set = void (*)(foreign_options& to, const std::string& value);

constexpr std::array<std::pair<std::string_view, set>, 15> format_parameters{{
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
}};

void set_format_parameter(foreign_options& to, std::string_view text) {
    const auto [name, value] = split_parameter(text);
    const auto* const found =
        std::ranges::find(format_parameters, name, [](const auto& known) { return known.first; });
    if (found == format_parameters.end() || !value) {
        std::string known;
        for (const auto& one : format_parameters) {
            known += (known.empty() ? "" : ", ") + std::string(one.first) + "=";
        }
        throw bad_argument(
            fmt::format("a format has no parameter {}; there are: {}", in_quotes(text), known));
    }
    found->second(to, *value);
}

} // namespace

format_choice parse_format(std::string_view text) {
    format_choice choice;
    choice.said = true;
    std::string_view rest = text;
    if (const std::string_view name = next_part(rest); name != "native") {
        choice.foreign = &format::foreign_format_named(name);
    }
    while (!rest.empty()) set_format_parameter(choice.parameters, next_part(rest));
    return choice;
}

std::string format_names(std::string_view between) {
    std::string names = "native";
    for (const format::foreign_format* const one : format::foreign_formats()) {
        names.append(between).append(one->name);
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
        ->type_name("NAME[,PARAMETER=VALUE...]")
        ->group("Format");
}

} // namespace bloomery::cli
