// Which kind of filter to make, with the parameters of that kind, as text: "counting,bits=8".
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/filter/accurate.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/counting.hpp>
#include <bloomery/filter/dleft.hpp>
#include <bloomery/filter/dynamic_count.hpp>
#include <bloomery/filter/scalable.hpp>
#include <bloomery/filter/spectral.hpp>
#include <bloomery/filter/window.hpp>
#include <bloomery/hash/native.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::inline v0 {

/// A kind and its options; a plain Bloom filter by default.
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

/// Reads "NAME" or "NAME,PARAMETER=VALUE,...". Throws bad_argument with the list of names.
[[nodiscard]] BLOOMERY_EXPORT kind_choice parse_kind(std::string_view said);

/// The kinds that can be made from n and p.
inline constexpr std::array makeable_kinds{
    filter_kind::bloom, filter_kind::counting, filter_kind::spectral, filter_kind::dynamic_count,
    filter_kind::dleft, filter_kind::accurate, filter_kind::scalable, filter_kind::window};

/// Their names.
[[nodiscard]] BLOOMERY_EXPORT std::vector<std::string> kind_names();

/// Makes an empty filter of a kind other than bloom. Throws bad_argument, memory_refused.
[[nodiscard]] BLOOMERY_EXPORT any_filter make_of_kind(const kind_choice& kind, items n, rate p,
                                                      const native_hash& hash = {});

} // namespace bloomery::inline v0
