// Files and answers of Hadoop's filters, made again from the keys.
#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>

#include "damage.hpp"
#include "peer.hpp"

#include <string>
#include <utility>
#include <vector>

namespace bloomery::testing {
namespace {

const foreign_format& plain = format::foreign_format_named("hadoop");
const foreign_format& counting = format::foreign_format_named("hadoop-counting");

std::vector<std::string> hadoop_keys_of(const json& list) {
    std::vector<std::string> keys;
    for (const json& key : list) keys.push_back(from_hex(key.get<std::string>()));
    return keys;
}

foreign_options options_of(std::uint64_t m, std::uint32_t k, unsigned hash_type) {
    foreign_options options;
    options.m = bits{m};
    options.k = hashes{k};
    options.hash_type = hash_type;
    return options;
}

foreign_options options_of(const json& one) {
    return options_of(one.at("vector_size").get<std::uint64_t>(),
                      one.at("nb_hash").get<std::uint32_t>(), one.at("hash_type").get<unsigned>());
}

const foreign_format& hadoop_format_of(const json& one) {
    return one.at("counting").get<bool>() ? counting : plain;
}

void hadoop_check(const json& one, const peer& from) {
    const foreign_format& format = hadoop_format_of(one);
    any_filter mine = format.create(options_of(one));
    add_all(mine, hadoop_keys_of(one.at("keys")), nullptr);
    const std::string theirs = from.file(one.at("file"));
    EXPECT_EQ(written(mine, format), theirs);
    any_filter at_once = format.create(options_of(one));
    at_once.insert_many(hadoop_keys_of(one.at("keys")));
    EXPECT_EQ(written(at_once, format), theirs);
    expect_round_trip(theirs, format);
    EXPECT_EQ(&format::detect_one(view(theirs)), &format);
    const any_filter read = format.decode(view(theirs), {});
    expect_answers(read, hadoop_keys_of(one.at("probes")), one.at("answers"));
    EXPECT_EQ(read.stats().bits_set, mine.stats().bits_set);
    if (theirs.size() <= 200) expect_exact_length(theirs, format);
}

TEST(Hadoop, FilesAndAnswers) {
    const peer from("hadoop");
    for (const json& one : from.cases()) {
        SCOPED_TRACE(one.at("id"));
        if (one.value("type", "").empty()) hadoop_check(one, from);
    }
}

TEST(Hadoop, DamageIsRefusedOrMakesAnotherFilter) {
    const peer from("hadoop");
    for (const json& one : from.cases()) {
        if (!one.contains("file")) continue;
        const std::string bytes = from.file(one.at("file"));
        if (bytes.size() <= 100) expect_damage_shows(bytes, hadoop_format_of(one));
    }
}

/// The header of old, for a file with Jenkins hashes.
std::string legacy(const std::string& bytes) { return bytes.substr(4, 4) + bytes.substr(9); }

TEST(Hadoop, TheHeaderOfOldIsReadAndWrittenAsItCame) {
    const peer from("hadoop");
    for (const json& one : from.cases()) {
        if (one.value("hash_type", 1) != 0) continue;
        SCOPED_TRACE(one.at("id"));
        const std::string bytes = legacy(from.file(one.at("file")));
        const foreign_format& format = hadoop_format_of(one);
        const any_filter read = format.decode(view(bytes), {});
        EXPECT_EQ(written(read, format), bytes);
        EXPECT_EQ(&format::detect_one(view(bytes)), &format);
        expect_answers(read, hadoop_keys_of(one.at("probes")), one.at("answers"));
    }
    const std::string one_word("\0\0\0\x05\0\0\0\x01\0\0\0\0\0\0\0\x01", 16);
    EXPECT_EQ(counting.looks(view(one_word)), format::likeness::possible);
}

TEST(Hadoop, OtherHeadersAreRefused) {
    const auto with = [](std::string head) { return std::move(head) + std::string(8, '\0'); };
    const std::string version("\xff\xff\xff\xff", 4);
    EXPECT_THROW((void)plain.decode(view(with("\xff\xff\xff\xfe")), {}), unsupported);
    EXPECT_THROW((void)plain.decode(view(with(std::string(4, '\0'))), {}), unsupported);
    // 256 hashes, no hash, hash type 2, no bits, 2^31 bits.
    EXPECT_THROW(
        (void)plain.decode(view(with(version + std::string("\0\0\1\0\1\0\0\0\x40", 9))), {}),
        unsupported);
    for (const std::string& rest :
         {std::string("\0\0\0\0\1\0\0\0\x40", 9), std::string("\0\0\0\1\2\0\0\0\x40", 9),
          std::string("\0\0\0\1\1\0\0\0\0", 9), std::string("\0\0\0\1\1\x80\0\0\0", 9)}) {
        EXPECT_THROW((void)plain.decode(view(with(version + rest)), {}), bad_data);
        EXPECT_THROW((void)counting.decode(view(with(version + rest)), {}), bad_data);
    }
}

TEST(Hadoop, TheEmptyKeyHasNoPlace) {
    for (const foreign_format* const format : {&plain, &counting}) {
        any_filter made = format->create(options_of(100, 3, 1));
        EXPECT_THROW(made.insert(std::string()), no_place);
        EXPECT_THROW((void)made.may_contain(std::string()), no_place);
    }
}

TEST(Hadoop, AFilterIsMadeFromWhatItsMakerKnows) {
    EXPECT_EQ(plain
                  .create([] {
                      foreign_options most = options_of(100, 255, 0);
                      most.hash_type.reset();
                      return most;
                  }())
                  .spec()
                  .hash,
              hash::hash_id::murmur2_32_hadoop);
    foreign_options planned;
    planned.n = items{100};
    planned.p = rate{0.01};
    EXPECT_THROW((void)plain.create(planned), bad_argument);
    for (const foreign_options& wrong :
         {options_of(100, 3, 2), options_of(0, 3, 1), options_of(std::uint64_t{1} << 31U, 3, 1),
          options_of(100, 0, 1), options_of(100, 256, 1)}) {
        EXPECT_THROW((void)plain.create(wrong), bad_argument);
        EXPECT_THROW((void)counting.create(wrong), bad_argument);
    }
    EXPECT_THROW((void)hadoop_filter(bits{100}, hashes{256}), bad_argument);
}

TEST(Hadoop, BitsAndCountersAreNotEachOther) {
    const any_filter bits_only = plain.create(options_of(100, 3, 1));
    any_filter counters = counting.create(options_of(100, 3, 1));
    EXPECT_THROW((void)written(bits_only, counting), incompatible);
    EXPECT_THROW((void)written(counters, plain), incompatible);
    EXPECT_THROW(counters.merge(bits_only), incompatible);
    EXPECT_FALSE(counters.compatible_with(counting.create(options_of(100, 3, 0))));
}

TEST(Hadoop, AFilterMadeWithoutItsFormatHasTheSameBits) {
    hadoop_filter made(bits{100}, hashes{3}); // hashes more than it needs, but the same
    any_filter same = plain.create(options_of(100, 3, 1));
    made.insert("key");
    same.insert(std::string("key"));
    EXPECT_EQ(written(made, plain), written(same, plain));
    same.merge(made);
    EXPECT_EQ(written(made, plain), written(same, plain));
}

} // namespace
} // namespace bloomery::testing
