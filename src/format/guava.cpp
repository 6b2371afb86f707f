// Guava's filters: as BloomFilter.writeTo writes them, and as ObjectOutputStream does.
//
// writeTo: strategy, k, number of words, the words big-endian. Java's streams name every class and
// number every object, but the bytes before and between the numbers of a filter are always the
// same. What follows the words (the funnel and the strategy) is preserved: any funnel can be read
// and written back, and only a new filter needs a funnel that is known here.
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "cursor.hpp"
#include "foreign_parts.hpp"
#include "keeping.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace bloomery::inline v0::format {

namespace {

spec guava_spec(bool wide, std::uint64_t bit_count, std::uint64_t k) {
    return wide ? spec_of<guava_filter>(bit_count, k) : spec_of<guava_32_filter>(bit_count, k);
}

/// Throws incompatible for a filter that Guava cannot have.
void require_guava(const spec& what, const foreign_format& format) {
    require_type<guava_filter, guava_32_filter>(what, format);
    if (what.shape.bit_count % 64 != 0 || what.shape.bit_count / 64 >= std::uint64_t{1} << 31U ||
        what.shape.hash_count > 255) {
        throw incompatible("Guava filters have whole 64-bit words, fewer than 2^31 of them, and "
                           "at most 255 hashes per key");
    }
}

any_filter new_guava(bool wide, const foreign_options& options) {
    const auto [shape, made_for] = new_size_of(
        options, plan::guava_33_4_shape,
        "a Guava filter is made from items and rate, or from bits and hashes", rate{0.03});
    if (shape.hash_count > 255) {
        throw bad_argument("Guava makes at most 255 hashes per key");
    }
    return empty_filter(guava_spec(wide, words_for(shape.bit_count) * 64, shape.hash_count),
                        made_for);
}

std::vector<foreign_fact> guava_facts(const any_filter& of) {
    const plan::shape shape = of.spec().shape;
    const std::uint64_t ones = of.stats().bits_set;
    const bits m{shape.bit_count};
    const hashes k{shape.hash_count};
    const std::string count = ones == m.value
                                  ? "none: every bit is set, and Guava throws"
                                  : std::to_string(plan::guava_approximate_count(ones, m, k));
    return {{"bitSize", std::to_string(m.value)},
            {"expectedFpp", java_double(plan::guava_expected_rate(ones, m, k))},
            {"approximateElementCount", count}};
}

/// The length must match, and the first byte is the strategy.
template <std::uint8_t Strategy>
likeness looks_like_guava(byte_view bytes) {
    return sure_if_readable([&] {
        cursor from(bytes);
        const auto strategy = from.big<std::uint8_t>();
        const auto k = from.big<std::uint8_t>();
        const std::uint64_t words = from.big<std::uint32_t>();
        return strategy == Strategy && k != 0 && words != 0 && from.left() == words * 8;
    });
}

template <bool Wide>
any_filter decode_guava(byte_view bytes, const foreign_options& options) {
    cursor from(bytes);
    const auto strategy = from.big<std::uint8_t>();
    if (strategy > 1) {
        throw bad_data("this is not a Guava filter: it names the strategy " +
                       std::to_string(strategy) + ", but only 0 and 1 exist");
    }
    const auto k = from.big<std::uint8_t>();
    const std::uint64_t words = from.big<std::uint32_t>();
    if (k == 0 || words == 0 || words >= std::uint64_t{1} << 31U) {
        throw bad_data("this is not a Guava filter: its number of hashes or words is out of range");
    }
    require_left(from.left(), words * 8, "its array");
    require_format(Wide == (strategy == 1), Wide ? guava_format : guava_32_format,
                   Wide ? guava_32_format : guava_format);
    return filter_of(guava_spec(Wide, words * 64, k), from.rest(), bit_order::words_be,
                     options.limits);
}

template <bool Wide>
void encode_guava(const any_filter& source, const byte_consumer& write,
                  const foreign_options& /*options*/) {
    const spec what = source.spec();
    Wide ? require_type<guava_filter>(what, guava_format)
         : require_type<guava_32_filter>(what, guava_32_format);
    require_guava(what, guava_format);
    byte_writer to;
    to.big(static_cast<std::uint8_t>(Wide ? 1 : 0),
           static_cast<std::uint8_t>(what.shape.hash_count),
           static_cast<std::uint32_t>(what.shape.bit_count / 64));
    write(to.bytes());
    write_array(source.words(), bit_order::words_be, what.shape.byte_count(), write);
}

template <bool Wide>
constexpr foreign_format written_by_guava(std::string_view name, std::string_view what) {
    return {
        .name = name,
        .what = what,
        .keys = "utf8",
        .looks = looks_like_guava < Wide ? 1 : 0 >,
        .decode = decode_guava<Wide>,
        .encode = encode_guava<Wide>,
        .create = [](const foreign_options& options) { return new_guava(Wide, options); },
        .facts = guava_facts,
    };
}

// Java's streams.

using namespace std::string_view_literals;

// The class BloomFilter$SerialForm: version 1, serializable, four fields.
constexpr std::string_view before_k = "\xac\xed\x00\x05"
                                      "sr\x00\x2d"
                                      "com.google.common.hash.BloomFilter$SerialForm"
                                      "\x00\x00\x00\x00\x00\x00\x00\x01\x02\x00\x04"
                                      "I\x00\x10"
                                      "numHashFunctions"
                                      "[\x00\x04"
                                      "data"
                                      "t\x00\x02[J"
                                      "L\x00\x06"
                                      "funnel"
                                      "t\x00\x1f"
                                      "Lcom/google/common/hash/Funnel;"
                                      "L\x00\x08"
                                      "strategy"
                                      "t\x00\x2d"
                                      "Lcom/google/common/hash/BloomFilter$Strategy;"
                                      "xp"sv;
// An array of long.
constexpr std::string_view before_words =
    "ur\x00\x02[J\x78\x20\x04\xb5\x12\xb1\x75\x93\x02\x00\x00xp"sv;
constexpr std::string_view enum_class = "xr\x00\x0e"
                                        "java.lang.Enum"
                                        "\x00\x00\x00\x00\x00\x00\x00\x00\x12\x00\x00xp"sv;
constexpr std::string_view enum_flags = "\x00\x00\x00\x00\x00\x00\x00\x00\x12\x00\x00"sv;
constexpr std::string_view enum_again = "xq\x00\x7e\x00\x08"sv; // the class named before
constexpr std::string_view strategy_64 = "MURMUR128_MITZ_64"sv;
constexpr std::string_view strategy_32 = "MURMUR128_MITZ_32"sv;

struct java_tail {
    std::string bytes; ///< the funnel, and the strategy except its name
};
using kept_64 = keeping<guava_filter, java_tail>;
using kept_32 = keeping<guava_32_filter, java_tail>;

void expect(cursor& from, std::string_view wanted) {
    if (text_of(from.take(wanted.size())) != wanted) {
        throw bad_data("this is not a Java-serialised Guava filter: its first bytes differ");
    }
}

/// A text, preceded by its length in two bytes.
std::string counted(std::string_view text) {
    return {static_cast<char>(text.size() >> 8U), static_cast<char>(text.size() & 0xffU)};
}

std::string text(std::string_view of) { return counted(of).append(of); }

likeness looks_like_guava_java(byte_view bytes) {
    return sure_if(text_of(bytes).starts_with(before_k));
}

any_filter decode_guava_java(byte_view bytes, const foreign_options& options) {
    cursor from(bytes);
    expect(from, before_k);
    const auto k = from.big<std::uint32_t>();
    expect(from, before_words);
    const std::uint64_t words = from.big<std::uint32_t>();
    if (k == 0 || k > 255 || words == 0 || words >= std::uint64_t{1} << 31U) {
        throw bad_data("this is not a Guava filter: its number of hashes or words is out of range");
    }
    const byte_view array = from.take(words * 8);
    std::string_view tail = text_of(from.rest());
    const bool wide = tail.ends_with(strategy_64);
    if (!wide && !tail.ends_with(strategy_32)) {
        throw bad_data(
            "this is not a Guava filter, or it is truncated: it does not end with the name "
            "of a strategy");
    }
    tail.remove_suffix(strategy_64.size());
    any_filter made =
        filter_of(guava_spec(wide, words * 64, k), array, bit_order::words_be, options.limits);
    return wide ? with_note<kept_64>(std::move(made), {std::string(tail)})
                : with_note<kept_32>(std::move(made), {std::string(tail)});
}

/// The funnel and the class of the strategy, for a filter that did not come from Java.
std::string tail_for(const std::string& funnel) {
    static constexpr std::pair<std::string_view, std::string_view> enums[]{
        {"bytes", "ByteArrayFunnel"},
        {"int", "IntegerFunnel"},
        {"long", "LongFunnel"},
        {"chars", "UnencodedCharsFunnel"},
    };
    static constexpr std::pair<std::string_view, std::string_view> charsets[]{
        {"utf8", "UTF-8"}, {"utf16le", "UTF-16LE"}, {"latin1", "ISO-8859-1"}};
    const auto named = [&](const auto& entry) { return entry.first == funnel; };
    const std::string strategies = text("com.google.common.hash.BloomFilterStrategies");
    if (const auto* const found = std::ranges::find_if(enums, named); found != std::end(enums)) {
        return "~r" +
               text("com.google.common.hash.Funnels$" + std::string(found->second))
                   .append(enum_flags)
                   .append(enum_class) +
               "t" + text("INSTANCE") + "~r" +
               std::string(strategies).append(enum_flags).append(enum_again) + "t" +
               counted(strategy_64);
    }
    if (const auto* const found = std::ranges::find_if(charsets, named);
        found != std::end(charsets)) {
        return "sr" +
               text("com.google.common.hash.Funnels$StringCharsetFunnel$SerializedForm")
                   .append("\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x01L"sv) +
               text("charsetCanonicalName") + "t" + text("Ljava/lang/String;") + "xpt" +
               text(found->second) + "~r" +
               std::string(strategies).append(enum_flags).append(enum_class) + "t" +
               counted(strategy_64);
    }
    throw bad_argument("a Java-serialised Guava filter names its funnel, which this filter does "
                       "not know; give funnel=bytes, int, long, chars, utf8, utf16le or latin1");
}

void encode_guava_java(const any_filter& source, const byte_consumer& write,
                       const foreign_options& options) {
    const spec what = source.spec();
    require_guava(what, guava_java_format);
    std::string tail;
    if (const auto* const kept = source.get_if<kept_64>()) {
        tail = kept->note.bytes;
    } else if (const auto* const narrow = source.get_if<kept_32>()) {
        tail = narrow->note.bytes;
    } else {
        tail = tail_for(options.funnel);
    }
    byte_writer to;
    to.put(before_k);
    to.big(what.shape.hash_count);
    to.put(before_words);
    to.big(static_cast<std::uint32_t>(what.shape.bit_count / 64));
    write(to.bytes());
    write_array(source.words(), bit_order::words_be, what.shape.byte_count(), write);
    tail += what.scheme == layout::scheme_id::guava_64 ? strategy_64 : strategy_32;
    write(std::as_bytes(std::span(tail)));
}

} // namespace

const foreign_format guava_format = written_by_guava<true>(
    "guava", "Guava BloomFilter.writeTo (Java); new ones as written by Guava 33.4 and later");
const foreign_format guava_32_format = written_by_guava<false>(
    "guava-32", "Guava BloomFilter.writeTo with its older strategy, MURMUR128_MITZ_32");

const foreign_format guava_java_format{
    .name = "guava-java",
    .what = "Guava BloomFilter in a Java object stream; a new one needs funnel=",
    .keys = "utf8",
    .looks = looks_like_guava_java,
    .decode = decode_guava_java,
    .encode = encode_guava_java,
    .create = [](const foreign_options& options) { return new_guava(true, options); },
    .facts = guava_facts,
};

} // namespace bloomery::inline v0::format
