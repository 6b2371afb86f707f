// What a filter of another kind than bloom will take, before it is made.
#pragma once

#include <bloomery/filter/statistics.hpp>
#include <bloomery/plan/quantity.hpp>

#include "options/shape_options.hpp"
#include "output/chart.hpp"

#include <cstdint>
#include <vector>

namespace bloomery::cli {

/// The size of a filter of some kind, and the numbers that make it.
struct kind_plan {
    filter_kind kind = filter_kind::bloom;
    items n{};
    rate p{};
    std::uint64_t byte_count = 0;
    double bits_per_item = 0;
    double expected_rate = 0;
    std::vector<fact> facts{};
};

/// Sizes the kind for n keys at a rate of p. Milliseconds. Throws bad_argument.
[[nodiscard]] kind_plan plan_of(const kind_choice& kind, items n, rate p);

/// The rate of the filter that create would make over the keys.
[[nodiscard]] chart kind_chart(const kind_plan& made, const any_filter& filter);

void print_text(const kind_plan& made);
void print_json(const kind_plan& made);

} // namespace bloomery::cli
