// What a mistyped word was probably meant to be.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::cli {

/// How many letters must be put in, left out, exchanged or swapped with a neighbour to make one
/// word of the other. O(product of the lengths); throws std::bad_alloc.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known word nearest to the one typed, the first of several; nothing unless it is close
/// enough: one edit for each three letters, and one at least. Leading dashes do not count.
[[nodiscard]] std::optional<std::string> nearest(std::string_view typed,
                                                 std::span<const std::string> known);

/// The words in a list such as `a|b|c`.
[[nodiscard]] std::vector<std::string> words_in(std::string_view list, char between = '|');

/// Throws bad_argument: `there is no kind "cuonting"; did you mean counting?`, or if nothing is
/// close `there is no kind "x"; choose one of: bloom, counting`.
[[noreturn]] void refuse_unknown(std::string_view what, std::string_view typed,
                                 std::span<const std::string> known);

} // namespace bloomery::cli
