// From keys of every type to the two kinds that hash differently: bytes and integers.
#pragma once

#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/key/key.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bloomery::inline v0::detail {

using byte_keys = std::span<const std::string_view>;
using integer_keys = std::span<const std::uint64_t>;

template <class Key>
inline constexpr bool is_raw_integer = integer_key<Key> && !fed_key<Key>;
template <class Key>
inline constexpr bool is_raw_bytes = byte_string<Key> && !fed_key<Key>;

/// Calls `with` with what a hash takes: the bytes of a key, or its number.
template <class Key, class With>
BLOOMERY_OWN_COPY decltype(auto) with_raw(const Key& key, With with) {
    if constexpr (is_raw_integer<Key>) {
        return with(integer_of(key));
    } else if constexpr (is_raw_bytes<Key>) {
        return with(bytes_of(key));
    } else {
        key_sink sink;
        feed(sink, key);
        return with(sink.bytes());
    }
}

inline std::string_view text_of(byte_view bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Appends the bytes of all keys of a range to a sink, and returns where each ends.
template <class Keys>
BLOOMERY_OWN_COPY std::vector<std::size_t> feed_all(key_sink& sink, Keys& keys) {
    std::vector<std::size_t> ends;
    for (const std::ranges::range_value_t<Keys>& key : keys) {
        if constexpr (is_raw_bytes<std::ranges::range_value_t<Keys>>) {
            sink.append(bytes_of(key));
        } else {
            feed(sink, key);
        }
        ends.push_back(sink.byte_count());
    }
    return ends;
}

/// Calls `with` once, with all keys of a range as byte_keys or integer_keys. O(bytes) unless they
/// are that already; throws std::bad_alloc and what the range and the keys' own functions throw,
/// before the call.
template <class Keys, class With>
BLOOMERY_OWN_COPY void with_raw_keys(Keys& keys, With with) {
    using key_type = std::ranges::range_value_t<Keys>;
    if constexpr (std::convertible_to<Keys&, byte_keys>) {
        with(byte_keys(keys));
    } else if constexpr (std::convertible_to<Keys&, integer_keys>) {
        with(integer_keys(keys));
    } else if constexpr (is_raw_integer<key_type>) {
        std::vector<std::uint64_t> numbers;
        for (const key_type& key : keys) {
            numbers.push_back(integer_of(key));
        }
        with(integer_keys(numbers));
    } else {
        key_sink sink;
        std::vector<std::string_view> views;
        if constexpr (is_raw_bytes<key_type> && std::ranges::forward_range<Keys> &&
                      std::is_lvalue_reference_v<std::ranges::range_reference_t<Keys>>) {
            for (const key_type& key : keys) { // which stay where they are
                views.push_back(text_of(bytes_of(key)));
            }
        } else {
            std::size_t from = 0;
            for (const std::size_t end : feed_all(sink, keys)) {
                views.push_back(text_of(sink.bytes().subspan(from, end - from)));
                from = end;
            }
        }
        with(byte_keys(views));
    }
}

} // namespace bloomery::inline v0::detail
