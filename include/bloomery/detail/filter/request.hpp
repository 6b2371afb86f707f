// What a user requests of a new filter, and the filter that follows from it.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/kind_choice.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/plan/sizing.hpp>

#include <optional>

namespace bloomery::inline v0 {

/// The default rate of a filter that is made for a number of keys.
inline constexpr rate usual_rate{0.01};

/// What was requested; the rest follows from it.
struct filter_request {
    std::optional<items> n{};
    std::optional<rate> p{};
    std::optional<bytes> memory{};
    std::optional<bits> m{};
    std::optional<hashes> k{};
    std::optional<layout_kind> layout{}; ///< the planner's choice by default
    kind_choice kind{};
    bool foldable = false; ///< sized by plan::foldable; Bloom filters only
    native_hash hash{};
};

/// The request for a Bloom filter, completed: a rate of 1 % if nothing else determines it, and the
/// planner's layout if none is named. Throws bad_argument like plan::solve.
[[nodiscard]] BLOOMERY_EXPORT plan::question question_of(const filter_request& said);

/// The shape of the Bloom filter of a request, and what it is made for.
struct bloom_size {
    plan::shape shape;
    design made_for;
};

/// Throws bad_argument if something is missing or out of range.
[[nodiscard]] BLOOMERY_EXPORT bloom_size bloom_size_of(const filter_request& said);

/// Makes the empty filter: a Bloom filter from n and p, n and memory or bits, or bits and k alone;
/// of another kind from n and p. Throws bad_argument if something is missing, out of range or does
/// not apply to the kind; memory_refused.
[[nodiscard]] BLOOMERY_EXPORT any_filter make_filter(const filter_request& said);

} // namespace bloomery::inline v0
