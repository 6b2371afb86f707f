// hutool's own bits and answers, made again from the keys.
#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/key/encodings.hpp>
#include <bloomery/plan/compat.hpp>

#include "damage.hpp"
#include "peer.hpp"

#include <cstdio>
#include <map>

namespace bloomery::testing {
namespace {

using hash::hash_id;

const std::map<std::string, hash_id> hash_names{
    {"rs", hash_id::rs},        {"js", hash_id::js},
    {"elf", hash_id::elf},      {"bkdr", hash_id::bkdr},
    {"ap", hash_id::ap},        {"djb", hash_id::djb},
    {"sdbm", hash_id::sdbm},    {"pjw", hash_id::pjw},
    {"fnv", hash_id::fnv_java}, {"hf", hash_id::hf},
    {"hfip", hash_id::hf_ip},   {"tianl", hash_id::tianl},
    {"dek", hash_id::dek},      {"default", hash_id::java_string},
};

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::string key_of(const json& text) { return utf16le_units(utf16_of(text_of(text))); }

std::vector<std::string> hutool_keys_of(const json& list) {
    std::vector<std::string> keys;
    for (const json& key : list) keys.push_back(key_of(key));
    return keys;
}

/// The probes of all cases are the texts of the table of hashes.
std::vector<std::string> probes_of(const peer& from) {
    std::vector<std::string> keys;
    for (const json& one : from.cases()) {
        if (one.at("type") != "hashes") continue;
        for (const json& row : one.at("rows")) keys.push_back(key_of(row.at(0)));
    }
    return keys;
}

std::vector<std::string> probes_of(const json& one, const peer& from) {
    return one.contains("probes") ? hutool_keys_of(one.at("probes")) : probes_of(from);
}

/// An array of bytes with these bits set, the lowest first.
void set_bits(std::string& bytes, const json& places, std::uint64_t from = 0) {
    for (const json& place : places) {
        const std::uint64_t at = from + place.get<std::uint64_t>();
        bytes.at(at / 8) = static_cast<char>(bytes.at(at / 8) | 1 << (at % 8));
    }
}

const foreign_format& single_format(const std::string& name) {
    return format::foreign_format_named("hutool-" + lower(name));
}

foreign_options single_options(const json& one) {
    foreign_options options;
    options.m = bits{one.at("size").get<std::uint64_t>()};
    options.word_bits = one.at("machine").get<unsigned>();
    return options;
}

void hutool_check_hashes(const json& one) {
    for (const json& row : one.at("rows")) {
        for (std::size_t i = 1; i < row.size(); ++i) {
            const std::string column = one.at("columns").at(i);
            const hash::java_text_hash hash(hash_names.at(column));
            EXPECT_EQ(static_cast<std::int64_t>(hash(view(key_of(row.at(0)))).value),
                      row.at(i).get<std::int64_t>())
                << column << " of " << row.at(0);
        }
    }
}

void check_single(const json& one, const peer& from) {
    const foreign_format& format = single_format(one.at("filter"));
    const foreign_options options = single_options(one);
    any_filter mine = format.create(options);
    const std::vector<std::string> keys = hutool_keys_of(one.at("keys"));
    add_all(mine, keys, one.at("add_returned"));
    const auto word = one.at("machine").get<std::uint64_t>();
    std::string array(one.at("size").get<std::uint64_t>() / word * word / 8, '\0');
    set_bits(array, one.at("ones"));
    EXPECT_EQ(written(mine, format), array);
    const any_filter read = format.decode(view(array), options);
    EXPECT_EQ(written(read, format), array);
    expect_answers(read, probes_of(one, from), one.at("answers"));
    const hash::java_text_hash hash(hash_names.at(lower(one.at("filter"))));
    for (std::size_t i = 0; i < keys.size(); ++i) {
        EXPECT_EQ(static_cast<std::int64_t>(hash(view(keys[i])).value) %
                      one.at("size").get<std::int64_t>(),
                  one.at("signed_hash_mod_size").at(i).get<std::int64_t>());
    }
    EXPECT_EQ(format.looks(view(array)), format::likeness::no);
    expect_exact_length(array, format, options);
    if (word == 64) expect_damage_shows(array, format, options);
}

void check_set(const json& one, const peer& from) {
    const foreign_format& format = format::foreign_format_named("hutool-bitset");
    foreign_options options;
    options.size_argument = one.at("c").get<std::uint64_t>();
    options.n = items{one.at("n").get<std::uint64_t>()};
    options.k = hashes{one.at("k").get<std::uint32_t>()};
    any_filter mine = format.create(options);
    EXPECT_EQ(mine.spec().shape.bit_count, one.at("bits").get<std::uint64_t>());
    foreign_options by_bits = options;
    by_bits.size_argument.reset();
    by_bits.m = bits{one.at("bits").get<std::uint64_t>()};
    EXPECT_EQ(format.create(by_bits).spec(), mine.spec());
    add_all(mine, hutool_keys_of(one.at("keys")), one.at("add_returned"));
    const std::string theirs = from.file(one.at("file"));
    EXPECT_EQ(written(mine, format), theirs);
    const any_filter read = format.decode(view(theirs), by_bits);
    EXPECT_EQ(written(read, format), theirs);
    expect_answers(read, probes_of(one, from), one.at("answers"));
    EXPECT_EQ(read.stats().bits_set, one.at("cardinality").get<std::uint64_t>());
    EXPECT_EQ(std::stod(format.facts(read).at(0).value), one.at("fpp").get<double>());
    EXPECT_EQ(plan::hutool_rate(one.at("c"), one.at("n"), one.at("k")),
              one.at("fpp").get<double>());
    expect_damage_shows(theirs, format, by_bits);
}

void check_map(const json& one, const peer& from) {
    const foreign_format& format = format::foreign_format_named("hutool-bitmap");
    foreign_options options;
    options.size_argument = one.at("m").get<std::uint64_t>();
    any_filter mine = format.create(options);
    const auto each = one.at("bits_each").get<std::uint64_t>();
    EXPECT_EQ(mine.spec().shape.bit_count, 5 * each);
    add_all(mine, hutool_keys_of(one.at("keys")), one.at("add_returned"));
    std::string maps(5 * each / 8, '\0');
    std::uint64_t before = 0;
    for (const char* const name :
         {"DefaultFilter", "ELFFilter", "JSFilter", "PJWFilter", "SDBMFilter"}) {
        set_bits(maps, one.at("ones").at(name), before);
        before += each;
    }
    EXPECT_TRUE(written(mine, format) == maps);
    const any_filter read = format.decode(view(maps), {});
    EXPECT_TRUE(written(read, format) == maps);
    expect_answers(read, probes_of(one, from), one.at("answers"));
    EXPECT_TRUE(refused(maps + '\0', maps, format, {}));
    EXPECT_TRUE(refused(maps.substr(1), maps, format, {}));
    maps[maps.size() - 1] = static_cast<char>(maps.back() ^ 1);
    EXPECT_FALSE(written(mine, format) == maps);
}

/// A BitMapBloomFilter as hutool has it: filters of their own.
struct several {
    std::vector<any_filter> all;

    bool add(const std::string& key) {
        bool fresh = false;
        for (any_filter& one : all) fresh = one.try_insert(key) || fresh;
        return fresh;
    }
    [[nodiscard]] bool contains(const std::string& key) const {
        for (const any_filter& one : all) {
            if (!one.may_contain(key)) return false;
        }
        return true;
    }
};

void check_map_of_filters(const json& one, const peer& from) {
    const auto size = one.at("size").get<std::uint64_t>();
    several mine;
    std::vector<hash_id> ids;
    for (const json& name : one.at("filters")) {
        mine.all.push_back(single_format(name).create(single_options(one)));
        ids.push_back(hash_names.at(lower(name)));
    }
    any_filter together = hutool_map_filter(
        {layout_kind::classic, size * ids.size(), static_cast<std::uint32_t>(ids.size())},
        hash::java_texts_hash::of(ids), {});
    const bool whole = size % one.at("machine").get<std::uint64_t>() == 0;
    const std::vector<std::string> keys = hutool_keys_of(one.at("keys"));
    for (std::size_t i = 0; i < keys.size(); ++i) {
        EXPECT_EQ(outcome([&] { return mine.add(keys[i]); }),
                  expected_answer(one.at("add_returned"), i));
    }
    const std::vector<std::string> probes = probes_of(one, from);
    for (std::size_t i = 0; i < probes.size(); ++i) {
        EXPECT_EQ(outcome([&] { return mine.contains(probes[i]); }),
                  expected_answer(one.at("answers"), i));
    }
    if (!whole) return; // one filter with all maps knows no places that are missing
    add_all(together, keys, one.at("add_returned"));
    expect_answers(together, probes, one.at("answers"));
}

/// Calls that hutool answers with an exception; ours is made of the same arguments.
void check_error(const std::string& call) {
    foreign_options options;
    std::int64_t c = 0;
    unsigned n = 0;
    unsigned k = 0;
    const foreign_format* format = &format::foreign_format_named("hutool-default");
    if (std::sscanf(call.c_str(), "BitMapBloomFilter(%ld)", &c) == 1) { // NOLINT
        format = &format::foreign_format_named("hutool-bitmap");
        options.size_argument = static_cast<std::uint64_t>(c);
    } else if (std::sscanf(call.c_str(), "BitSetBloomFilter(%ld,%u,%u)", &c, &n, &k) ==
               3) { // NOLINT
        format = &format::foreign_format_named("hutool-bitset");
        options.size_argument = static_cast<std::uint64_t>(c);
        options.n = items{n};
        options.k = hashes{k};
    } else {
        const std::size_t at = call.find("machine ");
        ASSERT_NE(at, std::string::npos) << call;
        options.m = bits{1024};
        options.word_bits = static_cast<unsigned>(std::stoul(call.substr(at + 8)));
    }
    EXPECT_THROW((void)format->create(options), bad_argument) << call;
}

TEST(Hutool, BitsAndAnswers) {
    const peer from("hutool");
    for (const json& one : from.cases()) {
        SCOPED_TRACE(one.at("id"));
        const std::string type = one.at("type");
        if (type == "hashes") hutool_check_hashes(one);
        if (type == "filter") check_single(one, from);
        if (type == "bitset") check_set(one, from);
        if (type == "bitmap") check_map(one, from);
        if (type == "bitmap_custom") check_map_of_filters(one, from);
        if (type != "errors") continue;
        for (const auto& [call, thrown] : one.items()) {
            if (call != "id" && call != "type") check_error(call);
        }
    }
}

TEST(Hutool, WhatIsNotToldIsAskedFor) {
    EXPECT_THROW((void)single_format("elf").create({}), bad_argument);
    EXPECT_THROW((void)single_format("elf").decode(view("abcd"), {}), bad_argument);
    EXPECT_THROW((void)format::foreign_format_named("hutool-bitmap").create({}), bad_argument);
    EXPECT_THROW((void)format::foreign_format_named("hutool-bitset").create({}), bad_argument);
    foreign_options options;
    options.m = bits{0};
    options.k = hashes{1};
    EXPECT_THROW((void)single_format("elf").create(options), bad_argument);
    EXPECT_THROW((void)format::foreign_format_named("hutool-bitset").create(options), bad_argument);
    // An odd number of bits is not a multiple of two, however ints wrap; of three it may be.
    options.m = bits{1001};
    options.k = hashes{2};
    EXPECT_THROW((void)format::foreign_format_named("hutool-bitset").create(options), bad_argument);
    options.k = hashes{3};
    EXPECT_EQ(format::foreign_format_named("hutool-bitset").create(options).spec().shape.bit_count,
              1001U);
}

// 1431655766 * 3 = 2^32 + 2.
TEST(Hutool, BitsWrapAsJavasIntsDo) {
    const foreign_format& format = format::foreign_format_named("hutool-bitset");
    foreign_options options;
    options.size_argument = 1431655766;
    options.k = hashes{3};
    options.n = items{1};
    const any_filter made = format.create(options);
    EXPECT_EQ(made.spec().shape.bit_count, 2U);
    EXPECT_EQ(std::stod(format.facts(made).at(0).value), plan::hutool_rate(1431655766, 1, 3));
}

TEST(Hutool, AFilterOfOtherHashesIsNotWritten) {
    foreign_options options;
    options.m = bits{64};
    options.k = hashes{1};
    const any_filter made = single_format("elf").create(options);
    EXPECT_THROW((void)written(made, single_format("js")), incompatible);
    const any_filter other = hutool_set_filter(
        {layout_kind::classic, 64, 1}, hash::java_texts_hash::of(std::array{hash_id::js}), {});
    EXPECT_THROW((void)written(other, format::foreign_format_named("hutool-bitset")), incompatible);
}

} // namespace
} // namespace bloomery::testing
