// bloomery uniq --redis: many processes, on many machines, that print each line once among them.
#pragma once

#include <bloomery/plan/quantity.hpp>

#include "filter_io.hpp"
#include "input/keys.hpp"

#include <optional>
#include <span>
#include <string>

namespace bloomery::cli {

/// The options of uniq.
struct shared_state {
    const access_options& access;
    const key_options& keys;
    const std::string& name;
    std::optional<items> n; ///< of a new filter
    rate p;
    bool repeated; ///< print the lines that were seen before instead
};

/// Prints what nobody has printed who shares the filter of that name, which is made if it is
/// missing. A line is claimed before it is printed: a process that is killed between the two takes
/// the lines of one batch with it. Returns whether the filter is then overfilled. Throws
/// bad_argument for a new one without n, and what redis_filter throws.
bool uniq_in_redis(const shared_state& with, std::span<const input> inputs);

} // namespace bloomery::cli
