#include "postgres_copy.hpp"

#include <cstdint>

namespace bloomery::inline v0::store {

namespace {

constexpr std::string_view signature{"PGCOPY\n\377\r\n\0", 11};

[[noreturn]] void refuse_copy() {
    throw store_error("the answer is not a PostgreSQL copy stream: is this a PostgreSQL server?");
}

/// A big-endian number at the front of a text that is long enough.
template <std::size_t Bytes>
std::int32_t copied_number(std::string_view text) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < Bytes; ++i) {
        value = value << 8U | static_cast<unsigned char>(text[i]);
    }
    if constexpr (Bytes == 2) return static_cast<std::int16_t>(value);
    return static_cast<std::int32_t>(value);
}

} // namespace

void copy_reader::read(std::string_view piece) {
    if (rest_.empty()) {
        // A piece is usually one row.
        piece.remove_prefix(consume(piece));
        rest_ = piece;
    } else {
        rest_ += piece;
        rest_.erase(0, consume(rest_));
    }
}

std::size_t copy_reader::consume(std::string_view text) {
    std::size_t done = 0;
    for (;;) {
        const std::string_view left = text.substr(done);
        if (is_done_ && !left.empty()) refuse_copy();
        const std::size_t step = has_begun_ ? consume_row(left) : consume_header(left);
        if (step == 0) return done;
        done += step;
    }
}

/// The signature, flags, and the length of the extension to skip.
std::size_t copy_reader::consume_header(std::string_view text) {
    constexpr std::size_t fixed = signature.size() + 8;
    if (text.size() < fixed) return 0;
    const std::int32_t extension = copied_number<4>(text.substr(fixed - 4));
    if (!text.starts_with(signature) || extension < 0) refuse_copy();
    const std::size_t whole = fixed + static_cast<std::size_t>(extension);
    if (text.size() < whole) return 0;
    has_begun_ = true;
    return whole;
}

/// The count of fields, one, and the length before the field; or the count -1, at the end.
std::size_t copy_reader::consume_row(std::string_view text) {
    if (text.size() < 2) return 0;
    const std::int32_t fields = copied_number<2>(text);
    if (fields == -1) {
        is_done_ = true;
        return 2;
    }
    if (fields != 1) refuse_copy();
    if (text.size() < 6) return 0;
    const std::int32_t length = copied_number<4>(text.substr(2));
    if (length == -1) return 6; // NULL, which is not a key
    if (length < 0) refuse_copy();
    const std::size_t whole = 6 + static_cast<std::size_t>(length);
    if (text.size() < whole) return 0;
    to_.add(text.substr(6, whole - 6));
    return whole;
}

void append_field(std::string& to, std::string_view text, bool as_bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    if (as_bytes) to += "\\\\x";
    for (const char each : text) {
        const auto byte = static_cast<unsigned char>(each);
        if (as_bytes) {
            to += digits[byte >> 4U];
            to += digits[byte & 15U];
        } else if (each == '\\') {
            to += "\\\\";
        } else if (each == '\t') {
            to += "\\t";
        } else if (each == '\n') {
            to += "\\n";
        } else if (each == '\r') {
            to += "\\r";
        } else {
            to += each;
        }
    }
}

} // namespace bloomery::inline v0::store
