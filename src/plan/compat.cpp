#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace bloomery::inline v0::plan {
namespace {

constexpr std::uint64_t largest_datasketches = 17179868920; // (2^31 - 33) * 8

// How other languages turn a double into a whole number. Out of line, because a compiler may fuse
// the caller's last product with the difference in here, and then one rounding is missing.

// Java's Math.round: the whole number next to x, halves upwards, without rounding x + 1/2 first.
// NaN gives 0; what no long holds gives the end of the range.
[[gnu::noinline]] std::int64_t java_round(double x) {
    constexpr double end = 0x1p63;
    if (std::isnan(x)) return 0;
    if (x >= end) return std::numeric_limits<std::int64_t>::max();
    if (x < -end) return std::numeric_limits<std::int64_t>::min();
    const double below = std::floor(x);
    return static_cast<std::int64_t>(x - below >= 0.5 ? below + 1.0 : below);
}

// Go's uint32(math.Floor(x + 0.5)) on x86-64: the low half of a 64-bit number; 0 for NaN and what
// no such number holds.
[[gnu::noinline]] std::uint32_t go_round(double x) {
    constexpr double end = 0x1p63;
    const double whole = std::floor(x + 0.5);
    // Written so that NaN fails too.
    if (!(whole >= -end && whole < end)) return 0;
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(whole));
}

// A double at or above 2^63 has no place in the long of the other side.
void check_size(double m) {
    if (m >= 9223372036854775808.0) {
        throw bad_argument("this size exceeds 2^63 bits; expect fewer keys or allow a higher rate");
    }
}

void check_some_bits(std::uint64_t m) {
    if (m == 0) {
        throw bad_argument("the textbook size is 0 bits for so few keys at such a high rate; ask "
                           "for a lower rate");
    }
}

// (long) (-n * ln p / (ln 2 * ln 2)), in this order of operations.
std::uint64_t truncated_bits(std::uint64_t n, double p) {
    const double m =
        -static_cast<double>(n) * std::log(p) / (std::numbers::ln2 * std::numbers::ln2);
    check_size(m);
    const auto whole = static_cast<std::uint64_t>(m);
    check_some_bits(whole);
    return whole;
}

// The number next to m / n ln 2 in an int of 32 bits, but at least 1.
std::uint32_t hashes_of(std::uint64_t m, std::uint64_t n) {
    const double k = static_cast<double>(m) / static_cast<double>(n) * std::numbers::ln2;
    return static_cast<std::uint32_t>(
        std::max<std::int32_t>(1, static_cast<std::int32_t>(java_round(k))));
}

// Java's arrays have fewer than 2^31 words.
bool fits_java_array(std::uint64_t m) { return m <= (std::uint64_t{1} << 37U) - 64; }

void check_guava(const compat_shape& chosen) {
    if (chosen.hash_count > 255) {
        throw bad_argument("Guava makes at most 255 probes; ask for a rate above 1e-76");
    }
    if (!fits_java_array(chosen.bit_count)) {
        throw bad_argument("Guava stores fewer than 2^31 words; expect fewer keys or allow a "
                           "higher rate");
    }
}

void check_spark(std::uint64_t m) {
    if (!fits_java_array(m)) {
        throw bad_argument("Spark stores fewer than 2^31 words; expect fewer keys, allow a higher "
                           "rate or give fewer bits");
    }
}

void check_datasketches(double m) {
    if (m > static_cast<double>(largest_datasketches)) {
        throw bad_argument("DataSketches stores at most 17179868920 bits; expect fewer keys, allow "
                           "a higher rate or give fewer bits");
    }
}

void check_bits(std::uint64_t ones, bits m, hashes k) {
    if (m.value == 0 || k.value == 0 || ones > m.value) {
        throw bad_argument("a filter has at least one bit and one probe, and no more bits set "
                           "than it has bits");
    }
}

} // namespace

compat_shape guava_shape(items n, rate p) {
    check_rate(p);
    const std::uint64_t keys = std::max<std::uint64_t>(n.value, 1);
    const std::uint64_t m = truncated_bits(keys, p.value);
    const compat_shape chosen{m, hashes_of(m, keys)};
    check_guava(chosen);
    return chosen;
}

compat_shape guava_33_4_shape(items n, rate p) {
    check_rate(p);
    const std::uint64_t m = truncated_bits(std::max<std::uint64_t>(n.value, 1), p.value);
    const std::int64_t k = java_round(-std::log(p.value) / std::numbers::ln2);
    const compat_shape chosen{m, static_cast<std::uint32_t>(std::max<std::int64_t>(1, k))};
    check_guava(chosen);
    return chosen;
}

compat_shape go_shape(items n, rate p) {
    check_items(n);
    check_rate(p);
    const auto keys = static_cast<double>(n.value);
    const double m = std::ceil(-1.0 * keys * std::log(p.value) / std::pow(std::numbers::ln2, 2));
    check_size(m);
    const double k = std::ceil(std::numbers::ln2 * m / keys);
    return {static_cast<std::uint64_t>(m), static_cast<std::uint32_t>(k)};
}

compat_shape redisson_shape(items n, rate p) {
    constexpr std::uint64_t largest = 4294967294; // two bits short of the 512 MiB of a Redis string
    check_items(n);
    if (p.value != 0.0) check_rate(p);
    const double used = p.value == 0.0 ? std::numeric_limits<double>::denorm_min() : p.value;
    const std::uint64_t m = truncated_bits(n.value, used);
    if (m > largest) {
        throw bad_argument("Redisson stores at most 4294967294 bits; expect fewer keys, allow a "
                           "higher rate or use shards");
    }
    return {m, hashes_of(m, n.value)};
}

compat_shape spark_shape(items n, rate p) {
    check_items(n);
    check_rate(p);
    const std::uint64_t m = truncated_bits(n.value, p.value);
    return {m, spark_hashes(n, bits{m}).value};
}

hashes spark_hashes(items n, bits m) {
    check_items(n);
    check_some_bits(m.value);
    check_spark(m.value);
    return {hashes_of(m.value, n.value)};
}

compat_shape datasketches_shape(items n, rate p) {
    check_items(n);
    check_rate(p);
    const double log_p = std::log(p.value);
    const double m =
        std::ceil(-static_cast<double>(n.value) * log_p / (std::numbers::ln2 * std::numbers::ln2));
    check_datasketches(m);
    const double k = std::ceil(-log_p / std::numbers::ln2);
    return {static_cast<std::uint64_t>(m), static_cast<std::uint32_t>(k)};
}

hashes datasketches_hashes(items n, bits m) {
    check_items(n);
    check_some_bits(m.value);
    const auto all = static_cast<double>(m.value);
    check_datasketches(all);
    const double k = std::ceil(all / static_cast<double>(n.value) * std::numbers::ln2);
    if (k > 65535) {
        throw bad_argument("DataSketches makes at most 65535 probes; expect more keys or give "
                           "fewer bits");
    }
    return {static_cast<std::uint32_t>(k)};
}

compat_shape dcso_shape(items n, rate p) {
    check_items(n);
    check_rate(p);
    const auto keys = static_cast<double>(n.value);
    const double m = std::abs(std::ceil(keys * std::log(p.value) / std::pow(std::numbers::ln2, 2)));
    check_size(m);
    check_some_bits(static_cast<std::uint64_t>(m));
    const double k = std::ceil(std::numbers::ln2 * m / keys);
    return {static_cast<std::uint64_t>(m), static_cast<std::uint32_t>(k)};
}

compat_shape hutool_bitset_shape(std::int32_t c, std::int32_t /*n*/, std::int32_t k) {
    if (k < 1) throw bad_argument("hutool needs at least one hash function; give k of at least 1");
    // The product of two ints wraps there.
    const auto m =
        static_cast<std::int32_t>(static_cast<std::uint32_t>(c) * static_cast<std::uint32_t>(k));
    if (m == 0) {
        throw bad_argument("hutool divides by zero in a filter of 0 bits; give a larger c");
    }
    if (m < 0) {
        throw bad_argument("in hutool, c times k overflows to a negative number of bits; keep "
                           "the product between 1 and 2147483647");
    }
    return {static_cast<std::uint64_t>(m), static_cast<std::uint32_t>(k)};
}

bits hutool_bitmap_bits(std::int32_t m) {
    if (m < 5) {
        throw bad_argument("hutool divides by zero in maps of 0 bits; give an m of at least 5");
    }
    if (m >= 5 * 8192) {
        throw bad_argument("a map of hutool has fewer than 2^31 words; give an m below 40960");
    }
    return {static_cast<std::uint64_t>(m / 5) << 23U};
}

double guava_expected_rate(std::uint64_t ones, bits m, hashes k) {
    check_bits(ones, m, k);
    return std::pow(static_cast<double>(ones) / static_cast<double>(m.value), k.value);
}

std::uint64_t guava_approximate_count(std::uint64_t ones, bits m, hashes k) {
    check_bits(ones, m, k);
    if (ones == m.value) {
        throw bad_argument("every bit is set: any number of keys may be in this filter");
    }
    const auto all = static_cast<double>(m.value);
    const double set = static_cast<double>(ones) / all;
    return static_cast<std::uint64_t>(java_round(-std::log1p(-set) * all / k.value));
}

std::uint32_t go_approximated_size(std::uint64_t ones, bits m, hashes k) {
    const auto all = static_cast<double>(m.value);
    // Go divides by ln e at the end, which is 1 there.
    return go_round(-1 * all / k.value * std::log(1 - static_cast<double>(ones) / all));
}

std::uint64_t redisson_count(std::uint64_t ones, bits m, hashes k) {
    const auto all = static_cast<double>(m.value);
    return static_cast<std::uint64_t>(
        java_round(-all / k.value * std::log(1 - static_cast<double>(ones) / all)));
}

double spark_expected_rate(std::uint64_t ones, bits m, hashes k) {
    return guava_expected_rate(ones, m, k);
}

double hutool_rate(std::int32_t c, std::int32_t n, std::int32_t k) {
    const auto m = static_cast<double>(hutool_bitset_shape(c, n, k).bit_count);
    return std::pow(1 - std::exp(-k * static_cast<double>(n) / m), k);
}

} // namespace bloomery::inline v0::plan
