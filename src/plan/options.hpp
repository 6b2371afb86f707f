// The structures that advice can name, each with its numbers for one situation, and the choice.
#pragma once

#include <bloomery/plan/advise.hpp>

#include <optional>
#include <string>
#include <vector>

namespace bloomery::inline v0::plan {

/// What every rule needs to know: the situation with its gaps filled.
struct setting {
    const situation& of;
    items n;
    rate p;
};

[[nodiscard]] option option_for(kind what, const setting& at);

/// Whether only the least number of keys is known, and no most.
[[nodiscard]] inline bool is_open_ended(const situation& of) noexcept {
    return !of.n && !of.n_high && !of.window;
}

/// Whether a spectral filter counts by minimal increase: nothing is taken out again.
[[nodiscard]] bool counts_by_minimal_increase(const situation& of) noexcept;

/// The keys of the first layer of a scalable filter.
[[nodiscard]] items first_layer(const situation& of) noexcept;

/// The kind that is a native Bloom filter of this layout.
[[nodiscard]] kind kind_of(layout_kind layout) noexcept;

/// Two filters that take turns: the simple form of a window.
[[nodiscard]] option two_rotating_filters(const setting& at);

/// The shape of a native Bloom filter, or nothing for the other kinds.
[[nodiscard]] std::optional<shape> shape_for(kind what, const setting& at);

/// What a rule decided, and why.
struct verdict {
    kind chosen;
    option runner_up;
    std::vector<std::string> reasons;
};

/// The first rule that matches; the last always does.
[[nodiscard]] verdict decide(const setting& at);

} // namespace bloomery::inline v0::plan
