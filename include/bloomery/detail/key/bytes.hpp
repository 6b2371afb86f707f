// Values that are bytes already: strings, byte spans, buffers of char.
#pragma once

#include <bloomery/detail/export.hpp>

#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>

namespace bloomery::inline v0 {

/// The bytes of a key, borrowed.
using byte_view = std::span<const std::byte>;

/// A one-byte type whose arrays are raw bytes rather than lists of small numbers.
template <class T>
concept byte_like =
    std::same_as<std::remove_cv_t<T>, char> || std::same_as<std::remove_cv_t<T>, unsigned char> ||
    std::same_as<std::remove_cv_t<T>, char8_t> || std::same_as<std::remove_cv_t<T>, std::byte>;

/// Anything that converts to `std::string_view` or is a contiguous run of bytes. The key is exactly
/// those bytes: nothing is trimmed, an embedded NUL counts, the empty string is a key. (A string
/// literal ends at its first NUL, as everywhere in C++; write `"a\0b"sv` to keep what follows.)
/// `nullptr` is not a string.
template <class T>
concept byte_string =
    !std::same_as<T, std::nullptr_t> &&
    (std::convertible_to<const T&, std::string_view> || std::convertible_to<const T&, byte_view> ||
     (std::ranges::contiguous_range<const T> && std::ranges::sized_range<const T> &&
      byte_like<std::ranges::range_value_t<const T>>));

namespace detail {

/// Throws bad_argument: a null pointer was given for a string.
[[noreturn]] BLOOMERY_EXPORT void refuse_null_key();

} // namespace detail

/// The bytes of a byte string. O(1), except for C strings, whose length must be found. Throws
/// bad_argument for a C string that is a null pointer.
template <byte_string T>
[[nodiscard]] byte_view bytes_of(const T& value) noexcept(!std::is_pointer_v<T>) {
    if constexpr (std::is_pointer_v<T>) {
        if (value == nullptr) [[unlikely]] {
            detail::refuse_null_key();
        }
    }
    if constexpr (std::is_bounded_array_v<T> &&
                  std::same_as<std::remove_cv_t<std::remove_extent_t<T>>, char8_t>) {
        // u8"..." is a literal like "...": without its terminator.
        const std::u8string_view all(std::ranges::data(value), std::ranges::size(value));
        return std::as_bytes(std::span{all.substr(0, all.find(u8'\0'))});
    } else if constexpr (std::convertible_to<const T&, std::string_view>) {
        const std::string_view text = value;
        return std::as_bytes(std::span{text.data(), text.size()});
    } else if constexpr (std::convertible_to<const T&, byte_view>) {
        return value;
    } else {
        return std::as_bytes(std::span{std::ranges::data(value), std::ranges::size(value)});
    }
}

} // namespace bloomery::inline v0
