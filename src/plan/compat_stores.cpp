// The sizes of filters in databases and file formats: in lines, blocks and whole words.
#include <bloomery/detail/plan/number.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "check.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

namespace bloomery::inline v0::plan {
namespace {

constexpr std::uint32_t last_cassandra_row = 20;
constexpr std::uint32_t most_cassandra_hashes = 14;

// A cell of Cassandra's table: the textbook rate for so many bits per key, as it is printed there,
// with three digits. A whole number over a power of ten is the double that the digits stand for.
double printed_rate(std::uint32_t bits_per_key, std::uint32_t k) {
    if (k == 0) return 1.0;
    if (bits_per_key == 5 && k == 3) return 0.092; // the one cell with two digits, not 0.0918
    const double exact = std::pow(1 - std::exp(-static_cast<double>(k) / bits_per_key), k);
    double unit = 1000;
    while (exact * unit < 100) unit *= 10;
    return std::round(exact * unit) / unit;
}

std::uint32_t best_printed(std::uint32_t bits_per_key) {
    std::uint32_t best = 1;
    for (std::uint32_t k = 2; k <= most_cassandra_hashes; ++k) {
        if (printed_rate(bits_per_key, k) < printed_rate(bits_per_key, best)) best = k;
    }
    return best;
}

constexpr std::uint64_t rounded_up(std::uint64_t x, std::uint64_t unit) {
    return (x + unit - 1) / unit * unit;
}

// The k of LevelDB, which RocksDB took over.
std::uint32_t leveldb_hashes(std::uint32_t bits_per_key) {
    return static_cast<std::uint32_t>(std::clamp(bits_per_key * 0.69, 1.0, 30.0));
}

// Thousandths of a bit a key, from 1000 to 100000. The odd half is RocksDB's: it lifts what three
// decimals miss by an ulp.
std::uint32_t rocksdb_millibits(double bits_per_key) {
    if (bits_per_key < 0.5) {
        throw bad_argument("RocksDB does not make filters of less than half a bit per key; give "
                           "more");
    }
    // Written so that NaN gives 100, as there.
    const double used = bits_per_key < 100.0 ? std::max(bits_per_key, 1.0) : 100.0;
    return static_cast<std::uint32_t>(used * 1000.0 + 0.500001);
}

std::uint32_t rocksdb_hashes(std::uint32_t millibits) {
    constexpr std::array<std::uint32_t, 12> most{2080,  3580,  5100,  6640,  8300,  10070,
                                                 11720, 14001, 16050, 18300, 22001, 25501};
    if (millibits > 50000) return 24;
    if (millibits > most.back()) return (millibits - 1) / 2000 - 1;
    const auto below = std::lower_bound(most.begin(), most.end(), millibits) - most.begin();
    return static_cast<std::uint32_t>(below) + 1;
}

// Beyond these ends C leaves RedisBloom's numbers to chance.
void check_redisbloom(bool fits) {
    if (!fits) {
        throw bad_argument("RedisBloom cannot make a filter with so few or so many bits; change "
                           "the entries or the error");
    }
}

// A power of two of bits, and the entries that the bits left over have room for.
void round_redisbloom(redisbloom_layer& layer) {
    const double wanted = static_cast<double>(layer.entries) * layer.bits_per_entry;
    const double power = std::logb(wanted) + 1;
    check_redisbloom(power >= 0 && power < 63);
    layer.power = static_cast<std::uint8_t>(power);
    layer.bit_count = std::uint64_t{1} << layer.power;
    const auto left = static_cast<std::uint64_t>(static_cast<double>(layer.bit_count) - wanted);
    layer.entries += static_cast<std::uint64_t>(static_cast<double>(left) / layer.bits_per_entry);
}

} // namespace

cassandra_spec cassandra_spec_for(rate p) {
    // Written so that NaN fails too.
    if (!(p.value <= 1.0 && p.value >= printed_rate(last_cassandra_row, most_cassandra_hashes))) {
        throw bad_argument("Cassandra supports false-positive chances from 6.71e-05 to 1; give "
                           "one such as 0.01");
    }
    if (p.value >= printed_rate(2, 1)) return {2, 1};
    std::uint32_t row = 2;
    while (printed_rate(row, best_printed(row)) > p.value) ++row;
    std::uint32_t k = best_printed(row);
    while (printed_rate(row, k - 1) <= p.value) --k;
    return {k, row};
}

compat_shape cassandra_shape(items n, rate p) {
    constexpr std::uint64_t most_words = std::numeric_limits<std::int32_t>::max();
    const cassandra_spec spec = cassandra_spec_for(p);
    if (p.value == 1.0) {
        throw bad_argument("Cassandra does not store a filter if the chance is 1; give a lower "
                           "one");
    }
    if (n.value > (most_words * 64 - 20) / spec.bits_per_key) {
        throw bad_argument("Cassandra stores fewer than 2^31 words; expect fewer keys or allow a "
                           "higher chance");
    }
    return {rounded_up(n.value * spec.bits_per_key + 20, 64), spec.hash_count};
}

compat_shape hbase_shape(items n, rate p) {
    constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
    constexpr double ln2 = std::numbers::ln2;
    check_items(n);
    check_rate(p);
    const double m = std::ceil(static_cast<double>(n.value) * (-std::log(p.value) / (ln2 * ln2)));
    if (n.value > most || m > static_cast<double>(most) * 8) {
        throw bad_argument("HBase counts the keys and the bytes of a chunk in an int: expect fewer "
                           "keys or allow a higher rate");
    }
    const auto bit_count = static_cast<std::uint64_t>(m);
    const std::uint64_t bits_per_key = bit_count / n.value; // in whole numbers, as there
    if (bits_per_key == 0) {
        throw bad_argument("HBase does not make a chunk for such a rate, which needs fewer bits "
                           "than keys and no hash; give a lower rate");
    }
    return {bit_count,
            static_cast<std::uint32_t>(std::ceil(ln2 * static_cast<double>(bits_per_key)))};
}

bits parquet_bits(items n, rate p) {
    constexpr std::uint64_t block = 256;
    constexpr std::uint64_t most = std::uint64_t{1} << 30U;
    check_rate(p);
    // n is a long there, and -8n wraps.
    const auto product = static_cast<std::int64_t>(-std::uint64_t{8} * n.value);
    const double m = static_cast<double>(product) / std::log(1 - std::pow(p.value, 1.0 / 8));
    std::uint64_t chosen = 0; // what NaN becomes: no keys at a rate too small to compute with
    if (m > static_cast<double>(most) || m < 0) {
        chosen = most;
    } else if (m > 0) {
        chosen = static_cast<std::uint64_t>(m);
    }
    return {std::max((chosen + block - 1) & ~block, block)};
}

bytes parquet_array(bytes wanted) {
    constexpr std::uint64_t most = std::uint64_t{128} << 20U;
    return {std::bit_ceil(std::clamp<std::uint64_t>(wanted.value, 32, most))};
}

bytes parquet_bytes(items n, rate p) { return parquet_array({parquet_bits(n, p).value / 8}); }

bytes milvus_bytes(items n, rate p) {
    constexpr std::uint64_t most = std::uint64_t{1} << 30U;
    if (!(p.value >= 0.0001 && p.value <= 0.05)) {
        throw bad_argument("Milvus makes filters for rates from 0.0001 to 0.05, not " +
                           shortest(p.value));
    }
    const double m = -8.0 * static_cast<double>(n.value) / std::log(1 - std::pow(p.value, 1.0 / 8));
    const std::uint64_t chosen =
        m > static_cast<double>(most) ? most : static_cast<std::uint64_t>(m);
    return {std::bit_ceil(std::max<std::uint64_t>(chosen, 256)) / 8};
}

compat_shape leveldb_shape(items n, std::uint32_t bits_per_key) {
    constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
    if (n.value > most || bits_per_key > most) {
        throw bad_argument("LevelDB counts keys, and bits per key, in an int: at most 2147483647");
    }
    const std::uint64_t wanted = std::max<std::uint64_t>(n.value * bits_per_key, 64);
    return {rounded_up(wanted, 8), leveldb_hashes(bits_per_key)};
}

compat_shape rocksdb_legacy_shape(items n, double bits_per_key) {
    constexpr std::uint64_t most = 0xffff0000;
    const std::uint32_t whole = (rocksdb_millibits(bits_per_key) + 500) / 1000;
    const std::uint32_t k = leveldb_hashes(whole);
    if (n.value == 0) return {0, k};
    const std::uint64_t wanted = n.value > most / whole ? most : n.value * whole;
    const std::uint64_t lines = rounded_up(wanted, 512) / 512;
    return {(lines | 1U) * 512, k};
}

compat_shape rocksdb_shape(items n, double bits_per_key) {
    constexpr std::uint64_t most = 0xffffffc0;
    const std::uint32_t millibits = rocksdb_millibits(bits_per_key);
    const std::uint64_t wanted =
        n.value > most * 8000 / millibits ? most : rounded_up(n.value * millibits, 8000) / 8000;
    return {rounded_up(wanted, 64) * 8, rocksdb_hashes(millibits)};
}

redisbloom_layer redisbloom_shape(items entries, rate error, std::uint32_t options) {
    constexpr double ln2 = 0.693147180559945; // the digits that RedisBloom has
    constexpr double ln2_squared = 0.480453013918201;
    check_items(entries);
    check_rate(error);
    check_redisbloom(entries.value < std::uint64_t{1} << 62U);
    redisbloom_layer layer{};
    layer.entries = entries.value;
    layer.bits_per_entry = -(std::log(error.value) / ln2_squared);
    layer.hash_count = static_cast<std::uint32_t>(std::ceil(ln2 * layer.bits_per_entry));
    if ((options & redisbloom_entries_are_power) != 0) {
        check_redisbloom(entries.value < 63);
        layer.power = static_cast<std::uint8_t>(entries.value);
        layer.bit_count = std::uint64_t{1} << layer.power;
        const double room = static_cast<double>(layer.bit_count) / layer.bits_per_entry;
        check_redisbloom(room < 0x1p63);
        layer.entries = static_cast<std::uint64_t>(room);
    } else if ((options & redisbloom_no_round) != 0) {
        const double wanted = static_cast<double>(entries.value) * layer.bits_per_entry;
        check_redisbloom(wanted < 0x1p63);
        layer.bit_count = std::max<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1);
    } else {
        round_redisbloom(layer);
    }
    layer.bit_count = rounded_up(layer.bit_count, 64);
    layer.byte_count = layer.bit_count / 8;
    return layer;
}

} // namespace bloomery::inline v0::plan
