// Putting the keys of some inputs into a filter: what add does, and create where it is given keys.
#pragma once

#include "filter_io.hpp"
#include "input/keys.hpp"
#include "input/unplaceable.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace bloomery::cli {

/// What went into a filter, and what did not.
struct added_keys {
    std::uint64_t read = 0;
    std::uint64_t fresh = 0; ///< definitely new
    unplaceable_keys without;
};

/// Adds the keys of all inputs to a filter, which errors call `path`; `from` says how they are cut,
/// and the progress line is titled `what`. Throws what reading and the filter throw; unsupported
/// for one that takes no keys.
void add_keys(opened_filter& into, const std::string& path, const std::string& what,
              std::span<const input> inputs, const key_options& from, added_keys& added);

/// Warns if the filter holds more keys than it was made for, where that can be told, and gives the
/// exit status for it. As judge_fill.
int judge_added(const any_filter& filled, const std::string& path, bool strict);

} // namespace bloomery::cli
