#include <bloomery/detail/format/format_choice.hpp>
#include <bloomery/detail/plan/number.hpp>
#include <bloomery/detail/text/units.hpp>
#include <bloomery/detail/text/words.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace bloomery::inline v0::format {

namespace {

std::uint32_t small_option(std::string_view value, std::string_view parameter) {
    return static_cast<std::uint32_t>(text::whole_number(value, parameter));
}

/// A rate, or 0, which means the smallest possible rate to Redisson; other formats refuse it.
double rate_or_zero(std::string_view value) {
    return plan::double_in(value) == 0.0 ? 0.0 : text::parse_rate(value);
}

using set = void (*)(foreign_options& to, std::string_view value);

constexpr std::array<std::pair<std::string_view, set>, 17> format_parameters{{
    {"items", [](auto& to, auto v) { to.n = items{text::parse_count(v)}; }},
    {"rate", [](auto& to, auto v) { to.p = rate{rate_or_zero(v)}; }},
    {"bits", [](auto& to, auto v) { to.m = bits{text::parse_count(v)}; }},
    {"hashes", [](auto& to, auto v) { to.k = hashes{small_option(v, "hashes")}; }},
    {"bits-per-key",
     [](auto& to, auto v) { to.bits_per_item = text::positive_number(v, "bits-per-key"); }},
    {"seed", [](auto& to, auto v) { to.seed = text::parse_seed(v); }},
    {"word-bits", [](auto& to, auto v) { to.word_bits = small_option(v, "word-bits"); }},
    {"size-argument", [](auto& to, auto v) { to.size_argument = text::parse_count(v); }},
    {"hash-type", [](auto& to, auto v) { to.hash_type = small_option(v, "hash-type"); }},
    {"expansion", [](auto& to, auto v) { to.growth = small_option(v, "expansion"); }},
    {"nonscaling", [](auto& to, auto v) { to.nonscaling = v != "0"; }},
    {"options", [](auto& to, auto v) { to.redisbloom_options = small_option(v, "options"); }},
    {"funnel", [](auto& to, auto v) { to.funnel = v; }},
    {"domains", [](auto& to, auto v) { to.domains = v; }},
    {"column", [](auto& to, auto v) { to.column = v; }},
    {"row-group", [](auto& to, auto v) { to.row_group = text::parse_count(v); }},
    {"limit", [](auto& to, auto v) { to.limits.most_unseen_bytes = text::parse_bytes(v); }},
}};

void set_format_parameter(foreign_options& to, const text::parameter& said) {
    std::vector<std::string> known;
    known.reserve(format_parameters.size());
    for (const auto& [name, sets] : format_parameters) {
        if (name == said.name && said.value) {
            return sets(to, *said.value);
        }
        known.emplace_back(name);
    }
    text::refuse_parameter("a format", said, known);
}

const foreign_format* named_or_native(std::string_view name) {
    if (name == "native") return nullptr;
    for (const foreign_format* const one : foreign_formats()) {
        if (one->name == name) return one;
    }
    text::refuse_unknown("format", name, format_names());
}

} // namespace

format_choice parse_format(std::string_view said) {
    format_choice choice;
    choice.said = true;
    choice.foreign = named_or_native(text::next_part(said));
    while (!said.empty()) {
        set_format_parameter(choice.parameters, text::parameter(text::next_part(said)));
    }
    return choice;
}

std::vector<std::string> format_names() {
    std::vector<std::string> names{"native"};
    for (const foreign_format* const one : foreign_formats()) names.emplace_back(one->name);
    return names;
}

} // namespace bloomery::inline v0::format
