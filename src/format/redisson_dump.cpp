// The same value as Redis DUMP gives it: type, length, bytes, version, checksum.
#include <bloomery/error.hpp>

#include "bare_array.hpp"
#include "crc64.hpp"
#include "cursor.hpp"
#include "foreign_parts.hpp"
#include "keeping.hpp"
#include "redisson.hpp"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace bloomery::format {

namespace {

constexpr std::size_t footer_bytes = 10;
constexpr std::uint16_t newest_version = 10; // of Redis 7.0; a newer Redis restores it too

struct dump_note {
    std::uint16_t version; ///< of the RDB format, which the writer had
};
using kept = keeping<redisson_filter, dump_note>;

/// What stands in front of a string: its length, or how it is written instead.
struct prefix {
    enum { raw, integer, compressed, unknown } kind;
    std::uint64_t size; ///< in bytes, of the string or of the integer
};

prefix prefix_of(cursor& from) {
    const auto first = from.big<std::uint8_t>();
    switch (first >> 6U) {
    case 0:
        return {prefix::raw, first};
    case 1:
        return {prefix::raw, (first & 0x3fU) << 8U | std::uint64_t{from.big<std::uint8_t>()}};
    case 2:
        if (first == 0x80) {
            return {prefix::raw, from.big<std::uint32_t>()};
        }
        return first == 0x81 ? prefix{prefix::raw, from.big<std::uint64_t>()}
                             : prefix{prefix::unknown, 0};
    default:
        if (first <= 0xc2) {
            return {prefix::integer, std::uint64_t{1} << (first & 3U)};
        }
        return {first == 0xc3 ? prefix::compressed : prefix::unknown, 0};
    }
}

/// A string of digits, which Redis keeps as a number.
std::string digits_of(cursor& from, std::uint64_t size) {
    switch (size) {
    case 1:
        return std::to_string(static_cast<std::int8_t>(from.little<std::uint8_t>()));
    case 2:
        return std::to_string(static_cast<std::int16_t>(from.little<std::uint16_t>()));
    default:
        return std::to_string(static_cast<std::int32_t>(from.little<std::uint32_t>()));
    }
}

bool has_checksum(byte_view bytes) {
    cursor sum(bytes.last(8));
    return crc64_redis(bytes.first(bytes.size() - 8)) == sum.little<std::uint64_t>();
}

likeness looks_like_redisson_dump(byte_view bytes) {
    if (bytes.size() < footer_bytes + 2 || bytes[0] != std::byte{0}) {
        return likeness::no;
    }
    try {
        cursor from(bytes.subspan(1, bytes.size() - 1 - footer_bytes));
        const prefix front = prefix_of(from);
        const bool fits = front.kind == prefix::compressed ||
                          (front.kind != prefix::unknown && from.left() == front.size);
        return fits && has_checksum(bytes) ? likeness::sure : likeness::no;
    } catch (const bad_data&) {
        return likeness::no;
    }
}

any_filter decode_redisson_dump(byte_view bytes, const foreign_options& options) {
    if (bytes.size() < footer_bytes + 2 || !has_checksum(bytes)) {
        throw bad_data("this is not a DUMP of Redis, or it is damaged: it does not end with its "
                       "checksum; make it again");
    }
    cursor footer(bytes.last(footer_bytes));
    const auto version = footer.little<std::uint16_t>();
    cursor from(bytes.first(bytes.size() - footer_bytes));
    if (from.big<std::uint8_t>() != 0) {
        throw bad_data("this DUMP of Redis holds no string, as a Redisson filter is one");
    }
    const prefix front = prefix_of(from);
    if (front.kind == prefix::compressed) {
        throw unsupported("this DUMP of Redis is compressed with LZF, which is not read here: "
                          "store what GET returns, and read it as one of the format redisson");
    }
    if (front.kind == prefix::unknown) {
        throw unsupported(
            "this DUMP of Redis has a string in a form that this version does not "
            "know: store what GET returns, and read it as one of the format redisson");
    }
    require_left(from.left(), front.size, "its string");
    std::string digits;
    byte_view value = from.rest();
    if (front.kind == prefix::integer) {
        digits = digits_of(from, front.size);
        value = std::as_bytes(std::span(digits));
    }
    return with_note<kept>(redisson_of_value(value, options), {version});
}

/// The number that Redis keeps instead of a short string, if it would.
std::optional<std::int32_t> number_for(byte_view value) {
    const std::string_view text = text_of(value);
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool same = error == std::errc{} && std::to_string(number) == text;
    return same ? std::optional(number) : std::nullopt;
}

/// The type and the length; for a string of digits all of it.
byte_writer front_of(byte_view start, std::uint64_t size) {
    byte_writer to;
    to.big(std::uint8_t{0});
    const auto number = size <= 11 ? number_for(start) : std::nullopt;
    if (number && *number >= -128 && *number <= 127) {
        to.big(std::uint8_t{0xc0});
        to.little(static_cast<std::uint8_t>(*number));
    } else if (number && *number >= -32768 && *number <= 32767) {
        to.big(std::uint8_t{0xc1});
        to.little(static_cast<std::uint16_t>(*number));
    } else if (number) {
        to.big(std::uint8_t{0xc2});
        to.little(static_cast<std::uint32_t>(*number));
    } else if (size < 64) {
        to.big(static_cast<std::uint8_t>(size));
    } else if (size < 16384) {
        to.big(static_cast<std::uint16_t>(size | 0x4000U));
    } else { // a filter has fewer than 2^32 bytes
        to.big(std::uint8_t{0x80});
        to.big(static_cast<std::uint32_t>(size));
    }
    return to;
}

void encode_redisson_dump(const any_filter& source, const byte_consumer& write,
                          const foreign_options& /*options*/) {
    require_redisson(source.spec(), redisson_dump_format);
    const std::uint64_t size = used_bytes(source.words());
    std::uint64_t sum = 0;
    const auto summed = [&](byte_view part) {
        sum = crc64_redis(part, sum);
        write(part);
    };
    const auto start = size <= 11 ? bytes_from(source.words(), bit_order::bytes_msb, size)
                                  : std::vector<std::byte>{};
    summed(front_of(start, size).bytes());
    if (size > 11 || !number_for(start)) {
        write_array(source.words(), bit_order::bytes_msb, size, summed);
    }
    const auto* const noted = source.get_if<kept>();
    byte_writer footer;
    footer.little(noted != nullptr ? noted->note.version : newest_version);
    summed(footer.bytes());
    byte_writer last;
    last.little(sum);
    write(last.bytes());
}

std::vector<foreign_fact> redisson_dump_facts(const any_filter& of) {
    std::vector<foreign_fact> told = redisson_facts(of);
    if (const auto* const noted = of.get_if<kept>()) {
        told.push_back({"RDB version", std::to_string(noted->note.version)});
    }
    return told;
}

} // namespace

const foreign_format redisson_dump_format{
    .name = "redisson-dump",
    .what = "Redisson RBloomFilter (Java) as Redis DUMP gives it and RESTORE takes it",
    .keys = "kryo5",
    .needs = "bits and hashes, which are size and hashIterations of its config, or items and rate",
    .looks = looks_like_redisson_dump,
    .decode = decode_redisson_dump,
    .encode = encode_redisson_dump,
    .create = new_redisson,
    .facts = redisson_dump_facts,
};

} // namespace bloomery::format
