// Files and answers of Go's bits-and-blooms, made again from the keys.
#include "go.hpp"

#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>

#include "damage.hpp"
#include "peer.hpp"

#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

using namespace go;

std::vector<std::string> go_keys_of(const json& list) {
    std::vector<std::string> keys;
    for (const json& key : list) keys.push_back(from_hex(key.get<std::string>()));
    return keys;
}

std::uint64_t number_of(const json& value) {
    return value.is_string() ? std::stoull(value.get<std::string>()) : value.get<std::uint64_t>();
}

/// What From and FromWithM make of words: a file says all that they take.
any_filter from_words(const json& one, const foreign_format& format) {
    std::string bytes = big_endian(one.at("m")) + big_endian(one.at("k"));
    const auto count = one.at("words").get<std::uint64_t>();
    bytes += big_endian(count * 64);
    const json initial = one.value("initial_words", json::array());
    for (std::size_t i = 0; i < count; ++i) {
        bytes += big_endian(i < initial.size() ? number_of(initial[i]) : 0);
    }
    return format.decode(view(bytes), {});
}

any_filter go_made(const json& one, const foreign_format& format) {
    const std::string constructor = one.value("ctor", "New");
    if (constructor.starts_with("From")) return from_words(one, format);
    foreign_options options;
    if (constructor == "NewWithEstimates") {
        options.n = items{one.at("n").get<std::uint64_t>()};
        options.p = rate{one.at("p").get<double>()};
    } else {
        const bool zero = constructor.starts_with("New(0,");
        options.m = bits{zero ? 0 : one.at("m").get<std::uint64_t>()};
        options.k =
            hashes{constructor.starts_with("New(0,0)") ? 0 : one.at("k").get<std::uint32_t>()};
    }
    return format.create(options);
}

/// The bytes do not tell which hash they have, so that both formats are named and neither chosen.
void expect_ambiguous(const std::string& bytes, const foreign_format& format,
                      const foreign_format& twin) {
    const auto found = format::detect(view(bytes));
    EXPECT_EQ(std::ranges::count(found, &format), 1);
    EXPECT_EQ(std::ranges::count(found, &twin), 1);
    EXPECT_THROW((void)format::detect_one(view(bytes)), bad_data);
}

void check_form(const any_filter& mine, const std::string& theirs, const foreign_format& format,
                const foreign_format& twin) {
    EXPECT_EQ(written(mine, format), theirs);
    const any_filter read = format.decode(view(theirs), {});
    EXPECT_EQ(written(read, format), theirs);
    EXPECT_EQ(format.looks(view(theirs)), format::likeness::possible);
    expect_ambiguous(theirs, format, twin);
}

/// The numbers of types in a stream depend on the version of Go, and are kept.
void check_gob(const any_filter& mine, const std::string& theirs, const forms& as,
               const forms& twin) {
    const any_filter read = as.gob.decode(view(theirs), {});
    EXPECT_EQ(written(read, as.bytes), written(mine, as.bytes));
    EXPECT_EQ(written(as.gob.decode(view(written(mine, as.gob)), {}), as.bytes),
              written(mine, as.bytes));
    if (&as == &newer) { // by a Go whose numbers are those of new filters
        EXPECT_EQ(written(mine, as.gob), theirs);
    }
    EXPECT_EQ(written(read, as.gob), theirs);
    expect_ambiguous(theirs, as.gob, twin.gob);
}

void go_check(const json& one, const peer& from, const forms& as) {
    const forms& twin = &as == &newer ? fnv : newer;
    any_filter mine = go_made(one, as.bytes);
    add_all(mine, go_keys_of(one.at("keys")), nullptr);
    const std::string theirs = from.file(one.at("file"));
    check_form(mine, theirs, as.bytes, twin.bytes);
    if (one.contains("json")) check_form(mine, from.file(one.at("json")), as.text, twin.text);
    if (one.contains("gob_stream")) check_gob(mine, from.file(one.at("gob_stream")), as, twin);
    const any_filter read = as.bytes.decode(view(theirs), {});
    expect_answers(read, go_keys_of(one.at("probes")), one.at("answers"));
    EXPECT_EQ(read.spec().shape.bit_count, one.at("m").get<std::uint64_t>());
    EXPECT_EQ(read.spec().shape.hash_count, one.at("k").get<std::uint32_t>());
    if (one.contains("approximated_size")) {
        EXPECT_EQ(fact(read, as.bytes, "ApproximatedSize"),
                  std::to_string(one.at("approximated_size").get<std::uint64_t>()));
    }
    if (one.value("bitset_len", one.at("m")) != one.at("m")) {
        EXPECT_EQ(fact(read, as.bytes, "bitset length"),
                  std::to_string(one.at("bitset_len").get<std::uint64_t>()));
    }
    if (theirs.size() <= 200) expect_exact_length(theirs, as.bytes);
}

void check_merge(const json& one, const peer& from, const forms& as) {
    any_filter a = go_made(one, as.bytes);
    any_filter b = a;
    add_all(a, go_keys_of(one.at("keys_a")), nullptr);
    add_all(b, go_keys_of(one.at("keys_b")), nullptr);
    EXPECT_EQ(written(a, as.bytes), from.file(one.at("file_a")));
    EXPECT_EQ(written(b, as.bytes), from.file(one.at("file_b")));
    a.merge(b);
    EXPECT_EQ(written(a, as.bytes), from.file(one.at("file_or")));
    for (const std::uint32_t more : {0U, 1U}) {
        foreign_options other;
        other.m = bits{one.at("m").get<std::uint64_t>() + more};
        other.k = hashes{one.at("k").get<std::uint32_t>() + 1 - more};
        EXPECT_THROW(a.merge(as.bytes.create(other)), incompatible);
    }
}

void check_test_and_add(const json& one, const peer& from, const forms& as) {
    any_filter mine = go_made(one, as.bytes);
    const std::vector<std::string> keys = go_keys_of(one.at("keys"));
    const auto returned = one.at("returned").get<std::string>();
    for (std::size_t i = 0; i < keys.size(); ++i) {
        EXPECT_EQ(!mine.try_insert(keys[i]), returned[i] == '1') << "key " << i;
    }
    EXPECT_EQ(written(mine, as.bytes), from.file(one.at("file")));
}

template <class Filter>
void check_locations(const json& one) {
    const Filter any(bits{1}, hashes{1});
    for (const json& row : one.at("rows")) {
        std::vector<std::uint64_t> expected;
        for (const json& place : row.at(1)) expected.push_back(number_of(place));
        const std::string key = from_hex(row.at(0).get<std::string>());
        EXPECT_EQ(any.locations(key, static_cast<std::uint32_t>(expected.size())), expected) << row;
    }
}

template <class Filter>
void check_all(const peer& from, const forms& as) {
    for (const json& one : from.cases()) {
        SCOPED_TRACE(one.at("id"));
        const std::string type = one.value("type", "");
        if (type.empty()) go_check(one, from, as);
        if (type == "merge") check_merge(one, from, as);
        if (type == "testandadd") check_test_and_add(one, from, as);
        if (type == "locations") check_locations<Filter>(one);
    }
}

TEST(Go, FilesAndAnswersOfVersion3) { check_all<go_filter>(peer("go-bloom-v3"), newer); }

TEST(Go, FilesAndAnswersOfVersion200) {
    check_all<go_fnv_filter>(peer("go-bloom-v2.0.0-fnv"), fnv);
}

} // namespace
} // namespace bloomery::testing
