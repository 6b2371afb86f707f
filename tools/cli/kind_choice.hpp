// --kind: which kind of filter to make, and what only that kind is asked.
#pragma once

#include <bloomery/filter/accurate.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/any_kinds.hpp>
#include <bloomery/filter/counting.hpp>
#include <bloomery/filter/dleft.hpp>
#include <bloomery/filter/dynamic_count.hpp>
#include <bloomery/filter/scalable.hpp>
#include <bloomery/filter/spectral.hpp>
#include <bloomery/filter/window.hpp>
#include <bloomery/hash/siphash.hpp>

#include "shape_options.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace bloomery::cli {

/// What --kind says; a plain Bloom filter without it.
struct kind_choice {
    filter_kind kind = filter_kind::bloom;
    counting_options counting{};
    spectral_options spectral{};
    spectral_policy policy = spectral_policy::minimum_selection;
    dynamic_count_options dynamic_count{};
    dleft_options dleft{};
    accurate_options accurate{};
    scalable_options scalable{};
    window_options window{};

    [[nodiscard]] bool is_bloom() const noexcept { return kind == filter_kind::bloom; }
};

/// Reads "NAME" or "NAME,PARAMETER=VALUE,...". Throws bad_argument with the names there are.
[[nodiscard]] kind_choice parse_kind(std::string_view said);

/// The names of the kinds that can be made.
[[nodiscard]] std::vector<std::string> kind_names();

/// Adds --kind.
void add_kind_option(CLI::App& verb, kind_choice& to);

/// Makes the empty filter of that kind from n and p, 1 % if nobody says. Throws bad_argument when n
/// is missing or something is said that the kind does not take, memory_refused.
[[nodiscard]] any_filter new_filter(const kind_choice& kind, const shape_options& said,
                                    const std::optional<hash::sip_key>& secret);

/// Throws bad_argument if no filter is made with these parameters, whatever n and p. O(1).
void require_makeable(const kind_choice& kind);

/// Seconds since 1970: the clock of windows in files.
[[nodiscard]] std::uint64_t clock_now();

/// Tells a window what time it is; other filters do not mind.
void advance_clock(any_filter& of);

} // namespace bloomery::cli
