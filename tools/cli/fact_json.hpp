// Facts of a filter as JSON: for scripts, where the library words them for people.
#pragma once

#include <bloomery/filter/fact.hpp>

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <string_view>

namespace bloomery::cli {

/// "keys in the newest" as "keys_in_the_newest": no member of our JSON has a blank in its name.
[[nodiscard]] std::string json_name(std::string_view name);

/// An object of all of them. A number is a number, several are an array, yes and no are true and
/// false. Text stays text, and so do names and seeds, of which a reader might round the latter.
[[nodiscard]] nlohmann::ordered_json facts_json(std::span<const fact> facts);

/// A fact's value for people: with commas if it is a large number.
[[nodiscard]] std::string fact_text(const fact& of);

} // namespace bloomery::cli
