// Base64 with padding, in both of its alphabets (RFC 4648, sections 4 and 5).
#pragma once

#include <bloomery/detail/key/bytes.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::inline v0::format {

enum class base64_alphabet {
    url,      ///< with - and _
    standard, ///< with + and /
};

/// Bytes, and the alphabet of the text: url if the text does not show it.
struct base64_bytes {
    std::vector<std::byte> bytes;
    base64_alphabet alphabet = base64_alphabet::url;
};

/// The bytes of a text, or nothing if it is not what to_base64 would write. O(n); throws
/// std::bad_alloc.
[[nodiscard]] std::optional<base64_bytes> from_base64(std::string_view text);

/// The text. O(n); throws std::bad_alloc.
[[nodiscard]] std::string to_base64(byte_view bytes, base64_alphabet alphabet);

} // namespace bloomery::inline v0::format
