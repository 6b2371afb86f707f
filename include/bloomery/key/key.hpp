// What can be a key, and how it is encoded as bytes.
//
//   bytes      anything convertible to std::string_view or std::span<const std::byte>, including
//              buffers and std::arrays of char, unsigned char, char8_t or std::byte
//   integers   every width, enums, bool, char: widened to 64 bits, so that int 7 and uint64_t 7 are
//              the same key (but not wchar_t, whose type differs between platforms)
//   compound   std::array, tuple, pair, optional, ranges of keys
//   your type  through a function in its namespace:
//
//                  void bloomery_feed(bloomery::key_sink& sink, const person& p) {
//                      sink.put(p.name, p.born);
//                  }
//
//   floats     only by explicit choice: wrap them in `by_bits`, which makes -0.0 and 0.0 different
//              keys, and each NaN a key
//
// Null pointers cannot be keys: `nullptr` does not compile, and a null `const char*` throws.
//
// Unordered containers cannot be keys: two equal containers may list their elements in different
// orders, and a key with a different hash the second time would be a false negative.
#pragma once

#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/detail/key/sink.hpp>
#include <bloomery/detail/own_copy.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <optional>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>

namespace bloomery::inline v0 {

/// A floating-point number, represented by its bit pattern.
struct float_bits {
    std::uint64_t value;
};

/// Makes a key from the bits of a floating-point number. A float and the double equal to it are the
/// same key.
[[nodiscard]] constexpr float_bits by_bits(double number) noexcept {
    return {std::bit_cast<std::uint64_t>(number)};
}

/// Integers and enums of at most 64 bits. Not wchar_t, whose width and sign differ between
/// platforms.
template <class T>
concept integer_key = (std::integral<T> || std::is_enum_v<T>) &&
                      sizeof(T) <= sizeof(std::uint64_t) && !std::same_as<T, wchar_t>;

/// Types with a function `bloomery_feed(key_sink&, const T&)` in their namespace.
template <class T>
concept fed_key = requires(key_sink& sink, const T& value) { bloomery_feed(sink, value); };

/// The 64 bits of an integer key: two's complement, sign-extended. A char counts as unsigned on
/// every platform. O(1), never throws.
template <integer_key T>
[[nodiscard]] constexpr std::uint64_t integer_of(T value) noexcept {
    if constexpr (std::is_enum_v<T>) {
        return integer_of(static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (std::same_as<T, char>) {
        return static_cast<unsigned char>(value);
    } else {
        return static_cast<std::uint64_t>(value);
    }
}

namespace detail {

template <class T>
concept unordered = requires { typename T::hasher; };

template <class T>
struct is_key;

template <class T>
inline constexpr bool is_key_v = is_key<std::remove_cvref_t<T>>::value;

template <class T>
inline constexpr bool is_tuple_of_keys = false;
template <class... Parts>
inline constexpr bool is_tuple_of_keys<std::tuple<Parts...>> = (is_key_v<Parts> && ...);
template <class A, class B>
inline constexpr bool is_tuple_of_keys<std::pair<A, B>> = is_key_v<A> && is_key_v<B>;
template <class T, std::size_t N>
inline constexpr bool is_tuple_of_keys<std::array<T, N>> = is_key_v<T>;

template <class T>
inline constexpr bool is_optional_key = false;
template <class T>
inline constexpr bool is_optional_key<std::optional<T>> = is_key_v<T>;

// u"..." and U"..." would include their terminator: use a string view.
template <class T>
concept wide_literal = std::is_bounded_array_v<T> &&
                       (std::same_as<std::remove_cv_t<std::remove_extent_t<T>>, char16_t> ||
                        std::same_as<std::remove_cv_t<std::remove_extent_t<T>>, char32_t>);

// A range whose elements are of its own type (std::filesystem::path) would recurse forever.
template <class T>
concept range_of_others =
    std::ranges::input_range<const T> && !unordered<T> && !wide_literal<T> &&
    !std::same_as<std::remove_cvref_t<std::ranges::range_value_t<const T>>, T>;

template <class T>
consteval bool is_range_of_keys() {
    if constexpr (range_of_others<T>) {
        return is_key_v<std::ranges::range_value_t<const T>>;
    } else {
        return false;
    }
}

template <class T>
struct is_key : std::bool_constant<fed_key<T> || byte_string<T> || integer_key<T> ||
                                   std::same_as<T, float_bits> || is_tuple_of_keys<T> ||
                                   is_optional_key<T> || is_range_of_keys<T>()> {};

} // namespace detail

// Compilers print this name if a type is not a key, so it says what to do.
namespace detail {
template <class T>
inline constexpr bool is_key_else_use_by_bits_or_bloomery_feed_for = is_key_v<T>;
} // namespace detail

/// Anything that can be a key: see the top of this file.
template <class T>
concept key = detail::is_key_else_use_by_bits_or_bloomery_feed_for<T>;

/// Appends the encoding of one key to a sink. Linear in the key; throws std::bad_alloc, and
/// whatever a user's `bloomery_feed` or range throws.
///
///   integer        8 bytes          byte string   8 bytes of length, the bytes
///   tuple, array   the parts        optional      one byte 0, or one byte 1 and the value
///   range          8 bytes of count, the elements
template <key T>
BLOOMERY_OWN_COPY void feed(key_sink& sink, const T& value) {
    if constexpr (fed_key<T>) {
        bloomery_feed(sink, value);
    } else if constexpr (byte_string<T>) {
        const byte_view content = bytes_of(value);
        sink.append(static_cast<std::uint64_t>(content.size())).append(content);
    } else if constexpr (integer_key<T>) {
        sink.append(integer_of(value));
    } else if constexpr (std::same_as<T, float_bits>) {
        sink.append(value.value);
    } else if constexpr (detail::is_tuple_of_keys<T>) {
        std::apply([&](const auto&... parts) { sink.put(parts...); }, value);
    } else if constexpr (detail::is_optional_key<T>) {
        const std::byte present{value.has_value()};
        sink.append(byte_view{&present, 1});
        if (value) {
            feed(sink, *value);
        }
    } else {
        const std::size_t count_at = sink.byte_count();
        sink.append(std::uint64_t{0});
        std::uint64_t count = 0;
        for (const std::ranges::range_value_t<const T>& element : value) {
            feed(sink, element);
            ++count;
        }
        sink.patch(count_at, count);
    }
}

template <class... Parts>
key_sink& key_sink::put(const Parts&... parts) {
    static_assert(
        (!std::floating_point<Parts> && ...),
        "floating-point numbers are keys only by explicit choice: wrap them in bloomery::by_bits");
    static_assert(((key<Parts> || std::floating_point<Parts>) && ...),
                  "every part must be a key (see bloomery/key/key.hpp)");
    if constexpr ((key<Parts> && ...)) { // or else the errors above are enough
        (feed(*this, parts), ...);
    }
    return *this;
}

} // namespace bloomery::inline v0
