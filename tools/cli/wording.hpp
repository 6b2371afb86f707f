// Numbers and names in the command's texts: as the library reads and writes them, and figures as
// the command's tables have them.
#pragma once

#include <bloomery/detail/plan/text.hpp>
#include <bloomery/detail/text/units.hpp>
#include <bloomery/detail/text/words.hpp>

#include <cstdint>
#include <string>

namespace bloomery::cli {

using plan::counted;
using plan::grouped;
using plan::noun_for;
using text::in_quotes;
using text::nearest;
using text::parse_bytes;
using text::parse_count;
using text::parse_duration;
using text::parse_rate;
using text::parse_seed;
using text::refuse_unknown;

/// `512 B`, `64 MiB`, `1.14 MiB`: decimals are shown exactly when the amount is not whole.
[[nodiscard]] std::string format_bytes(std::uint64_t amount);

/// `1.000 %`, `0.0100 %`, and below one in 100,000 `1.2e-06`.
[[nodiscard]] std::string format_rate(double rate);

/// The same rate as `1 in 100`; `never` for 0.
[[nodiscard]] std::string format_one_in(double rate);

} // namespace bloomery::cli
