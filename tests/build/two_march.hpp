// Two parts of one program, compiled for different processors: see two_march.sh.
#pragma once

#include <bloomery/bloomery.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace two_march {

using numbers = std::span<const std::uint64_t>;
using texts = std::span<const std::string>;

inline constexpr bloomery::items keys{4000};
inline constexpr bloomery::rate error{0.01};

/// One filter of each type that programs use; layouts known at compile time, and at run time.
struct filters {
    bloomery::filter chosen{keys, error};
    bloomery::fast_filter fast{keys, error};
    bloomery::line_filter line{keys, error};
    bloomery::deep_filter deep{keys, error};
    bloomery::blocked_filter blocked{keys, error};
    bloomery::classic_filter classic{keys, error};
    bloomery::counting_filter counting{keys, error};
    bloomery::counting_filter lines{keys, error, {4, bloomery::counter_layout::blocked}};
    bloomery::spectral_filter spectral{keys, error};
    bloomery::accurate_filter accurate{keys, error};
    bloomery::dleft_filter dleft{keys, error};
    bloomery::scalable_filter scalable{bloomery::items{500}, error};
    bloomery::window_filter window{keys, error};
    bloomery::any_filter any{bloomery::filter(keys, error)};
    bloomery::any_filter any_fast{bloomery::fast_filter(keys, error)};
    bloomery::any_filter any_accurate{bloomery::accurate_filter(keys, error)};
    bloomery::excepted<bloomery::fast_filter> listed{bloomery::fast_filter(keys, error)};
};

/// What each part does, in its own instructions.
struct part {
    filters (*make)();
    void (*insert)(filters& into, numbers keys, texts names);
    /// How many of the keys are missing, of all filters and ways to ask.
    std::uint64_t (*missing)(const filters& in, numbers keys, texts names);
    /// All bits of all filters, what is told of them, and of a union and a copy with fewer keys.
    std::vector<std::uint64_t> (*state)(const filters& of, numbers keys);
};

extern const part first;
extern const part second;

} // namespace two_march
