// What `bloomery plan` says, gathered before any of it is printed.
#pragma once

#include <bloomery/detail/plan/iterate.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/redis.hpp>
#include <bloomery/plan/sizing.hpp>

#include "output/chart.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace bloomery::cli {

struct plan_report {
    plan::answer answer{};            ///< what create makes, or what the formula says
    std::string compat;               ///< the foreign formula used, if one was
    std::vector<plan::answer> others; ///< the same goal in the other layouts
    std::array<plan::overfilled, 5> overfill{};
    std::optional<plan::iteration> steps;
    std::optional<plan::redis_cost> redis;
};

/// The names of the libraries whose formulas there are.
[[nodiscard]] std::vector<std::string> compat_names();

/// The size that another library would choose, with the exact rate it has. Throws bad_argument for
/// a name that is none.
[[nodiscard]] plan::answer compat_answer(const std::string& name, items n, rate p);

/// The same keys and rate in every other layout that can hold them.
[[nodiscard]] std::vector<plan::answer> other_layouts(const plan::answer& found);

/// The rate of the answer over the keys.
[[nodiscard]] chart plan_chart(const plan_report& report);

void print_text(const plan_report& report);
void print_json(const plan_report& report);

} // namespace bloomery::cli
