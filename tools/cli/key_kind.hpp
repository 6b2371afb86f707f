// What a key is: the bytes of its text, or what another system makes of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::cli {

/// How the text of a record becomes a key. All but the last three kinds give bytes; those give
/// integers as C++ has them.
enum class key_kind : std::uint8_t {
    bytes,
    hex,          ///< the bytes that pairs of hexadecimal digits spell
    utf8,         ///< text as Java encodes it: an unpaired surrogate becomes '?'
    utf16le,      ///< the code units as they are
    utf16le_text, ///< as Java encodes it: an unpaired surrogate becomes U+FFFD
    latin1,       ///< ISO-8859-1; what it lacks becomes '?'
    i32le,
    i32be,
    u32be,
    i64le,
    i64be,
    f32le,
    f64le,
    kryo5,
    kryo5_int,
    kryo5_long,
    integer,   ///< any 64-bit integer
    java_int,  ///< a 32-bit integer
    java_long, ///< Java's hash code of a 64-bit integer
};

/// The kind of this name. Throws bad_argument, which lists the names, if there is none.
[[nodiscard]] key_kind parse_key_kind(std::string_view name);

/// What --key calls it. O(1), never throws.
[[nodiscard]] std::string_view name_of(key_kind kind) noexcept;

/// The names of all kinds; throws std::bad_alloc.
[[nodiscard]] std::vector<std::string> key_kind_names();

/// Whether keys of this kind are integers rather than bytes. O(1), never throws.
[[nodiscard]] constexpr bool gives_integers(key_kind kind) noexcept {
    return kind >= key_kind::integer;
}

/// The integer that a text of such a kind stands for. Throws bad_argument, which names the record,
/// for a text that spells none or one out of range.
[[nodiscard]] std::uint64_t integer_key(key_kind kind, std::string_view text, std::uint64_t record);

/// Whether a text is the bytes of its key already: for these nothing has to be copied. O(text),
/// never throws.
[[nodiscard]] bool is_its_own_key(key_kind kind, std::string_view text) noexcept;

/// Turns texts into the bytes of their keys, for kinds that give bytes.
class key_encoder {
public:
    /// The bytes of a key, valid until the next call. O(text); throws bad_argument, which names the
    /// record, for a text that is none of this kind.
    [[nodiscard]] std::string_view encode(key_kind kind, std::string_view text,
                                          std::uint64_t record);

private:
    void append_text(key_kind kind, std::string_view text, std::uint64_t record);

    std::string bytes_;
    std::u16string units_;
};

} // namespace bloomery::cli
