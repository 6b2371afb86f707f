// bits-and-blooms for Go in a gob stream of its own: messages that define types, then one with the
// bytes of GobEncode, which are those of WriteTo.
//
// Type numbers depend on what else a program registered, so the definitions are kept and written
// back unchanged.
#include <bloomery/error.hpp>

#include "cursor.hpp"
#include "foreign_parts.hpp"
#include "go.hpp"

#include <string>
#include <string_view>

namespace bloomery::inline v0::format {

namespace {

using namespace std::string_view_literals;

// Type 65 has a GobEncoder and is defined as number 66: the output of a program that has encoded
// nothing before.
constexpr std::string_view definition = "\x0a\xff\x81\x05\x01\x02\xff\x84\x00\x00\x00"sv;
constexpr std::string_view type_65 = "\xff\x82"sv;

[[noreturn]] void refuse_gob() {
    throw bad_data("this is not a gob stream of one filter of Go's bloom: its messages are "
                   "invalid; restore it from a copy");
}

/// One byte below 128, or the negated count of bytes and then those.
std::uint64_t take_number(cursor& from) {
    const auto first = from.big<std::uint8_t>();
    if (first < 128) {
        return first;
    }
    const unsigned count = 256U - first;
    if (count > 8) {
        refuse_gob();
    }
    std::uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i) {
        value = value << 8U | from.big<std::uint8_t>();
    }
    return value;
}

std::string number(std::uint64_t value) {
    if (value < 128) {
        return {static_cast<char>(value)};
    }
    std::string bytes;
    for (; value != 0; value >>= 8U) {
        bytes.insert(bytes.begin(), static_cast<char>(value & 0xffU));
    }
    bytes.insert(bytes.begin(), static_cast<char>(256 - bytes.size()));
    return bytes;
}

struct gob_value {
    gob_frame frame;
    byte_view payload;
};

/// The value of the stream's last message, which must contain bytes and be the only message that is
/// not a type definition. Throws bad_data.
gob_value read_stream(byte_view bytes) {
    cursor from(bytes);
    while (true) {
        const std::size_t before = bytes.size() - from.left();
        cursor message(from.take(take_number(from)));
        const byte_view whole = message.rest();
        const std::uint64_t type = take_number(message);
        if (type % 2 != 0) { // a negative number: the definition of that type
            continue;
        }
        const std::size_t type_bytes = whole.size() - message.left();
        // A value that is not a struct is preceded by a zero byte.
        if (type == 0 || message.big<std::uint8_t>() != 0) {
            refuse_gob();
        }
        const byte_view payload = message.take(take_number(message));
        if (message.left() != 0 || from.left() != 0) {
            refuse_gob();
        }
        return {{std::string(text_of(bytes.first(before))),
                 std::string(text_of(whole.first(type_bytes)))},
                payload};
    }
}

go_parts read_go_gob(byte_view bytes) {
    gob_value value = read_stream(bytes);
    go_parts parts = read_go(value.payload);
    parts.note.gob = std::move(value.frame);
    return parts;
}

void write_go_gob(const any_filter& source, const go_note& note, const byte_consumer& write) {
    const std::uint64_t payload = go_byte_count(note);
    const gob_frame frame =
        note.gob.type.empty() ? gob_frame{std::string(definition), std::string(type_65)} : note.gob;
    const std::string size = number(payload);
    const std::string head = frame.definitions +
                             number(frame.type.size() + 1 + size.size() + payload) + frame.type +
                             '\0' + size;
    write(std::as_bytes(std::span(head)));
    write_go(source, note, write);
}

} // namespace

likeness looks_like_go_gob(byte_view bytes) {
    const likeness found =
        sure_if_readable([&] { return looks_go(read_stream(bytes).payload) != likeness::no; });
    return possible_if(found == likeness::sure);
}

const foreign_format go_gob_format =
    go_format_of<false, looks_like_go_gob, read_go_gob, write_go_gob, go_gob_format>(
        "go-gob", "bits-and-blooms/bloom for Go in a gob stream; version 2.0.1 and later",
        "its name: the stream looks like that of the format go-fnv-gob");
const foreign_format go_fnv_gob_format =
    go_format_of<true, looks_like_go_gob, read_go_gob, write_go_gob, go_fnv_gob_format>(
        "go-fnv-gob", "Go bits-and-blooms in a gob stream, version 2.0.0, with FNV hashes",
        "its name: the stream looks like that of the format go-gob");

} // namespace bloomery::inline v0::format
