#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace bloomery::plan {
namespace {

// Java's Math.round: the whole number next to x, halves upwards, without rounding x + 1/2 first.
std::uint64_t java_round(double x) {
    const double below = std::floor(x);
    return static_cast<std::uint64_t>(x - below >= 0.5 ? below + 1.0 : below);
}

// A double at or above 2^63 has no place in the long of the other side.
void check_size(double m) {
    if (m >= 9223372036854775808.0) {
        throw bad_argument("this size exceeds 2^63 bits; expect fewer keys or allow a higher rate");
    }
}

// (long) (-n * ln p / (ln 2 * ln 2)), in this order of operations.
std::uint64_t truncated_bits(std::uint64_t n, double p) {
    const double m =
        -static_cast<double>(n) * std::log(p) / (std::numbers::ln2 * std::numbers::ln2);
    check_size(m);
    const auto whole = static_cast<std::uint64_t>(m);
    if (whole == 0) {
        throw bad_argument("the textbook size is 0 bits for so few keys at so high a rate; ask for "
                           "a lower rate");
    }
    return whole;
}

std::uint32_t hashes_of(std::uint64_t m, std::uint64_t n) {
    const double k = static_cast<double>(m) / static_cast<double>(n) * std::numbers::ln2;
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, java_round(k)));
}

void check_guava(const compat_shape& chosen) {
    if (chosen.hash_count > 255) {
        throw bad_argument("Guava makes at most 255 probes; ask for a rate above 1e-76");
    }
    if ((chosen.bit_count + 63) / 64 >= (std::uint64_t{1} << 31U)) {
        throw bad_argument("Guava stores fewer than 2^31 words; expect fewer keys or allow a "
                           "higher rate");
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
    const std::uint64_t k = java_round(-std::log(p.value) / std::numbers::ln2);
    const compat_shape chosen{m, static_cast<std::uint32_t>(std::max<std::uint64_t>(1, k))};
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

} // namespace bloomery::plan
