// The picture of a rate over a number of keys: what is in it, and what draws it.
#pragma once

#include "output/canvas.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace bloomery::cli {

struct chart_point {
    double keys = 0;
    double rate = 0;
};

/// A place on the curve that has a name.
struct chart_mark {
    enum class role : std::uint8_t { made_for, now };
    role what = role::made_for;
    chart_point at{};
    std::string label{};
};

/// A curve, from left to right, and its axes: keys from 0 on, rates by powers of ten up to 1.
struct chart {
    std::string title{};
    std::string subtitle{};
    std::vector<chart_point> curve{};
    std::vector<chart_mark> marks{};
    double most_keys = 1;
    int least_decade = -3; ///< the power of ten at the bottom

    /// Where a point is: 0 is the left or the lower edge, 1 the right or the upper one.
    [[nodiscard]] double across(double keys) const noexcept { return keys / most_keys; }
    [[nodiscard]] double up(double rate) const noexcept;
};

/// What a curve is computed from.
struct rate_curve {
    std::string subtitle{};
    std::function<double(std::uint64_t keys)> rate_at{};
    std::optional<chart_point> made_for{};
    std::optional<chart_point> now{};
    bool now_is_bound = false; ///< of an intersection: no more keys than that
};

/// The curve from no keys to twice those it was made for, or further if more are in. As long as
/// some hundred calls of `rate_at`, and throws what that throws.
[[nodiscard]] chart chart_of(const rate_curve& of);

/// A value at an axis, and how it is written there.
struct chart_tick {
    double value = 0;
    std::string label{};
};
[[nodiscard]] std::vector<chart_tick> key_ticks(const chart& of);
[[nodiscard]] std::vector<chart_tick> rate_ticks(const chart& of);

/// In lines of text, as wide as the canvas.
[[nodiscard]] std::string drawn_as_text(const chart& of, const canvas& on);

/// As a file of its own, for light and dark pages.
[[nodiscard]] std::string drawn_as_svg(const chart& of);

} // namespace bloomery::cli
