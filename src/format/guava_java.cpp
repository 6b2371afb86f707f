// Guava's filters as ObjectOutputStream writes them.
//
// Java's streams name every class and count every object, but what comes before and between the
// numbers of a filter is always the same. What follows the words, the funnel and the strategy, is
// kept as it is: any funnel is read and written again, and only a new one must be known here.
#include <bloomery/error.hpp>

#include "cursor.hpp"
#include "foreign_parts.hpp"
#include "guava.hpp"
#include "keeping.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace bloomery::format {

namespace {

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
constexpr std::string_view enum_again = "xq\x00\x7e\x00\x08"sv; // the class that was named before
constexpr std::string_view strategy_64 = "MURMUR128_MITZ_64"sv;
constexpr std::string_view strategy_32 = "MURMUR128_MITZ_32"sv;

struct java_tail {
    std::string bytes; ///< the funnel, and the strategy but for its last name
};
using kept_64 = keeping<guava_filter, java_tail>;
using kept_32 = keeping<guava_32_filter, java_tail>;

void expect(cursor& from, std::string_view wanted) {
    if (text_of(from.take(wanted.size())) != wanted) {
        throw bad_data("this is not a Java-serialised Guava filter: its first bytes differ");
    }
}

/// A text with the two bytes of its length in front.
std::string counted(std::string_view text) {
    return {static_cast<char>(text.size() >> 8U), static_cast<char>(text.size() & 0xffU)};
}

std::string text(std::string_view of) { return counted(of).append(of); }

likeness looks_like_guava_java(byte_view bytes) {
    return text_of(bytes).starts_with(before_k) ? likeness::sure : likeness::no;
}

any_filter decode_guava_java(byte_view bytes, const foreign_options& options) {
    cursor from(bytes);
    expect(from, before_k);
    const auto k = from.big<std::uint32_t>();
    expect(from, before_words);
    const std::uint64_t words = from.big<std::uint32_t>();
    if (k == 0 || k > 255 || words == 0 || words >= std::uint64_t{1} << 31U) {
        throw bad_data(
            "this is not a Guava filter: it has no hash, no word, or too many of either");
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

/// The funnel and what names the strategy's class, for a filter that did not come from Java.
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
    throw bad_argument("a Java-serialised Guava filter names its funnel, and this one does not say "
                       "which; give funnel=bytes, int, long, chars, utf8, utf16le or latin1");
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

const foreign_format guava_java_format{
    .name = "guava-java",
    .what = "Guava BloomFilter in a Java object stream; a new one must be told its funnel=",
    .keys = "utf8",
    .looks = looks_like_guava_java,
    .decode = decode_guava_java,
    .encode = encode_guava_java,
    .create = [](const foreign_options& options) { return new_guava(true, options); },
    .facts = guava_facts,
};

} // namespace bloomery::format
