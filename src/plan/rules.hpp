// The decisions, one function each, in the order in which they are tried.
#pragma once

#include "options.hpp"

#include <optional>
#include <string>
#include <vector>

namespace bloomery::plan {

/// What a rule decided, and why.
struct verdict {
    kind chosen;
    option runner_up;
    std::vector<std::string> reasons;
};

/// The first rule that matches; the last always does.
[[nodiscard]] verdict decide(const setting& at);

} // namespace bloomery::plan
