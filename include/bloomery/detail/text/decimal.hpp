// An unsigned decimal number of any length, as written in a text.
//
// It exists so that a parser can read `0.1KiB` or 9007199254740993 without a rounding step in
// between: scaling moves the point or doubles the digits, and the conversion to a machine type
// comes last.
#pragma once

#include <bloomery/detail/export.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bloomery::inline v0::text {

/// The number `digits` x 10^`exponent`; `digits` holds at least one of 0-9 and nothing else.
struct BLOOMERY_EXPORT decimal {
    std::string digits;
    int exponent = 0;

    /// Multiplies by 2^`power`, exactly. O(power x digits).
    void scale_by_two(unsigned power);

    /// The value if it is a whole number. Saturates: too large a number gives `too_large`.
    enum class verdict { whole, fraction, too_large };
    struct whole_number {
        verdict what;
        std::uint64_t value;
    };
    [[nodiscard]] whole_number to_whole() const;

    /// The nearest double; nothing if the number is too small or too large for one.
    [[nodiscard]] std::optional<double> to_double() const;
};

/// Takes the longest number from the front of `text` and leaves the rest there: digits with single
/// underscores between them, a point and more digits, an exponent. Nothing if there is none.
[[nodiscard]] BLOOMERY_EXPORT std::optional<decimal> take_decimal(std::string_view& text);

} // namespace bloomery::inline v0::text
