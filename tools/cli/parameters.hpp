// "NAME,PARAMETER=VALUE,...": how --format and --kind are told what is theirs alone.
#pragma once

#include <bloomery/error.hpp>

#include "nearest.hpp"
#include "quoted.hpp"
#include "units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bloomery::cli {

/// Takes what stands before the next comma out of a list. O(length).
[[nodiscard]] inline std::string_view next_part(std::string_view& rest) noexcept {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    return part;
}

/// The name and, if there is an equals sign, the value. O(length).
[[nodiscard]] inline std::pair<std::string_view, std::optional<std::string>>
split_parameter(std::string_view said) {
    const std::size_t equals = said.find('=');
    if (equals == std::string_view::npos) return {said, std::nullopt};
    return {said.substr(0, equals), std::string(said.substr(equals + 1))};
}

/// Throws bad_argument for "NAME=VALUE" whose name is not among the known ones, or that lacks the
/// value.
[[noreturn]] inline void refuse_parameter(std::string_view whose, std::string_view said,
                                          const std::vector<std::string>& known) {
    const std::string name(said.substr(0, said.find('=')));
    if (std::ranges::find(known, name) != known.end()) {
        throw bad_argument(fmt::format("the parameter {} needs a value: {}=VALUE", name, name));
    }
    const std::string refusal = fmt::format("{} has no parameter {}", whose, in_quotes(name));
    if (known.empty()) throw bad_argument(fmt::format("{}, nor any other; leave it out", refusal));
    if (const auto meant = nearest(name, known)) {
        throw bad_argument(fmt::format("{}; did you mean {}=?", refusal, *meant));
    }
    throw bad_argument(fmt::format("{}; choose one of: {}=", refusal, fmt::join(known, "=, ")));
}

/// A whole number that fits. Throws bad_argument.
template <class Number>
[[nodiscard]] Number small_number(const std::string& text, const char* parameter) {
    const std::uint64_t value = parse_count(text);
    if (value > std::numeric_limits<Number>::max()) {
        throw bad_argument(fmt::format("the parameter {} takes at most {}, not {}", parameter,
                                       std::numeric_limits<Number>::max(), value));
    }
    return static_cast<Number>(value);
}

/// A number above 0. Throws bad_argument.
[[nodiscard]] inline double positive(const std::string& text, const char* parameter) {
    std::size_t used = 0;
    double value = 0;
    try {
        value = std::stod(text, &used);
    } catch (const std::exception&) {
        used = 0;
    }
    if (used == 0 || used != text.size() || !(value > 0)) {
        throw bad_argument(fmt::format("the parameter {} takes a positive number, not {}",
                                       parameter, in_quotes(text)));
    }
    return value;
}

} // namespace bloomery::cli
