// How large a new filter is: the options that create and uniq share.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/hash/siphash.hpp>
#include <bloomery/plan/layout_kind.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/plan/solve.hpp>

#include <cstdint>
#include <optional>

namespace CLI {
class App;
}

namespace bloomery::cli {

/// The rate of a filter that is made for a number of keys, if nobody says.
inline constexpr rate usual_rate{0.01};

/// What was said about a new filter; the rest follows.
struct shape_options {
    std::optional<items> n;
    std::optional<rate> p;
    std::optional<bytes> memory;
    std::optional<bits> m;
    std::optional<hashes> k;
    std::uint64_t seed = 0;
    std::optional<layout_kind> layout; ///< the planner's choice if nobody says
};

/// Adds -n and -p, which also `plan` and `uniq` take.
void add_goal_options(CLI::App& verb, shape_options& to);

/// Adds -m and --bytes and -k.
void add_array_options(CLI::App& verb, shape_options& to);

/// Adds --layout.
void add_layout_option(CLI::App& verb, std::optional<layout_kind>& to);

/// Adds all of the above and --seed.
void add_shape_options(CLI::App& verb, shape_options& to);

/// What was said, with the rest as `create` and `plan` both have it: a rate of 1 % if nothing else
/// decides it, and the planner's layout if nobody names one. Throws bad_argument as plan::solve
/// does.
[[nodiscard]] plan::question question_of(const shape_options& said);

/// The hash that was asked for. Throws bad_argument for a seed beside a secret.
[[nodiscard]] native_hash hash_of(const shape_options& said,
                                  const std::optional<hash::sip_key>& secret);

/// Makes the empty filter: from n and p (1 % if nothing else decides it), n and memory or bits, or
/// bits and k alone. Throws bad_argument when something is missing or out of range, memory_refused.
[[nodiscard]] any_filter new_filter(const shape_options& said,
                                    const std::optional<hash::sip_key>& secret);

} // namespace bloomery::cli
