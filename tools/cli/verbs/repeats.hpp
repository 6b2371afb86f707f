// Lines that come more than once, in one pass: which they are, and how often they come.
#pragma once

#include <bloomery/filter/any_filter.hpp>

#include "input/input.hpp"
#include "input/keys.hpp"
#include "verbs/exact.hpp"

#include <span>

namespace bloomery::cli {

/// Prints each line that comes again, once, when it does. `seen` and `told` are empty filters of
/// one hash: a line that comes once is printed at the rate of the first, and one that comes again
/// is missed at that of the second. Throws what reading and writing throw.
void print_repeated(any_filter& seen, any_filter& told, std::span<const input> inputs,
                    const key_options& options);

/// Tells each line once with how often it came, in the order in which they first came, when all
/// were read. Lines wait in a temporary file, and a table holds the digests of those that came
/// again, so memory grows with the latter. A line is missed at the rate of `seen`. Throws as above,
/// and io_error for the temporary file.
void count_lines(any_filter& seen, std::span<const input> inputs, const key_options& options,
                 const line_teller& tell);

} // namespace bloomery::cli
