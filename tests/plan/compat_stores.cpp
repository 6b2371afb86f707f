// The sizes of filters in databases and files, against those that they made.
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "foreign_tables.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>

using namespace bloomery;
using namespace bloomery::plan;
using nlohmann::json;

namespace {

// One filter of RedisBloom's header, which is packed and little-endian.
struct stored_layer {
    redisbloom_layer numbers;
    double error;
};

template <class T>
T taken(const std::string& from, std::size_t& at) {
    T value;
    std::memcpy(&value, from.substr(at, sizeof value).data(), sizeof value);
    at += sizeof value;
    return value;
}

stored_layer layer_at(const std::string& header, std::size_t at) {
    stored_layer stored{};
    stored.numbers.byte_count = taken<std::uint64_t>(header, at);
    stored.numbers.bit_count = taken<std::uint64_t>(header, at);
    (void)taken<std::uint64_t>(header, at); // how many keys it has
    stored.error = taken<double>(header, at);
    stored.numbers.bits_per_entry = taken<double>(header, at);
    stored.numbers.hash_count = taken<std::uint32_t>(header, at);
    stored.numbers.entries = taken<std::uint64_t>(header, at);
    stored.numbers.power = taken<std::uint8_t>(header, at);
    return stored;
}

} // namespace

TEST(CompatStores, Cassandra) {
    for (const json& row : foreign::rows("cassandra")) {
        const rate p{row[0]};
        if (row[1].is_string()) {
            EXPECT_THROW((void)cassandra_spec_for(p), bad_argument) << row;
        } else {
            EXPECT_EQ(cassandra_spec_for(p), (cassandra_spec{row[1], row[2]})) << row;
        }
    }
    for (const json& one : foreign::cases("cassandra", "")) {
        const rate p{one["fp_chance"]};
        EXPECT_EQ(cassandra_spec_for(p), (cassandra_spec{one["K"], one["buckets_per_element"]}));
        EXPECT_EQ(cassandra_shape(items{one["n"]}, p),
                  (compat_shape{one["capacity_bits"], one["K"]}));
    }
}

TEST(CompatStores, CassandraReadsItsTableAsPrinted) {
    EXPECT_EQ(cassandra_spec_for({0.092}), (cassandra_spec{3, 5})); // printed with two digits
    EXPECT_EQ(cassandra_spec_for({0.0919}), (cassandra_spec{2, 6}));
    EXPECT_EQ(cassandra_spec_for({0.00819}), (cassandra_spec{7, 10}));
    EXPECT_EQ(cassandra_spec_for({0.00818}), (cassandra_spec{5, 11}));
    EXPECT_EQ(cassandra_spec_for({6.71e-05}), (cassandra_spec{14, 20}));
    EXPECT_THROW((void)cassandra_spec_for({6.709e-05}), bad_argument);
    EXPECT_THROW((void)cassandra_spec_for({1.5}), bad_argument);
    EXPECT_THROW((void)cassandra_spec_for({std::numeric_limits<double>::quiet_NaN()}),
                 bad_argument);
    EXPECT_EQ(cassandra_shape({0}, {0.01}), (compat_shape{64, 5}));
    EXPECT_THROW((void)cassandra_shape({10}, {1.0}), bad_argument);
    EXPECT_THROW((void)cassandra_shape({std::uint64_t{1} << 37U}, {0.5}), bad_argument);
    EXPECT_THROW((void)cassandra_shape({~std::uint64_t{0}}, {0.01}), bad_argument);
}

TEST(CompatStores, HBaseDividesWholeNumbers) {
    // 9585.06 bits; 9 of them a key in whole numbers, and ln 2 times that is 6.24.
    EXPECT_EQ(hbase_shape({1000}, {0.01}), (compat_shape{9586, 7}));
    // 3349.7 bits; 3 a key, 2.08 hashes.
    EXPECT_EQ(hbase_shape({1000}, {0.2}), (compat_shape{3350, 3}));
    EXPECT_EQ(hbase_shape({1}, {0.5}), (compat_shape{2, 2}));
    EXPECT_THROW((void)hbase_shape({1000}, {0.9}), bad_argument); // fewer bits than keys: no hash
    EXPECT_THROW((void)hbase_shape({0}, {0.01}), bad_argument);
    EXPECT_THROW((void)hbase_shape({std::uint64_t{1} << 31U}, {0.5}), bad_argument);
    EXPECT_THROW((void)hbase_shape({2147483647}, {1e-9}), bad_argument); // more than 2^31 bytes
    EXPECT_THROW((void)hbase_shape({1000}, {1.0}), bad_argument);
}

TEST(CompatStores, Parquet) {
    for (const json& row : foreign::rows("parquet")) {
        const items n{row[0]};
        const rate p{row[1]};
        EXPECT_EQ(parquet_bits(n, p).value, row[2]) << row;
        EXPECT_EQ(parquet_bytes(n, p), parquet_array({row[2].get<std::uint64_t>() / 8})) << row;
    }
    for (const json& one : foreign::cases("parquet", "")) {
        EXPECT_EQ(parquet_array(bytes{one["num_bytes_arg"]}).value, one["num_bytes"]);
    }
    EXPECT_EQ(parquet_array({0}).value, 32U);
    EXPECT_EQ(parquet_array({~std::uint64_t{0}}).value, 128U << 20U);
    EXPECT_EQ(parquet_bytes({1'000'000}, {0.01}).value, 2U << 20U);
    EXPECT_EQ(parquet_bits({0}, {0.01}).value, 256U);
    EXPECT_EQ(parquet_bits({0}, {1e-300}).value, 256U);              // 0 / 0
    EXPECT_EQ(parquet_bits({1}, {1e-300}).value, (1U << 30U) + 255); // 1 / 0
    EXPECT_THROW((void)parquet_bits({10}, {1.0}), bad_argument);
}

TEST(CompatStores, LevelDb) {
    for (const json& one : foreign::cases("leveldb", "")) {
        const std::string file =
            bloomery::testing::foreign_file("leveldb", one["file"].get<std::string>());
        const compat_shape chosen = leveldb_shape({one["keys"].size()}, one["bits_per_key"]);
        EXPECT_EQ(chosen.bit_count, (file.size() - 1) * 8) << one["id"];
        EXPECT_EQ(chosen.hash_count, static_cast<unsigned char>(file.back())) << one["id"];
    }
    EXPECT_THROW((void)leveldb_shape({std::uint64_t{1} << 31U}, 10), bad_argument);
}

TEST(CompatStores, RocksDb) {
    for (const json& one : foreign::cases("rocksdb", "")) {
        const std::string file =
            bloomery::testing::foreign_file("rocksdb", one["file"].get<std::string>());
        const items n{one["keys"].size()};
        const bool legacy = one["format_version"] < 5;
        const compat_shape chosen = legacy ? rocksdb_legacy_shape(n, one["bits_per_key"])
                                           : rocksdb_shape(n, one["bits_per_key"]);
        EXPECT_EQ(chosen.bit_count, (file.size() - 5) * 8) << one["id"];
        const char k = file[file.size() - (legacy ? 5 : 3)];
        EXPECT_EQ(chosen.hash_count, static_cast<unsigned char>(k)) << one["id"];
    }
}

TEST(CompatStores, RocksDbAtTheEnds) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW((void)rocksdb_shape({10}, 0.4), bad_argument);
    EXPECT_THROW((void)rocksdb_legacy_shape({10}, 0.4), bad_argument);
    EXPECT_EQ(rocksdb_shape({1000}, 0.5), rocksdb_shape({1000}, 1.0));
    EXPECT_EQ(rocksdb_shape({1000}, nan), rocksdb_shape({1000}, 100.0));
    EXPECT_EQ(rocksdb_shape({~std::uint64_t{0}}, 10), (compat_shape{0xffffffc0ULL * 8, 6}));
    EXPECT_EQ(rocksdb_legacy_shape({~std::uint64_t{0}}, 10), (compat_shape{8388481ULL * 512, 6}));
    EXPECT_EQ(rocksdb_legacy_shape({0}, 10), (compat_shape{0, 6}));
    EXPECT_EQ(rocksdb_shape({1}, 10.07).hash_count, 6U);
    EXPECT_EQ(rocksdb_shape({1}, 10.071).hash_count, 7U);
    EXPECT_EQ(rocksdb_shape({1}, 25.501).hash_count, 12U);
    EXPECT_EQ(rocksdb_shape({1}, 28.001).hash_count, 13U);
    EXPECT_EQ(rocksdb_shape({1}, 50.0).hash_count, 23U);
    EXPECT_EQ(rocksdb_shape({1}, 50.001).hash_count, 24U);
}

TEST(CompatStores, RedisBloom) {
    constexpr std::uint32_t no_scaling = 8;
    for (const json& one : foreign::cases("redisbloom", "")) {
        const std::string header =
            bloomery::testing::foreign_file("redisbloom", one["header_file"].get<std::string>());
        const std::uint32_t options = one["options"];
        std::uint64_t entries = one["capacity"];
        double error = one["error_rate"].get<double>() * ((options & no_scaling) != 0 ? 1 : 0.5);
        for (std::size_t i = 0; i < one["nfilters"]; ++i) {
            const stored_layer stored = layer_at(header, 20 + 53 * i);
            EXPECT_EQ(stored.error, error);
            EXPECT_EQ(redisbloom_shape({entries}, {error}, options), stored.numbers) << one["id"];
            entries = stored.numbers.entries * one["growth"].get<std::uint64_t>();
            error *= 0.5;
        }
    }
}

TEST(CompatStores, RedisBloomAtTheEnds) {
    EXPECT_EQ(
        redisbloom_shape({10}, {0.01}, redisbloom_entries_are_power),
        (redisbloom_layer{128, 1024, redisbloom_shape({1}, {0.01}, 1).bits_per_entry, 7, 106, 10}));
    EXPECT_EQ(redisbloom_shape({1}, {0.9}, redisbloom_no_round).bit_count, 64U);
    EXPECT_THROW((void)redisbloom_shape({1}, {0.9}, 0), bad_argument); // less than half a bit
    EXPECT_THROW((void)redisbloom_shape({64}, {0.1}, redisbloom_entries_are_power), bad_argument);
    EXPECT_THROW((void)redisbloom_shape({62}, {0.9999999}, redisbloom_entries_are_power),
                 bad_argument);
    EXPECT_THROW((void)redisbloom_shape({std::uint64_t{1} << 61U}, {0.01}, 0), bad_argument);
    EXPECT_THROW((void)redisbloom_shape({std::uint64_t{1} << 61U}, {0.01}, 1), bad_argument);
    EXPECT_THROW((void)redisbloom_shape({~std::uint64_t{0}}, {0.9}, 0), bad_argument);
    EXPECT_THROW((void)redisbloom_shape({0}, {0.1}, 5), bad_argument);
    EXPECT_THROW((void)redisbloom_shape({10}, {1.0}, 5), bad_argument);
}
