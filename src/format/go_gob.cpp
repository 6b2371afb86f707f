// bits-and-blooms for Go in a gob stream of its own: messages that define types, then one with the
// bytes of GobEncode, which are those of WriteTo.
//
// The numbers of types depend on what else a program registered, so the definitions are kept as
// they came and written again.
#include <bloomery/error.hpp>

#include "cursor.hpp"
#include "foreign_parts.hpp"
#include "go.hpp"

#include <string>
#include <string_view>

namespace bloomery::format {

namespace {

using namespace std::string_view_literals;

// The type 65 has a GobEncoder and is named with the number 66: what a program writes that encodes
// nothing before.
constexpr std::string_view definition = "\x0a\xff\x81\x05\x01\x02\xff\x84\x00\x00\x00"sv;
constexpr std::string_view type_65 = "\xff\x82"sv;

[[noreturn]] void refuse_gob() {
    throw bad_data("this is not a gob stream of one filter of Go's bloom: its messages do not fit; "
                   "restore it from a copy");
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

/// The value of the stream's last message, which must hold bytes and be the only one that does not
/// define a type. Throws bad_data.
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
        // What is no struct stands behind a zero byte.
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

likeness looks_like_go_gob(byte_view bytes) {
    try {
        return looks_go(read_stream(bytes).payload);
    } catch (const error&) {
        return likeness::no;
    }
}

template <class Filter>
any_filter decode_go_gob(byte_view bytes, const foreign_options& options) {
    gob_value value = read_stream(bytes);
    go_parts parts = read_go(value.payload);
    parts.note.gob = std::move(value.frame);
    return filter_of<Filter>(std::move(parts), bytes.size(), options.limits);
}

template <class Filter, const foreign_format& Format>
void encode_go_gob(const any_filter& source, const byte_consumer& write,
                   const foreign_options& /*options*/) {
    require_type<Filter>(source.spec(), Format);
    const go_note note = go_note_of(source);
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

const foreign_format go_gob_format{
    .name = "go-gob",
    .what = "bits-and-blooms/bloom for Go in a gob stream; version 2.0.1 and later",
    .keys = "bytes",
    .looks = looks_like_go_gob,
    .decode = decode_go_gob<go_filter>,
    .encode = encode_go_gob<go_filter, go_gob_format>,
    .create = new_go<go_filter>,
    .facts = go_facts,
};

const foreign_format go_fnv_gob_format{
    .name = "go-fnv-gob",
    .what = "Go bits-and-blooms in a gob stream, of version 2.0.0, with hashes by FNV",
    .keys = "bytes",
    .needs = "its name: the stream is as that of the format go-gob",
    .looks = looks_like_nothing,
    .decode = decode_go_gob<go_fnv_filter>,
    .encode = encode_go_gob<go_fnv_filter, go_fnv_gob_format>,
    .create = new_go<go_fnv_filter>,
    .facts = go_facts,
};

} // namespace bloomery::format
