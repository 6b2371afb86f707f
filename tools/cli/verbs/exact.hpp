// The second check: a filter narrows the lines down, then memory decides the few that are left.
#pragma once

#include <bloomery/filter/any_filter.hpp>

#include "input/input.hpp"
#include "input/keys.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace bloomery::cli {

/// How many records the inputs hold, without moving in them; nothing if one is a pipe. Shows
/// its progress. O(bytes).
[[nodiscard]] std::optional<std::uint64_t> count_records(std::span<const input> inputs,
                                                         char delimiter);

/// Prints each line once (or, if `again`, each line after its first time), exactly.
/// First pass: a key that `seen` has definitely not seen is skipped; one that it may have seen is
/// put into a second filter of doubtful keys. Every key that occurs twice is doubtful, since a
/// filter has no false negatives. Second pass: a key that is definitely not doubtful occurs once
/// and is printed; the others are looked up in a table of whole keys. So memory holds two filters
/// and the keys that occur more than once (and about one in a thousand of the rest), never the
/// whole input.
///
/// Throws bad_argument if an input cannot be read twice.
void uniq_exactly(any_filter seen, std::span<const input> inputs, const key_options& options,
                  bool again);

/// Prints each line that occurs more than once, at its second place. As above.
void repeated_exactly(any_filter seen, std::span<const input> inputs, const key_options& options);

/// Takes a line and how often it occurs.
using line_teller = std::function<void(std::uint64_t count, std::string_view line)>;

/// Tells each line once, at its first place, with its count; in three passes, and as above.
void count_exactly(any_filter seen, std::span<const input> inputs, const key_options& options,
                   const line_teller& tell);

} // namespace bloomery::cli
