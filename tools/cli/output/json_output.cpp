#include "output/json_output.hpp"

#include <bloomery/error.hpp>

#include "command.hpp"
#include "wording.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace bloomery::cli {

namespace {

using json = nlohmann::ordered_json;

constexpr std::uint64_t largest_exact = std::uint64_t{1} << 53U; // of a double, as readers have it

/// A whole number that is written as we would write it; 007 is a text.
std::optional<std::uint64_t> whole_in(std::string_view text) {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (read.ec != std::errc{} || read.ptr != end || value > largest_exact) return std::nullopt;
    if (text.size() > 1 && text.front() == '0') return std::nullopt;
    return value;
}

std::optional<double> fraction_in(std::string_view text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    const bool digits = !text.empty() && text.find_first_not_of("0123456789.eE+-") == text.npos;
    if (!digits || read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    return value;
}

/// "0 1 23": several whole numbers.
std::optional<json> list_in(std::string_view text) {
    json all = json::array();
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(' '));
        const auto value = whole_in(part);
        if (!value) return std::nullopt;
        all.push_back(*value);
        text.remove_prefix(std::min(text.size(), part.size() + 1));
    }
    if (all.size() < 2) return std::nullopt;
    return all;
}

bool is_always_text(std::string_view name) {
    constexpr std::array<std::string_view, 3> texts{"name", "path_in_schema", "seed"};
    return std::ranges::find(texts, name) != texts.end();
}

json value_of(const fact& of) {
    if (is_always_text(of.name)) return of.value;
    if (const auto whole = whole_in(of.value)) return *whole;
    if (of.value == "yes" || of.value == "no") return of.value == "yes";
    if (auto list = list_in(of.value)) return *std::move(list);
    if (const auto fraction = fraction_in(of.value)) return *fraction;
    return of.value;
}

} // namespace

std::string json_line(const json& of) {
    return of.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
}

std::string json_page(const json& of) {
    return of.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

void add_json_flag(CLI::App& verb, bool& to, const char* what) {
    verb.add_flag("--json", to, what);
}

void keep_output_for_json(bool json, const std::string& path) {
    if (json && path == "-") {
        throw bad_argument("--json and the filter would both go to standard output; name a file "
                           "for the filter, or leave out --json");
    }
}

std::string json_name(std::string_view name) {
    std::string made(name);
    std::ranges::replace_if(made, [](char c) { return c == ' ' || c == '-'; }, '_');
    return made;
}

json facts_json(std::span<const fact> facts) {
    json all = json::object();
    for (const fact& each : facts) all[json_name(each.name)] = value_of(each);
    return all;
}

std::string fact_text(const fact& of) {
    const auto whole = is_always_text(of.name) ? std::nullopt : whole_in(of.value);
    return whole ? grouped(*whole) : of.value;
}

} // namespace bloomery::cli
