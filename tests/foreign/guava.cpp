// Guava's own files and answers, made again from the keys.
#include <bloomery/error.hpp>
#include <bloomery/key/encodings.hpp>
#include <bloomery/plan/compat.hpp>

#include "damage.hpp"
#include "peer.hpp"

namespace bloomery::testing {
namespace {

template <std::size_t Size>
std::string guava_text(const std::array<std::byte, Size>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), Size};
}

std::string funnelled(const std::string& funnel, const json& key) {
    if (key.is_array()) {
        std::string all;
        for (const json& part : key) all += funnelled(funnel, part);
        return all;
    }
    if (key.is_number()) return guava_text(i32le(key.get<std::int32_t>()));
    const std::string value = text_of(key);
    if (funnel == "byteArray") return from_hex(value);
    if (funnel == "long") return guava_text(i64le(std::stoll(value)));
    const std::u16string units = utf16_of(value);
    if (funnel == "unencodedChars") return utf16le_units(units);
    if (funnel == "string_latin1") return java_latin1(units);
    if (funnel == "string_utf16le") return java_utf16le(units);
    return java_utf8(units);
}

std::vector<std::string> guava_keys_of(const json& of, const json& list) {
    std::vector<std::string> keys;
    for (const json& key : list) keys.push_back(funnelled(of.at("funnel"), key));
    return keys;
}

const foreign_format& format_of(const json& one) {
    return format::foreign_format_named(one.at("strategy") == "MURMUR128_MITZ_32" ? "guava-32"
                                                                                  : "guava");
}

/// The filter that Guava makes of n and expected_rate, which differs between its versions.
any_filter guava_made(const json& one, bool newest) {
    const items n{one.at("n").get<std::uint64_t>()};
    const rate p{one.at("fpp").get<double>()};
    foreign_options options;
    if (newest) {
        options.n = n;
        options.p = p;
    } else {
        const plan::compat_shape shape = plan::guava_shape(n, p);
        options.m = bits{shape.bit_count};
        options.k = hashes{shape.hash_count};
    }
    return format_of(one).create(options);
}

void guava_check(const json& one, const peer& from, bool newest) {
    any_filter mine = guava_made(one, newest);
    add_all(mine, guava_keys_of(one, one.at("keys")), one.at("put_returned"));
    const std::string theirs = from.file(one.at("file"));
    EXPECT_EQ(written(mine, format_of(one)), theirs);
    expect_round_trip(theirs, format_of(one));
    expect_damage_shows(theirs, format_of(one));
    expect_answers(format_of(one).decode(view(theirs), {}), guava_keys_of(one, one.at("probes")),
                   one.at("answers"));
    EXPECT_EQ(mine.stats().bits_set, one.at("bit_count").get<std::uint64_t>());
    EXPECT_EQ(mine.spec().shape.bit_count, one.at("bit_size").get<std::uint64_t>());
    EXPECT_EQ(mine.spec().shape.hash_count, one.at("k").get<std::uint32_t>());
    const std::vector<format::foreign_fact> facts = format_of(one).facts(mine);
    EXPECT_EQ(std::stod(facts.at(1).value), std::stod(one.at("expected_fpp").get<std::string>()));
    if (one.at("approximate_element_count").is_number()) {
        EXPECT_EQ(facts.at(2).value,
                  std::to_string(one.at("approximate_element_count").get<int>()));
    }
}

void check_union(const json& one, const peer& from) {
    any_filter a = guava_made(one, false);
    any_filter b = a;
    add_all(a, guava_keys_of(one, one.at("keys_a")), nullptr);
    add_all(b, guava_keys_of(one, one.at("keys_b")), nullptr);
    EXPECT_EQ(written(a, format_of(one)), from.file(one.at("file_a")));
    EXPECT_EQ(written(b, format_of(one)), from.file(one.at("file_b")));
    a.merge(b);
    EXPECT_EQ(written(a, format_of(one)), from.file(one.at("file_or")));
}

void check_serialised(const json& one, const peer& from) {
    const foreign_format& java = format::foreign_format_named("guava-java");
    const foreign_format& stream = format::foreign_format_named("guava");
    const std::string serialised = from.file(one.at("file"));
    const std::string plain = from.file(one.at("same_as"));
    expect_round_trip(serialised, java);
    expect_damage_shows(serialised, java);
    EXPECT_EQ(written(java.decode(view(serialised), {}), stream), plain);
    // What the stream does not say, the funnel, has to be told.
    foreign_options funnel;
    funnel.funnel = one.at("id") == "javaser_integer" ? "int" : "utf8";
    EXPECT_EQ(written(stream.decode(view(plain), {}), java, funnel), serialised);
    EXPECT_THROW((void)written(stream.decode(view(plain), {}), java), bad_argument);
}

void guava_check_all(const peer& from, bool newest) {
    for (const json& one : from.cases()) {
        SCOPED_TRACE(one.at("id"));
        const std::string type = one.value("type", "");
        if (type.empty()) guava_check(one, from, newest);
        if (type == "putall") check_union(one, from);
        if (type == "javaser") check_serialised(one, from);
    }
}

TEST(Guava, FilesAndAnswersOfVersion31) { guava_check_all(peer("guava-31.1"), false); }

TEST(Guava, FilesAndAnswersOfTheNewestVersion) { guava_check_all(peer("guava-33.4plus"), true); }

TEST(Guava, SixBytesThatAskForSeventeenGigabytesAreRefused) {
    const std::string bytes("\x01\x07\x7f\xff\xff\xff", 6);
    EXPECT_THROW((void)format::foreign_format_named("guava").decode(view(bytes), {}), bad_data);
}

} // namespace
} // namespace bloomery::testing
