// What the golden files of Go's bits-and-blooms do not show: other ways to write the same, and
// damage.
#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>

#include "damage.hpp"
#include "go.hpp"
#include "peer.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

using namespace go;

/// The small files of a peer, under a member of its cases.
std::vector<std::string> small_files(const peer& from, const char* member, std::size_t most) {
    std::vector<std::string> found;
    for (const json& one : from.cases()) {
        if (!one.contains(member)) continue;
        std::string bytes = from.file(one.at(member));
        if (bytes.size() <= most) found.push_back(std::move(bytes));
    }
    return found;
}

TEST(Go, DamageIsRefusedOrMakesAnotherFilter) {
    const peer from("go-bloom-v3");
    for (const std::string& bytes : small_files(from, "file", 72)) {
        expect_damage_shows(bytes, newer.bytes);
        expect_damage_shows(bytes, fnv.bytes);
    }
    for (const std::string& bytes : small_files(from, "json", 90)) {
        expect_damage_shows(bytes, newer.text);
    }
    for (const std::string& bytes : small_files(from, "gob_stream", 72)) {
        expect_damage_shows(bytes, newer.gob);
    }
}

std::string turned(std::string bytes, std::size_t from) {
    for (std::size_t at = from; at < bytes.size(); at += 8) {
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                     bytes.begin() + static_cast<std::ptrdiff_t>(at + 8));
    }
    return bytes;
}

TEST(Go, ALittleEndianBitsetIsReadAndWrittenAsItCame) {
    const peer from("go-bloom-v3");
    for (const std::string& bytes : small_files(from, "file", 4000)) {
        const std::string little = turned(bytes, 16);
        const any_filter read = newer.bytes.decode(view(little), {});
        EXPECT_EQ(written(read, newer.bytes), little);
        EXPECT_EQ(newer.bytes.looks(view(little)), format::likeness::possible);
        const any_filter plain = newer.bytes.decode(view(bytes), {});
        EXPECT_TRUE(std::ranges::equal(read.words(), plain.words()));
        const std::string text = written(read, newer.text);
        EXPECT_EQ(written(newer.text.decode(view(text), {}), newer.bytes), little);
    }
}

TEST(Go, TheLengthOfTheBitsetGrowsWithTheBitsThatAreSet) {
    // FromWithM with one word and 1000 bits: 64 of them are there at first.
    const std::string bytes = big_endian(1000) + big_endian(3) + big_endian(64) + big_endian(1);
    any_filter filter = newer.bytes.decode(view(bytes), {});
    EXPECT_EQ(written(filter, newer.bytes), bytes);
    filter.insert(std::string("a key"));
    std::uint64_t highest = 0;
    for (const std::uint64_t place : go_filter(bits{1000}, hashes{3}).locations("a key", 3)) {
        highest = std::max(highest, place % 1000);
    }
    ASSERT_GE(highest, 64U);
    EXPECT_EQ(written(filter, newer.bytes).substr(16, 8), big_endian(highest + 1));
    EXPECT_TRUE(filter.may_contain(std::string("a key")));
    filter.clear(); // keeps the length, as ClearAll does
    EXPECT_EQ(written(filter, newer.bytes).substr(16, 8), big_endian(highest + 1));
    EXPECT_FALSE(filter.may_contain(std::string("a key")));
}

TEST(Go, BitsPastTheLastOneAreKeptAndMerged) {
    const std::string head = big_endian(70) + big_endian(2);
    const std::string a =
        head + big_endian(192) + big_endian(5) + big_endian(1ULL << 40) + big_endian(7);
    const std::string b = head + big_endian(128) + big_endian(8) + big_endian(1ULL << 41);
    any_filter one = newer.bytes.decode(view(a), {});
    EXPECT_EQ(written(one, newer.bytes), a);
    EXPECT_EQ(one.stats().bits_set, 2U);
    EXPECT_EQ(fact(one, newer.bytes, "bits set past m"), "4");
    const any_filter other = newer.bytes.decode(view(b), {});
    any_filter both = other;
    both.merge(one);
    EXPECT_EQ(written(both, newer.bytes),
              head + big_endian(192) + big_endian(13) + big_endian(3ULL << 40) + big_endian(7));
    one.intersect(other);
    EXPECT_EQ(written(one, newer.bytes),
              head + big_endian(192) + big_endian(0) + big_endian(0) + big_endian(0));
}

TEST(Go, JsonInAnyOrderAndInBothAlphabets) {
    const std::string url = R"({"m":64,"k":2,"b":"AAAAAAAAAED_-wAAAAAAAA=="})";
    const std::string standard = R"({"m":64,"k":2,"b":"AAAAAAAAAED/+wAAAAAAAA=="})";
    const any_filter read = newer.text.decode(view(url), {});
    EXPECT_EQ(written(read, newer.text), url);
    EXPECT_EQ(written(newer.text.decode(view(standard), {}), newer.text), standard);
    EXPECT_EQ(written(newer.text.decode(view(url + "\n"), {}), newer.text), url + "\n");
    const std::string loose = "\t{ \"b\" : \"AAAAAAAAAED_-wAAAAAAAA==\" ,\r\n\"k\":2, \"m\" :64 } ";
    EXPECT_EQ(written(newer.text.decode(view(loose), {}), newer.text), url);
    EXPECT_EQ(newer.text.looks(view(loose)), format::likeness::possible);
}

TEST(Go, OtherJsonIsRefused) {
    const std::string b = R"("b":"AAAAAAAAAEAAAAAAAAAAAQ==")";
    for (const std::string& text : {
             std::string(""),
             std::string("{}"),
             std::string("null"),
             "{\"m\":64," + b + "}",
             "{\"m\":64,\"k\":2," + b + ",\"x\":1}",
             "{\"m\":64,\"k\":2,\"m\":64," + b + "}",
             "{\"m\":64,\"k\":2," + b,
             "{\"m\":64,\"k\":2," + b + ",}",
             "{\"m\":064,\"k\":2," + b + "}",
             "{\"m\":-64,\"k\":2," + b + "}",
             "{\"m\":64.0,\"k\":2," + b + "}",
             "{\"m\":\"64\",\"k\":2," + b + "}",
             "{\"m\":18446744073709551616,\"k\":2," + b + "}",
             "{\"m\":64,\"k\":2," + b + "}{}",
             std::string(R"({"m":64,"k":2,"b":"AAAAAAAAAEAAAAAAAAAAAQ="})"),
             std::string(R"({"m":64,"k":2,"b":"AAAAAAAAAEAAAAAAAAAAAR=="})"),
             std::string(R"({"m":64,"k":2,"b":"AAAAAAAAAEAAAAAAAA-/AQ=="})"),
             std::string(R"({"m":64,"k":2,"b":"AAAAAAAAAEAAAAAAA=AAAQ=="})"),
             std::string(R"({"m":64,"k":2,"b":"AAAA"})"),
             std::string(R"({"m":64,"k":2,"b":"\u0041AAA"})"),
         }) {
        EXPECT_THROW((void)newer.text.decode(view(text), {}), bad_data) << text;
    }
}

TEST(Go, AGobStreamKeepsItsTypesAndHasOneValue) {
    const std::string payload = big_endian(64) + big_endian(2) + big_endian(64) + big_endian(9);
    const std::string value = std::string("\xff\xa0\0 ", 4) + payload;
    const std::string definitions("\x04\xff\x81\x01\x02\x03\x7f\x01\x02", 9);
    const std::string stream = definitions + '\x24' + value;
    EXPECT_EQ(written(newer.gob.decode(view(stream), {}), newer.gob), stream);
    EXPECT_THROW((void)newer.gob.decode(view(stream + stream), {}), bad_data);
    EXPECT_THROW((void)newer.gob.decode(view(definitions), {}), bad_data);
}

TEST(Go, AFewBytesThatAskForTerabytesAreRefused) {
    const std::string rest = big_endian(64) + big_endian(1);
    for (const std::uint64_t m :
         {std::uint64_t{1} << 20U, std::uint64_t{1} << 43U, ~std::uint64_t{0}}) {
        const std::string bytes = big_endian(m) + big_endian(3) + rest;
        EXPECT_THROW((void)newer.bytes.decode(view(bytes), {}), memory_refused);
        EXPECT_EQ(newer.bytes.looks(view(bytes)), format::likeness::no);
    }
    const std::string hashes = big_endian(64) + big_endian(65536) + rest;
    EXPECT_THROW((void)newer.bytes.decode(view(hashes), {}), memory_refused);
    for (const std::string& none :
         {big_endian(0) + big_endian(3), big_endian(64) + big_endian(0)}) {
        EXPECT_THROW((void)newer.bytes.decode(view(none + rest), {}), bad_data);
    }
}

TEST(Go, AFilterIsMadeFromWhatItsMakerKnows) {
    EXPECT_THROW((void)newer.bytes.create({}), bad_argument);
    foreign_options zero;
    zero.m = bits{0};
    zero.k = hashes{0};
    any_filter made = newer.bytes.create(zero);
    EXPECT_EQ(written(made, newer.bytes), big_endian(1) + big_endian(1) + big_endian(0));
    EXPECT_THROW((void)written(made, fnv.bytes), incompatible);
    EXPECT_THROW((void)written(go_filter(bits{9}, hashes{1}), fnv.gob), incompatible);
    EXPECT_EQ(written(go_filter(bits{9}, hashes{1}), newer.bytes),
              big_endian(9) + big_endian(1) + big_endian(9) + big_endian(0));
}

} // namespace
} // namespace bloomery::testing
