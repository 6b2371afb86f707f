// Words that a user typed: "NAME,PARAMETER=VALUE,...", and messages for unknown ones.
#pragma once

#include <bloomery/detail/export.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::inline v0::text {

/// The text in double quotes. Control bytes are escaped: a hostile file name or argument must not
/// be able to control the terminal that shows the error. O(length).
[[nodiscard]] BLOOMERY_EXPORT std::string in_quotes(std::string_view text);

/// The words, joined with a separator. O(length).
[[nodiscard]] BLOOMERY_EXPORT std::string joined(std::span<const std::string> words,
                                                 std::string_view between);

/// How many letters must be inserted, deleted, replaced or swapped with a neighbour to turn one
/// word into the other. O(product of the lengths); throws std::bad_alloc.
[[nodiscard]] BLOOMERY_EXPORT std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known word nearest to the one typed, the first of several; nothing unless it is close
/// enough: one edit for each three letters, and one at least. Leading dashes do not count.
[[nodiscard]] BLOOMERY_EXPORT std::optional<std::string>
nearest(std::string_view typed, std::span<const std::string> known);

/// Throws bad_argument: `there is no kind "cuonting"; did you mean counting?`, or if nothing is
/// close `there is no kind "x"; choose one of: bloom, counting`.
[[noreturn]] BLOOMERY_EXPORT void refuse_unknown(std::string_view what, std::string_view typed,
                                                 std::span<const std::string> known);

/// Removes and returns the part of a list before the next comma. O(length).
[[nodiscard]] BLOOMERY_EXPORT std::string_view next_part(std::string_view& rest) noexcept;

/// One "NAME=VALUE" in such a list.
struct BLOOMERY_EXPORT parameter {
    std::string_view name;
    std::optional<std::string_view> value; ///< nothing without an equals sign

    /// Splits it. O(length).
    explicit parameter(std::string_view said) noexcept;
};

/// Throws bad_argument for a parameter whose name is not among the known ones, or that lacks its
/// value.
[[noreturn]] BLOOMERY_EXPORT void refuse_parameter(std::string_view whose, const parameter& said,
                                                   std::span<const std::string> known);

/// The value of a parameter as a whole number of at most `most`. Throws bad_argument.
[[nodiscard]] BLOOMERY_EXPORT std::uint64_t
whole_number(std::string_view value, std::string_view parameter, std::uint64_t most = UINT32_MAX);
/// The same as a number above 0, and as yes or no.
[[nodiscard]] BLOOMERY_EXPORT double positive_number(std::string_view value,
                                                     std::string_view parameter);
[[nodiscard]] BLOOMERY_EXPORT bool yes_or_no(std::string_view value, std::string_view parameter);

} // namespace bloomery::inline v0::text
