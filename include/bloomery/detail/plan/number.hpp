// Floating-point numbers as programs write and read them, whatever the locale.
//
// Modules of WebAssembly have tools/web/core/numbers.cpp instead of src/plan/number.cpp.
#pragma once

#include <bloomery/detail/cxx20.hpp>
#include <bloomery/detail/export.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace bloomery::inline v0::plan {

/// The shortest text that reads back as the same number: 0.1, 1e+22. O(1).
[[nodiscard]] BLOOMERY_EXPORT std::string shortest(double value);
/// The same as digits and an exponent: 1e-01, 1.25e+00. O(1).
[[nodiscard]] BLOOMERY_EXPORT std::string scientific(double value);
/// With that many digits after the point: 1.25e-02. O(1).
[[nodiscard]] BLOOMERY_EXPORT std::string scientific(double value, int places);
/// With that many significant digits: 0.0125, 1.25e-10. O(1).
[[nodiscard]] BLOOMERY_EXPORT std::string rounded(double value, int digits);
/// Rounded to a whole number, of at most 10^19: 1234. O(1).
[[nodiscard]] BLOOMERY_EXPORT std::string whole(double value);

/// The number that the whole text spells; nothing if it spells none, or one out of range. O(text).
[[nodiscard]] BLOOMERY_EXPORT std::optional<double> double_in(std::string_view text);

} // namespace bloomery::inline v0::plan
