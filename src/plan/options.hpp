// The structures that advice can name, each with its numbers for one situation.
#pragma once

#include <bloomery/plan/advise.hpp>

namespace bloomery::plan {

/// What every rule needs to know: the situation with its gaps filled.
struct setting {
    const situation& of;
    items n;
    rate p;
};

[[nodiscard]] option option_for(kind what, const setting& at);

/// Two filters that take turns: the simple form of a window.
[[nodiscard]] option two_rotating_filters(const setting& at);

/// The shape of a native Bloom filter, or nothing for the other kinds.
[[nodiscard]] std::optional<shape> shape_for(kind what, const setting& at);

} // namespace bloomery::plan
