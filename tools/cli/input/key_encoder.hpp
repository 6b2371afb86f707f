// Records as keys: --key says how the text of a record becomes one.
#pragma once

#include <bloomery/detail/key/key_encoding.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery::cli {

/// The integer that a text stands for, for encodings that give integers. Throws bad_argument, which
/// names the record, for a text that spells none or one out of range.
[[nodiscard]] std::uint64_t integer_key(key_encoding of, std::string_view text,
                                        std::uint64_t record);

/// Whether a text is the bytes of its key already: for these nothing has to be copied. O(text),
/// never throws.
[[nodiscard]] bool is_its_own_key(key_encoding of, std::string_view text) noexcept;

/// Turns texts into the bytes of their keys, for encodings that give bytes.
class key_encoder {
public:
    /// The bytes of a key, valid until the next call. O(text); throws bad_argument, which names the
    /// record, for a text that the encoding does not have.
    [[nodiscard]] std::string_view encode(key_encoding of, std::string_view text,
                                          std::uint64_t record);

private:
    void append_text(key_encoding of, std::string_view text, std::uint64_t record);

    std::string bytes_;
    key_bytes encoded_;
};

} // namespace bloomery::cli
