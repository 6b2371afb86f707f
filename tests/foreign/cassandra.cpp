// Cassandra's own files and answers, made again from the keys.
#include <bloomery/detail/hash/java_murmur.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "damage.hpp"
#include "peer.hpp"

namespace bloomery::testing {
namespace {

std::vector<std::string> keys_of(const json& list) {
    std::vector<std::string> keys;
    for (const json& key : list) keys.push_back(from_hex(key.get<std::string>()));
    return keys;
}

void check_file(const json& one, const any_filter& mine, const std::string& theirs,
                const foreign_format& format) {
    SCOPED_TRACE(format.name);
    EXPECT_EQ(written(mine, format), theirs);
    expect_round_trip(theirs, format);
    expect_answers(format.decode(view(theirs), {}), keys_of(one.at("probes")), one.at("answers"));
    expect_exact_length(theirs, format);
    expect_damage_shows(theirs, format);
    // Nothing in a file tells the two orders of its bytes apart.
    EXPECT_EQ(format.looks(view(theirs)), format::likeness::possible);
    EXPECT_THROW((void)format::detect_one(view(theirs)), bad_data);
}

void check(const json& one, const peer& from) {
    const foreign_format& now = format::foreign_format_named("cassandra");
    foreign_options options;
    options.n = items{one.at("n").get<std::uint64_t>()};
    options.p = rate{one.at("fp_chance").get<double>()};
    any_filter mine = now.create(options);
    EXPECT_EQ(mine.spec().shape.bit_count, one.at("capacity_bits").get<std::uint64_t>());
    EXPECT_EQ(mine.spec().shape.hash_count, one.at("K").get<std::uint32_t>());
    const plan::cassandra_spec chosen = plan::cassandra_spec_for(*options.p);
    EXPECT_EQ(chosen.bits_per_key, one.at("buckets_per_element").get<std::uint32_t>());
    add_all(mine, keys_of(one.at("keys")), nullptr);
    check_file(one, mine, from.file(one.at("file")), now);
    check_file(one, mine, from.file(one.at("old_format_file")),
               format::foreign_format_named("cassandra-old"));
}

void check_params(const json& one) {
    for (const json& row : one.at("rows")) {
        const rate p{row.at(0).get<double>()};
        if (row.at(1).is_string()) {
            EXPECT_THROW((void)plan::cassandra_spec_for(p), bad_argument) << row;
            continue;
        }
        const plan::cassandra_spec expected{row.at(1).get<std::uint32_t>(),
                                            row.at(2).get<std::uint32_t>()};
        EXPECT_EQ(plan::cassandra_spec_for(p), expected) << row;
    }
}

void check_hashes(const json& one) {
    for (const json& row : one.at("rows")) {
        const std::string key = from_hex(row.at(0).get<std::string>());
        const digest128 expected{std::stoull(row.at(1).get<std::string>()),
                                 std::stoull(row.at(2).get<std::string>())};
        EXPECT_EQ(hash::murmur3_x64_128_signed(view(key)), expected) << row;
    }
}

TEST(Cassandra, FilesAndAnswers) {
    const peer from("cassandra");
    for (const json& one : from.cases()) {
        SCOPED_TRACE(one.at("id"));
        const std::string type = one.value("type", "");
        if (type.empty()) check(one, from);
        if (type == "params") check_params(one);
        if (type == "hash") check_hashes(one);
    }
}

TEST(Cassandra, HasNoFilterForAChanceOfOne) {
    foreign_options options;
    options.n = items{100};
    options.p = rate{1.0};
    EXPECT_THROW((void)format::foreign_format_named("cassandra").create(options), bad_argument);
    options = {};
    EXPECT_THROW((void)format::foreign_format_named("cassandra").create(options), bad_argument);
    options.m = bits{65};
    options.k = hashes{3};
    EXPECT_EQ(format::foreign_format_named("cassandra").create(options).spec().shape.bit_count,
              128U);
}

TEST(Cassandra, EightBytesThatAskForSeventeenGigabytesAreRefused) {
    const std::string bytes("\0\0\0\7\x7f\xff\xff\xff", 8);
    EXPECT_THROW((void)format::foreign_format_named("cassandra").decode(view(bytes), {}), bad_data);
}

TEST(Cassandra, MoreHashesThanItsTableHasAreNotRecognised) {
    const std::string bytes("\0\0\0\x0f\0\0\0\1\0\0\0\0\0\0\0\1", 16);
    EXPECT_EQ(format::foreign_format_named("cassandra").looks(view(bytes)), format::likeness::no);
    EXPECT_EQ(written(format::foreign_format_named("cassandra").decode(view(bytes), {}),
                      format::foreign_format_named("cassandra")),
              bytes);
}

} // namespace
} // namespace bloomery::testing
