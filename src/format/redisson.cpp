// Redisson's RBloomFilter: a Redis string, set with SETBIT. Its size is stored under another key.
//
// The value is as GET returns it, or as DUMP does: type, length, bytes, version, checksum.
#include <bloomery/detail/text/number.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>
#include <bloomery/plan/redis.hpp>

#include "cursor.hpp"
#include "foreign_parts.hpp"
#include "keeping.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace bloomery::inline v0::format {

namespace {

constexpr std::string_view redisson_needs =
    "bits and hashes, which are size and hashIterations of its config, or items and rate";

/// The shape that the options describe.
plan::compat_shape redisson_told(const foreign_options& options) {
    if (options.m && options.k) {
        if (options.m->value == 0 || options.m->value > plan::max_redisson_bits ||
            options.k->value == 0) {
            throw bad_argument("Redisson filters have 1 to 4294967294 bits and at least one "
                               "hash: give bits and hashes in that range");
        }
        return {options.m->value, options.k->value};
    }
    if (!options.n || !options.p) {
        throw bad_argument(
            "the bits of a Redisson filter do not contain its size: give bits and hashes (size "
            "and hashIterations of its config), or items and rate");
    }
    return plan::redisson_shape(*options.n, *options.p);
}

design told_design(const foreign_options& options) {
    return {options.n ? options.n->value : 0, options.p ? options.p->value : 0};
}

spec redisson_spec(const plan::compat_shape& shape) {
    return spec_of<redisson_filter>(shape.bit_count, shape.hash_count);
}

/// The filter for a Redis value. Throws bad_argument unless the options give its size.
any_filter redisson_of_value(byte_view value, const foreign_options& options) {
    return filter_of_used(redisson_spec(redisson_told(options)), value, bit_order::bytes_msb,
                          options.limits, told_design(options));
}

/// Throws incompatible for a filter that Redisson cannot have.
void require_redisson(const spec& what, const foreign_format& format) {
    require_type<redisson_filter>(what, format);
    if (what.shape.bit_count > plan::max_redisson_bits) {
        throw incompatible("Redisson filters have at most 4294967294 bits");
    }
}

any_filter new_redisson(const foreign_options& options) {
    return empty_filter(redisson_spec(redisson_told(options)), told_design(options));
}

std::vector<foreign_fact> redisson_facts(const any_filter& of) {
    const plan::shape shape = of.spec().shape;
    const std::uint64_t count =
        plan::redisson_count(of.stats().bits_set, bits{shape.bit_count}, hashes{shape.hash_count});
    std::vector<foreign_fact> facts{{"size", std::to_string(shape.bit_count)},
                                    {"hashIterations", std::to_string(shape.hash_count)},
                                    {"count", std::to_string(count)}};
    if (const design goal = of.made_for(); goal.item_capacity != 0) {
        facts.push_back({"expectedInsertions", std::to_string(goal.item_capacity)});
        facts.push_back({"falseProbability", java_double(goal.target_rate)});
    }
    return facts;
}

void encode_redisson(const any_filter& source, const byte_consumer& write,
                     const foreign_options& /*options*/) {
    require_redisson(source.spec(), redisson_format);
    write_array(source.words(), bit_order::bytes_msb, used_bytes(source.words()), write);
}

// Redis' checksum: CRC-64 with Jones's polynomial, lowest bit first, starting from 0.
constexpr std::array<std::uint64_t, 256> crc64_table = [] {
    std::array<std::uint64_t, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        std::uint64_t rest = i;
        for (int bit = 0; bit < 8; ++bit) {
            rest = rest >> 1U ^ (rest % 2 != 0 ? 0x95ac9329ac4bc9b5U : 0U);
        }
        table[i] = rest;
    }
    return table;
}();

/// Continues a checksum with these bytes. O(bytes).
std::uint64_t crc64_redis(byte_view bytes, std::uint64_t sum = 0) noexcept {
    for (const std::byte b : bytes) {
        sum = crc64_table[(sum ^ std::to_integer<std::uint64_t>(b)) & 0xffU] ^ sum >> 8U;
    }
    return sum;
}

constexpr std::size_t footer_bytes = 10;
constexpr std::uint16_t newest_version = 10; // of Redis 7.0; a newer Redis restores it too

struct dump_note {
    std::uint16_t version; ///< of the writer's RDB format
};
using kept = keeping<redisson_filter, dump_note>;

/// The prefix of a string: its length, or a special encoding.
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

/// A string of digits, which Redis stores as a number.
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
    return sure_if_readable([&] {
        cursor from(bytes.subspan(1, bytes.size() - 1 - footer_bytes));
        const prefix front = prefix_of(from);
        const bool fits = front.kind == prefix::compressed ||
                          (front.kind != prefix::unknown && from.left() == front.size);
        return fits && has_checksum(bytes);
    });
}

any_filter decode_redisson_dump(byte_view bytes, const foreign_options& options) {
    if (bytes.size() < footer_bytes + 2 || !has_checksum(bytes)) {
        throw bad_data("this is not a Redis DUMP, or it is damaged: it does not end with its "
                       "checksum; dump it again");
    }
    cursor footer(bytes.last(footer_bytes));
    const auto version = footer.little<std::uint16_t>();
    cursor from(bytes.first(bytes.size() - footer_bytes));
    if (from.big<std::uint8_t>() != 0) {
        throw bad_data("this Redis DUMP is not of a string, as it would be for a Redisson filter");
    }
    const prefix front = prefix_of(from);
    if (front.kind == prefix::compressed) {
        throw unsupported("this Redis DUMP is compressed with LZF, which is not supported: save "
                          "what GET returns, and read it with the format redisson");
    }
    if (front.kind == prefix::unknown) {
        throw unsupported(
            "this Redis DUMP has a string encoding that this version does not know: save what "
            "GET returns, and read it with the format redisson");
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

/// The number that Redis would store instead of a short string, if any.
std::optional<std::int32_t> number_for(byte_view value) {
    const std::string_view digits = text_of(value);
    const auto number = text::number_in<std::int32_t>(digits);
    return number && std::to_string(*number) == digits ? number : std::nullopt;
}

/// The type and the length; for a string of digits, everything.
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
        to.big(std::uint8_t{0x80}, static_cast<std::uint32_t>(size));
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

const foreign_format redisson_format{
    .name = "redisson",
    .what = "Redisson RBloomFilter (Java): the value that Redis GET returns",
    .keys = "kryo5",
    .needs = redisson_needs,
    .looks = looks_like_nothing,
    .decode = redisson_of_value,
    .encode = encode_redisson,
    .create = new_redisson,
    .facts = redisson_facts,
};

const foreign_format redisson_dump_format{
    .name = "redisson-dump",
    .what = "Redisson RBloomFilter (Java), as Redis DUMP returns it and RESTORE takes it",
    .keys = "kryo5",
    .needs = redisson_needs,
    .looks = looks_like_redisson_dump,
    .decode = decode_redisson_dump,
    .encode = encode_redisson_dump,
    .create = new_redisson,
    .facts = redisson_dump_facts,
};

} // namespace bloomery::inline v0::format
