// Spark's own files and answers, made again from the keys.
#include <bloomery/detail/hash/java_murmur.hpp>
#include <bloomery/error.hpp>
#include <bloomery/key/encodings.hpp>
#include <bloomery/plan/compat.hpp>

#include "damage.hpp"
#include "peer.hpp"

namespace bloomery::testing {
namespace {

std::string long_key(const json& key) {
    const auto bytes = i64le(std::stoll(key.get<std::string>()));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::string> spark_keys_of(const json& one, const json& list) {
    const std::string type = one.at("key_type");
    std::vector<std::string> keys;
    for (const json& key : list) {
        if (type == "long") {
            keys.push_back(long_key(key));
        } else if (type == "binary") {
            keys.push_back(from_hex(key.get<std::string>()));
        } else {
            keys.push_back(java_utf8(utf16_of(text_of(key))));
        }
    }
    return keys;
}

const foreign_format& spark_format_of(const json& one) {
    return format::foreign_format_named(one.at("version") == 1 ? "spark" : "spark-2");
}

std::string spark_fact(const foreign_format& format, const any_filter& of, std::string_view name) {
    for (const format::foreign_fact& one : format.facts(of)) {
        if (one.name == name) return one.value;
    }
    return "none";
}

void spark_check(const json& one, const peer& from) {
    const foreign_format& format = spark_format_of(one);
    foreign_options options;
    options.n = items{one.at("n").get<std::uint64_t>()};
    options.m = bits{one.at("num_bits_arg").get<std::uint64_t>()};
    options.seed = static_cast<std::uint64_t>(one.at("seed").get<std::int64_t>());
    any_filter mine = format.create(options);
    EXPECT_EQ(mine.spec().shape.bit_count, one.at("bit_size").get<std::uint64_t>());
    EXPECT_EQ(mine.spec().shape.hash_count, one.at("k").get<std::uint32_t>());
    add_all(mine, spark_keys_of(one, one.at("keys")), one.at("put_returned"));
    const std::string theirs = from.file(one.at("file"));
    EXPECT_EQ(written(mine, format), theirs);
    expect_round_trip(theirs, format);
    EXPECT_EQ(&format::detect_one(view(theirs)), &format);
    expect_answers(format.decode(view(theirs), {}), spark_keys_of(one, one.at("probes")),
                   one.at("answers"));
    EXPECT_EQ(mine.stats().bits_set, one.at("cardinality").get<std::uint64_t>());
    EXPECT_EQ(std::stod(spark_fact(format, mine, "expectedFpp")),
              std::stod(one.at("expected_fpp").get<std::string>()));
    expect_exact_length(theirs, format);
    expect_damage_shows(theirs, format);
}

void spark_check_hashes(const json& one) {
    for (const json& row : one.at("rows")) {
        const bool number = one.at("type") == "hash_long";
        const std::string key =
            number ? long_key(row.at(0)) : from_hex(row.at(0).get<std::string>());
        const auto seed = static_cast<std::uint32_t>(row.at(1).get<std::int64_t>());
        EXPECT_EQ(static_cast<std::int32_t>(hash::murmur3_x86_32_spark(view(key), seed)),
                  row.at(2).get<std::int32_t>())
            << row;
    }
}

TEST(Spark, FilesAndAnswers) {
    const peer from("spark");
    for (const json& one : from.cases()) {
        SCOPED_TRACE(one.at("id"));
        const std::string type = one.value("type", "");
        if (type.empty()) spark_check(one, from);
        if (type == "hash" || type == "hash_long") spark_check_hashes(one);
    }
}

TEST(Spark, IsSizedByKeysAndRateOrBitsAndHashes) {
    const foreign_format& format = format::foreign_format_named("spark");
    foreign_options options;
    options.n = items{1000};
    const plan::compat_shape expected = plan::spark_shape(items{1000}, rate{0.03});
    const spec by_default = format.create(options).spec();
    EXPECT_EQ(by_default.shape.bit_count, (expected.bit_count + 63) / 64 * 64);
    EXPECT_EQ(by_default.shape.hash_count, expected.hash_count);
    options.p = rate{1.5};
    EXPECT_THROW((void)format.create(options), bad_argument);
    options = {};
    EXPECT_THROW((void)format.create(options), bad_argument);
    options.m = bits{65};
    options.k = hashes{3};
    EXPECT_EQ(format.create(options).spec().shape.bit_count, 128U);
    options.seed = std::uint64_t{1} << 40U;
    EXPECT_THROW((void)format::foreign_format_named("spark-2").create(options), bad_argument);
}

TEST(Spark, ANewerVersionIsUnsupported) {
    const std::string bytes("\0\0\0\3\0\0\0\1\0\0\0\1\0\0\0\0\0\0\0\0", 20);
    EXPECT_THROW((void)format::foreign_format_named("spark").decode(view(bytes), {}), unsupported);
}

TEST(Spark, TwelveBytesThatAskForSeventeenGigabytesAreRefused) {
    const std::string bytes("\0\0\0\1\0\0\0\7\x7f\xff\xff\xff", 12);
    EXPECT_THROW((void)format::foreign_format_named("spark").decode(view(bytes), {}), bad_data);
}

} // namespace
} // namespace bloomery::testing
