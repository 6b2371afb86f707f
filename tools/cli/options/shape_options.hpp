// What a new filter is: the options that the verbs which make one share.
#pragma once

#include <bloomery/detail/filter/request.hpp>
#include <bloomery/detail/hash/siphash.hpp>

#include <cstdint>
#include <optional>

namespace CLI {
class App;
}

namespace bloomery::cli {

/// What was said about a new filter; the rest follows. The hash is made from the seed or a secret.
struct shape_options : filter_request {
    std::uint64_t seed = 0;
};

/// Adds -n and -p, which also `plan` and `uniq` take.
void add_goal_options(CLI::App& verb, shape_options& to);

/// Adds -m and --bytes and -k.
void add_array_options(CLI::App& verb, shape_options& to);

/// Adds --layout.
void add_layout_option(CLI::App& verb, shape_options& to);

/// Adds --kind.
void add_kind_option(CLI::App& verb, shape_options& to);

/// Throws bad_argument for a number of hashes that bloomery's own filters are not made with.
void check_hash_count(const shape_options& said);

/// The hash that was asked for. Throws bad_argument for a seed beside a secret.
[[nodiscard]] native_hash hash_of(std::uint64_t seed, const std::optional<hash::sip_key>& secret);

/// Makes the empty filter as make_filter does. Throws bad_argument when something is missing, out
/// of range or not of the kind; memory_refused.
[[nodiscard]] any_filter new_filter(const shape_options& said,
                                    const std::optional<hash::sip_key>& secret);

} // namespace bloomery::cli
