// Filters inside .parquet files: those of a real writer, and invalid footers.
#include <bloomery/format/foreign.hpp>

#include "damage.hpp"
#include "test_paths.hpp"

namespace bloomery::testing {
namespace {

using format::parquet_column_filter;
using namespace std::string_literals;
using namespace std::string_view_literals;

const foreign_format& parquet_file() { return format::foreign_format_named("parquet-file"); }
const foreign_format& parquet_file_bitset() {
    return format::foreign_format_named("parquet-bitset");
}

std::filesystem::path folder() { return test_data("/parquet"); }

foreign_options of(std::string column, std::uint64_t row_group) {
    foreign_options options;
    options.column = std::move(column);
    options.row_group = row_group;
    return options;
}

/// What a call is refused with.
template <class Call>
std::string refusal(Call call) {
    try {
        call();
    } catch (const error& refused) {
        return refused.what();
    }
    return "nothing";
}

TEST(ParquetFile, AnswersOfDuckDbForItsFilesAndThoseOfArrow) {
    const json manifest = load_manifest(folder() / "manifest.json");
    for (const json& one : manifest.at("cases")) {
        SCOPED_TRACE(one.at("column"));
        const std::string file = file_bytes(folder() / one.at("file").get<std::string>());
        const std::vector<std::string> probes = hex_keys(one.at("probes"));
        for (std::size_t group = 0; group < one.at("answers").size(); ++group) {
            const any_filter read = parquet_file().decode(view(file), of(one.at("column"), group));
            expect_answers(read, probes, one.at("answers").at(group));
            foreign_options size;
            size.m = bits{read.spec().shape.bit_count};
            any_filter mine = parquet_file_bitset().create(size);
            for (const json& key : one.at("keys").at(group)) {
                mine.insert(probes.at(key.get<std::size_t>()));
            }
            EXPECT_EQ(to_hex(written(mine, parquet_file_bitset())),
                      to_hex(written(read, parquet_file_bitset())));
            const auto facts = parquet_file().facts(read);
            EXPECT_EQ(facts.at(0).value, std::to_string(group));
            EXPECT_EQ(facts.at(1).value, one.at("column"));
            EXPECT_EQ(facts.at(2).value, one.at("type"));
        }
    }
}

TEST(ParquetFile, ListsTheFiltersOfAllColumnsAndRowGroups) {
    const std::string file = file_bytes(folder() / "several.parquet");
    const std::vector<parquet_column_filter> found = format::parquet_filters(view(file));
    ASSERT_EQ(found.size(), 14U);
    EXPECT_EQ(found[5].path, "part.inner");
    EXPECT_EQ(found[5].row_group, 0U);
    EXPECT_EQ(format::name_of(found[5].type), "BYTE_ARRAY");
    EXPECT_EQ(found[13].path, "part.number");
    EXPECT_EQ(found[13].row_group, 1U);
    EXPECT_EQ(format::name_of(found[13].type), "INT32");
    EXPECT_EQ(found[13].length, 80U);
    const any_filter nested = parquet_file().decode(view(file), of("part.inner", 1));
    EXPECT_TRUE(nested.may_contain("nested-41"));
    EXPECT_FALSE(nested.may_contain("nested-1"));
    EXPECT_EQ(format::detect_one(view(file)).name, "parquet-file");
}

TEST(ParquetFile, OneFilterNeedsNoName) {
    const std::string file = file_bytes(folder() / "one.parquet");
    EXPECT_TRUE(parquet_file().decode(view(file), {}).may_contain("word-3"));
    EXPECT_THROW((void)parquet_file().decode(view(file), of("name", 1)), bad_argument);
    expect_damage_shows(file, parquet_file());
    EXPECT_THROW((void)written(parquet_file().decode(view(file), {}), parquet_file()), unsupported);
}

TEST(ParquetFile, SeveralFiltersAreListedWhenNoneIsNamed) {
    const std::string file = file_bytes(folder() / "several.parquet");
    for (const foreign_options& options :
         {foreign_options{}, of("", 1), of("lonely", 0), of("name", 2)}) {
        const std::string said = refusal([&] { (void)parquet_file().decode(view(file), options); });
        EXPECT_NE(said.find("column"), std::string::npos) << said;
        EXPECT_NE(said.find("part.inner in row group 1"), std::string::npos) << said;
    }
    const std::string none = file_bytes(folder() / "none.parquet");
    EXPECT_NE(refusal([&] { (void)parquet_file().decode(view(none), {}); }).find("no Bloom filter"),
              std::string::npos);
    EXPECT_TRUE(format::parquet_filters(view(none)).empty());
}

foreign_options all_of(const std::string& column) {
    foreign_options options;
    options.column = column;
    return options;
}

TEST(ParquetFile, AColumnAloneAsksAllRowGroups) {
    const json manifest = load_manifest(folder() / "manifest.json");
    for (const json& one : manifest.at("cases")) {
        SCOPED_TRACE(one.at("column"));
        const std::string file = file_bytes(folder() / one.at("file").get<std::string>());
        const std::vector<std::string> probes = hex_keys(one.at("probes"));
        const any_filter read = parquet_file().decode(view(file), all_of(one.at("column")));
        std::string answers(probes.size(), '0');
        double items = 0;
        std::uint64_t bytes = 0;
        for (std::size_t group = 0; group < one.at("answers").size(); ++group) {
            const auto here = one.at("answers").at(group).get<std::string>();
            for (std::size_t i = 0; i < here.size(); ++i) {
                if (here[i] == '1') answers[i] = '1';
            }
            const any_filter part = parquet_file().decode(view(file), of(one.at("column"), group));
            items += part.stats().items.items;
            bytes += part.byte_count();
        }
        expect_answers(read, probes, answers);
        bitmap hashed;
        read.may_contain_many(read.digest_many(probes), hashed);
        for (std::size_t i = 0; i < probes.size(); ++i) {
            EXPECT_EQ(hashed[i], answers[i] == '1');
        }
        EXPECT_DOUBLE_EQ(read.stats().items.items, items);
        EXPECT_EQ(read.byte_count(), bytes);
    }
}

TEST(ParquetFile, TheFiltersOfAllRowGroupsAreForReadingOnly) {
    const std::string file = file_bytes(folder() / "arrow.parquet");
    any_filter read = parquet_file().decode(view(file), all_of("id"));
    const auto facts = parquet_file().facts(read);
    EXPECT_EQ(facts.at(0).name + "=" + facts.at(0).value, "row groups=3");
    EXPECT_EQ(facts.at(1).value, "id");
    EXPECT_EQ(facts.at(2).value, "INT64");
    EXPECT_THROW(read.insert(7), unsupported);
    EXPECT_THROW((void)read.try_insert(std::string("key")), unsupported);
    EXPECT_THROW(read.clear(), unsupported);
    EXPECT_THROW((void)written(read, format::foreign_format_named("parquet")), incompatible);
    EXPECT_THROW((void)format::encode_native(read, [](byte_view) {}), unsupported);
    EXPECT_TRUE(read == parquet_file().decode(view(file), all_of("id")));
    EXPECT_FALSE(read == parquet_file().decode(view(file), all_of("name")));
    // The rate of a query for all of them, within 5 standard errors.
    const measured_rate seen = measure_rate(read, 100'000);
    EXPECT_NEAR(seen.value(), read.stats().expected_rate, 5 * seen.standard_error());
}

TEST(ParquetFile, AFilterIsReadWhereTheListSays) {
    const std::string file = file_bytes(folder() / "arrow.parquet");
    const auto list = format::parquet_filters(view(file));
    ASSERT_EQ(list.size(), 18U);
    for (const parquet_column_filter& one : list) {
        const any_filter read = format::parquet_filter_at(view(file), one);
        EXPECT_EQ(written(read, parquet_file_bitset()),
                  written(parquet_file().decode(view(file), of(one.path, one.row_group)),
                          parquet_file_bitset()));
    }
    parquet_column_filter wrong = list.front();
    wrong.offset = file.size();
    EXPECT_THROW((void)format::parquet_filter_at(view(file), wrong), bad_data);
    wrong = list.front();
    wrong.length = ~std::uint64_t{0};
    EXPECT_THROW((void)format::parquet_filter_at(view(file), wrong), bad_data);
    wrong = list.front();
    wrong.encrypted = true;
    EXPECT_THROW((void)format::parquet_filter_at(view(file), wrong), unsupported);
}

/// A file of a filter with 32 bytes at offset 4, and whatever footer.
std::string with_footer(const std::string& footer) {
    std::string file =
        "PAR1\x15\x40\x1c\x1c\0\0\x1c\x1c\0\0\x1c\x1c\0\0\0"s + std::string(32, '\x5a');
    file += footer;
    for (unsigned i = 0; i < 4; ++i) file += static_cast<char>(footer.size() >> (8 * i));
    return file + "PAR1";
}

/// A footer with one row group of one column, whose chunk has those bytes before its metadata, and
/// whose metadata ends with those.
std::string footer_of(const std::string& chunk, const std::string& metadata) {
    return "\x49\x1c\x19\x1c"s + chunk + metadata + "\0\0\0\0"s;
}

/// Type BYTE_ARRAY, path "a", and the filter's offset.
const std::string plain_metadata = "\x3c\x15\x0c\x29\x18\x01"
                                   "a\xb6\x08"s;

TEST(ParquetFile, RowGroupsThatShareAFilterAreRefused) {
    std::string groups = "\x49\xec"s; // 14 of them
    for (int i = 0; i < 14; ++i) groups += "\x19\x1c"s + plain_metadata + "\0\0\0"s;
    const std::string file = with_footer(groups + '\0');
    ASSERT_EQ(format::parquet_filters(view(file)).size(), 14U);
    EXPECT_NO_THROW((void)parquet_file().decode(view(file), of("a", 13)));
    const std::string said = refusal([&] { (void)parquet_file().decode(view(file), all_of("a")); });
    EXPECT_NE(said.find("overlap"), std::string::npos) << said;
}

TEST(ParquetFile, AFooterByHand) {
    const std::string file = with_footer(footer_of("", plain_metadata));
    const std::vector<parquet_column_filter> found = format::parquet_filters(view(file));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].path, "a");
    EXPECT_EQ(found[0].offset, 4U);
    EXPECT_FALSE(found[0].length);
    const any_filter read = parquet_file().decode(view(file), {});
    EXPECT_EQ(written(read, parquet_file_bitset()), std::string(32, '\x5a'));
    expect_damage_shows(file, parquet_file());
}

TEST(ParquetFile, FieldsThatNobodyKnowsAreSkipped) {
    // Every type of Thrift, as fields 16 and on of the column's chunk; then its metadata, field 3.
    const std::string everything = "\x01\x20\x12\x13\x07\x14\x02\x17"s + std::string(8, '\x09') +
                                   "\x18\x02hi\x1a\x25\x02\x04"
                                   "\x1b\x01\x85\x01k\x02\x1b\0\x1c\x11\0\x1d"s +
                                   std::string(16, '\x01') + "\x19\x21\x01\x02"s;
    const std::string metadata = "\x0c\x06" + plain_metadata.substr(1);
    const std::string file = with_footer(footer_of(everything, metadata));
    EXPECT_EQ(format::parquet_filters(view(file)).size(), 1U);
}

TEST(ParquetFile, WhatLiesElsewhereIsNamed) {
    const std::string other = with_footer(footer_of("\x18\x03"
                                                    "b.p",
                                                    "\x2c" + plain_metadata.substr(1)));
    EXPECT_NE(refusal([&] { (void)parquet_file().decode(view(other), {}); }).find("b.p"),
              std::string::npos);
    std::string encrypted = with_footer(footer_of("", plain_metadata));
    encrypted.insert(encrypted.size() - 11, "\x5c\0"s); // the chunk's field 8, after its metadata
    encrypted[encrypted.size() - 8] = static_cast<char>(encrypted[encrypted.size() - 8] + 2);
    EXPECT_THROW((void)parquet_file().decode(view(encrypted), {}), unsupported);
    std::string footer = with_footer("");
    footer.back() = 'E';
    EXPECT_THROW((void)parquet_file().decode(view(footer), {}), unsupported);
}

void expect_refused(const std::vector<std::string>& footers) {
    for (const std::string& footer : footers) {
        const std::string file = with_footer(footer);
        EXPECT_NE(refusal([&] { (void)parquet_file().decode(view(file), {}); }), "nothing")
            << to_hex(footer.substr(0, 40));
    }
}

const std::string most =
    "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"; // 2^64 - 1, or as it is signed -2^63

TEST(ParquetFile, FootersThatAreNoThriftAreRefused) {
    expect_refused({
        "",                                                 // nothing
        "\x49",                                             // a list that ends
        "\x49\xfc" + most,                                  // of 2^64 row groups
        "\x49\xfc\xff\xff\xff\xff\x0f",                     // of 2^32
        "\x49\x15",                                         // of numbers
        "\x18" + most,                                      // a text of 2^64 bytes
        "\x1b" + most + "\x88",                             // a map
        "\x1b\xff\xff\xff\xff\x0f\x88",                     // a smaller one
        "\x1a\xf0" + most,                                  // a set of nothing
        "\x15\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", // a number without end
        "\x05\xff\xff\xff\xff\x0f\x02",                     // a field 2^31
        "\x1f\x1f\x1f",                                     // a type that is none
        std::string(3000000, '\xf1'),                       // fields, each 15 further on
    });
}

TEST(ParquetFile, FootersThatNestWithoutEndAreRefused) {
    std::string lists = "\x19";
    std::string maps = "\x1b";
    for (int i = 0; i < 100000; ++i) {
        lists += "\x19";
        maps += "\x01\xbb";
    }
    expect_refused({lists, maps, std::string(100000, '\x1c')});
}

TEST(ParquetFile, FiltersThatLieOutsideAreRefused) {
    const std::string path_a = "\x29\x18\x01"
                               "a";
    const std::string upto_offset = "\x3c\x15\x0c" + path_a + "\xb6";
    expect_refused({
        footer_of("", "\x3c\x15\x20" + path_a + "\xb6\x08"),        // of the type 16
        footer_of("", upto_offset + "\x07"),                        // offset -4
        footer_of("", upto_offset + "\x06"),                        // 3
        footer_of("", upto_offset + "\xf4\x03"),                    // past the end
        footer_of("", upto_offset + most),                          // -2^63
        footer_of("", plain_metadata + "\x15\xfe\xff\xff\xff\x0f"), // length 2^31 - 1
        footer_of("", plain_metadata + "\x15\x03"),                 // -2
        footer_of("", plain_metadata + "\x15\x40"),                 // shorter than its filter
    });
}

TEST(ParquetFile, FooterLengthsThatLieAreRefused) {
    std::string file = with_footer(footer_of("", plain_metadata));
    for (const std::string_view length :
         {"\xff\xff\xff\xff"sv, "\x00\x00\x00\x80"sv, "\x50\0\0\0"sv}) {
        file.replace(file.size() - 8, 4, length);
        EXPECT_THROW((void)parquet_file().decode(view(file), {}), bad_data);
    }
    EXPECT_THROW((void)parquet_file().decode(view("PAR1PAR1"), {}), bad_data);
    EXPECT_THROW((void)parquet_file().decode({}, {}), bad_data);
}

} // namespace
} // namespace bloomery::testing
