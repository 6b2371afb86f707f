// Redisson's bits in a real Redis, made again from the keys.
#include <bloomery/detail/hash/foreign.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/format/redis.hpp>

#include "damage.hpp"
#include "peer.hpp"
#include "redisson_keys.hpp"

namespace bloomery::testing {
namespace {

const foreign_format& value_format() { return format::foreign_format_named("redisson"); }
const foreign_format& dump_format() { return format::foreign_format_named("redisson-dump"); }

foreign_options sized(const json& one) {
    foreign_options options;
    options.m = bits{one.at("size").get<std::uint64_t>()};
    options.k = hashes{one.at("hashIterations").get<std::uint32_t>()};
    return options;
}

foreign_options planned(const json& one) {
    foreign_options options;
    options.n = items{one.at("n").get<std::uint64_t>()};
    options.p = rate{one.at("fpp").get<double>()};
    return options;
}

void redisson_check_hashes(const json& one) {
    for (const json& row : one.at("rows")) {
        const std::string key = from_hex(row.at(0).get<std::string>());
        const digest128 expected{std::stoull(row.at(1).get<std::string>()),
                                 std::stoull(row.at(2).get<std::string>())};
        EXPECT_EQ(hash::redisson_hash{}(view(key)), expected) << row;
    }
}

void check_indices(const json& one) {
    const any_filter made = value_format().create(planned(one));
    const auto* const filter = made.get_if<redisson_filter>();
    ASSERT_NE(filter, nullptr);
    EXPECT_EQ(filter->spec(), value_format().create(sized(one)).spec());
    for (const json& row : one.at("rows")) {
        const std::string key = encoded_by(one.at("codec"), row.at(0));
        EXPECT_EQ(to_hex(key), row.at(1).get<std::string>());
        const digest128 expected{std::stoull(row.at(2).at(0).get<std::string>()),
                                 std::stoull(row.at(2).at(1).get<std::string>())};
        EXPECT_EQ(filter->digest(key), expected);
        std::vector<std::uint64_t> places = filter->locations(key, filter->hash_count());
        for (std::uint64_t& place : places) place %= filter->bit_count();
        EXPECT_EQ(places, row.at(3).get<std::vector<std::uint64_t>>());
    }
}

void check_dump(const json& one, const peer& from, const any_filter& mine) {
    const std::string dump = from.file(one.at("dump_file"));
    if (dump.substr(1, 1) == "\xc3") {
        EXPECT_THROW((void)dump_format().decode(view(dump), sized(one)), unsupported);
        return;
    }
    EXPECT_EQ(written(mine, dump_format()), dump);
    expect_round_trip(dump, dump_format(), sized(one));
    EXPECT_EQ(&format::detect_one(view(dump)), &dump_format());
    EXPECT_EQ(written(dump_format().decode(view(dump), sized(one)), value_format()),
              from.file(one.at("file")));
    expect_exact_length(dump, dump_format(), sized(one));
    for (std::size_t bit = 0; bit < dump.size() * 8; ++bit) {
        std::string bytes = dump;
        bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
        EXPECT_TRUE(refused(bytes, dump, dump_format(), sized(one))) << bit;
        EXPECT_EQ(dump_format().looks(view(bytes)), format::likeness::no) << bit;
    }
}

void check_redis(const json& one, const peer& from) {
    any_filter mine = value_format().create(planned(one));
    EXPECT_EQ(mine.spec(), value_format().create(sized(one)).spec());
    add_all(mine, redisson_keys(one, one.at("keys")), one.at("add_changed"));
    const std::string theirs = from.file(one.at("file"));
    EXPECT_EQ(written(mine, value_format()), theirs);
    EXPECT_EQ(theirs.size(), one.at("strlen").get<std::size_t>());
    const any_filter read = value_format().decode(view(theirs), sized(one));
    EXPECT_EQ(written(read, value_format()), theirs);
    expect_answers(read, redisson_keys(one, one.at("probes")), one.at("answers"));
    EXPECT_EQ(read.stats().bits_set, one.at("bitcount").get<std::uint64_t>());
    EXPECT_EQ(value_format().facts(read).at(2).value,
              std::to_string(one.at("count").get<std::uint64_t>()));
    EXPECT_EQ(format::redisson_config_key(one.at("redis_key").get<std::string>()),
              one.at("config_key").get<std::string>());
    expect_damage_shows(theirs, value_format(), sized(one));
    check_dump(one, from, mine);
}

void redisson_check_params(const json& one) {
    for (const json& row : one.at("rows")) {
        const auto n = row.at(0).get<std::int64_t>();
        const auto p = row.at(1).get<double>();
        if (row.at(3).is_string()) {
            EXPECT_THROW((void)format::redisson_config_for(static_cast<std::uint64_t>(n), p),
                         bad_argument)
                << row;
            continue;
        }
        const auto made = format::redisson_config_for(static_cast<std::uint64_t>(n), p);
        EXPECT_EQ(made.size, row.at(2).get<std::uint64_t>()) << row;
        EXPECT_EQ(made.hash_iterations, row.at(3).get<std::uint32_t>()) << row;
        EXPECT_EQ(format::redisson_config::from(made.to_fields()), made) << row;
    }
}

TEST(Redisson, BitsAndAnswers) {
    const peer from("redisson");
    for (const json& one : from.cases()) {
        SCOPED_TRACE(one.at("id"));
        const std::string type = one.value("type", "");
        if (type == "hash") redisson_check_hashes(one);
        if (type == "indices") check_indices(one);
        if (type == "redis") check_redis(one, from);
        if (type == "params") redisson_check_params(one);
    }
}

TEST(Redisson, WithoutASizeNothingIsRead) {
    EXPECT_THROW((void)value_format().decode(view("a"), {}), bad_argument);
    EXPECT_THROW((void)value_format().create({}), bad_argument);
    foreign_options options;
    options.m = bits{8};
    options.k = hashes{1};
    EXPECT_THROW((void)value_format().decode(view("ab"), options), bad_data);
    options.m = bits{7};
    EXPECT_THROW((void)value_format().decode(view("\x01"), options), bad_data);
    options.m = bits{4294967295};
    EXPECT_THROW((void)value_format().create(options), bad_argument);
}

// Redis keeps a short string of digits as a number, and DUMP shows that.
TEST(RedissonDump, AStringOfDigitsIsANumber) {
    foreign_options options;
    options.m = bits{88};
    options.k = hashes{1};
    const std::vector<std::pair<std::string, std::string>> forms{
        {"7", "00c007"},
        {"-128", "00c080"},
        {"1000", "00c1e803"},
        {"-2147483648", "00c200000080"},
        {"2147483648", "000a32313437343833363438"},
        {"07", "00023037"},
        {"", "0000"},
    };
    for (const auto& [value, front] : forms) {
        const any_filter made = value_format().decode(view(value), options);
        const std::string dump = written(made, dump_format());
        EXPECT_EQ(to_hex(dump.substr(0, dump.size() - 10)), front);
        EXPECT_EQ(written(dump_format().decode(view(dump), options), value_format()), value);
        EXPECT_EQ(dump_format().looks(view(dump)), format::likeness::sure);
    }
}

TEST(RedissonDump, LongStringsHaveLongerLengths) {
    foreign_options options;
    options.k = hashes{1};
    for (const std::size_t size : {63U, 64U, 16383U, 16384U, 3000000U}) {
        options.m = bits{size * 8};
        const std::string value(size, 'x');
        const std::string dump =
            written(value_format().decode(view(value), options), dump_format());
        EXPECT_EQ(dump.size(), 11 + size + (size < 64 ? 1 : size < 16384 ? 2 : 5));
        EXPECT_EQ(written(dump_format().decode(view(dump), options), value_format()), value);
    }
}

TEST(RedissonConfig, TheRateIsPrintedAsJavaPrintsIt) {
    const std::vector<std::pair<double, std::string>> numbers{
        {0, "0.0"},
        {1, "1.0"},
        {0.5, "0.5"},
        {0.03, "0.03"},
        {0.001, "0.001"},
        {0.0015, "0.0015"},
        {0.00099, "9.9E-4"},
        {1e-4, "1.0E-4"},
        {1.25e-5, "1.25E-5"},
        {1e-10, "1.0E-10"},
        {0.1 + 0.2, "0.30000000000000004"},
        {4.9e-324, "4.9E-324"},
        {2e-323, "2.0E-323"},
        {100, "100.0"},
        {1234.5, "1234.5"},
        {9999999, "9999999.0"},
        {1e7, "1.0E7"},
        {1e10, "1.0E10"},
        {12345678.9, "1.23456789E7"},
        {2e23, "2.0E23"},
        {1.7976931348623157e308, "1.7976931348623157E308"},
        {-0.25, "-0.25"},
    };
    for (const auto& [number, text] : numbers) {
        const format::redisson_config config{1, 1, 1, number};
        EXPECT_EQ(config.to_fields().at("falseProbability"), text);
    }
}

TEST(RedissonConfig, IsReadFromItsFields) {
    const format::redis_fields good{{"size", "7298"},
                                    {"hashIterations", "5"},
                                    {"expectedInsertions", "1000"},
                                    {"falseProbability", "1.0E-4"},
                                    {"more", "of a later version"}};
    const format::redisson_config expected{7298, 5, 1000, 1e-4};
    EXPECT_EQ(format::redisson_config::from(good), expected);
    for (const char* const name :
         {"size", "hashIterations", "expectedInsertions", "falseProbability"}) {
        for (const char* const bad :
             {"", "x", "1x", "-1", "1e999", "99999999999999999999", "nan"}) {
            auto fields = good;
            fields[name] = bad;
            EXPECT_THROW((void)format::redisson_config::from(fields), bad_data) << name << bad;
        }
        auto fields = good;
        fields.erase(name);
        EXPECT_THROW((void)format::redisson_config::from(fields), bad_data) << name;
    }
}

} // namespace
} // namespace bloomery::testing
