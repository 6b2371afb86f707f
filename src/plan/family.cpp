#include <bloomery/error.hpp>
#include <bloomery/plan/family.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include "check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace bloomery::inline v0::plan {
namespace {

double per_item(std::uint64_t byte_count, items n) {
    return 8.0 * static_cast<double>(byte_count) / static_cast<double>(n.value);
}

std::uint64_t packed_bytes(std::uint64_t counters, std::uint32_t counter_bits) {
    const std::uint64_t in_word = 64 / counter_bits;
    return (counters / in_word + (counters % in_word != 0 ? 1 : 0)) * 8;
}

/// As many bits a counter as it needs, and no gaps.
std::uint64_t dense_bytes(std::uint64_t counters, std::uint32_t counter_bits) {
    return (counters / 64 * counter_bits + (counters % 64 * counter_bits + 63) / 64) * 8;
}

double poisson_chance(double mean, std::uint64_t value) {
    const auto at = static_cast<double>(value);
    return std::exp(at * std::log(mean) - mean - std::lgamma(at + 1.0));
}

} // namespace

double poisson_tail(double mean, std::uint64_t at_least) {
    if (!(mean >= 0.0 && std::isfinite(mean))) {
        throw bad_argument("the mean of a Poisson distribution is finite and not negative");
    }
    if (at_least == 0) return 1.0;
    if (mean == 0.0) return 0.0;
    // Below the mean the other side is the short one; above it, the tail itself has no
    // cancellation.
    if (static_cast<double>(at_least) <= mean) {
        double below = 0.0;
        for (std::uint64_t i = 0; i < at_least; ++i) below += poisson_chance(mean, i);
        return std::max(0.0, 1.0 - below);
    }
    double term = poisson_chance(mean, at_least);
    double sum = 0.0;
    for (std::uint64_t i = at_least + 1; term > sum * 1e-17; ++i) {
        sum += term;
        term *= mean / static_cast<double>(i);
    }
    return sum;
}

counter_plan counting_plan(items n, rate p, std::uint32_t counter_bits) {
    if (counter_bits == 0 || counter_bits > 64) {
        throw bad_argument("a counter has between 1 and 64 bits; 4 is usual");
    }
    counter_plan made{};
    made.positions = for_rate(n, p);
    made.counter_bits = counter_bits;
    made.byte_count = packed_bytes(made.positions.bit_count, counter_bits);
    made.bits_per_item = per_item(made.byte_count, n);
    made.expected_rate = expected_rate(made.positions, n);
    const double load = made.positions.hash_count * static_cast<double>(n.value) /
                        static_cast<double>(made.positions.bit_count);
    // Wider counters overflow with a chance far below the smallest double.
    made.overflow = counter_bits > 16 ? 0.0 : poisson_tail(load, std::uint64_t{1} << counter_bits);
    return made;
}

dynamic_count_plan_t dynamic_count_plan(items n, rate p, std::uint64_t occurrences,
                                        std::uint64_t largest) {
    check_items(n);
    if (occurrences < n.value || largest == 0) {
        throw bad_argument(
            "each distinct key occurs at least once; give at least n occurrences and "
            "a largest count of at least 1");
    }
    dynamic_count_plan_t made{};
    made.positions = for_rate(n, p);
    const double mean = static_cast<double>(occurrences) / static_cast<double>(n.value);
    made.fixed_bits =
        static_cast<std::uint32_t>(std::clamp(std::ceil(std::log2(mean)) + 2, 4.0, 8.0));
    made.overflow_bits = static_cast<std::uint32_t>(std::bit_width(largest >> made.fixed_bits));
    made.byte_count = dense_bytes(made.positions.bit_count, made.fixed_bits) +
                      dense_bytes(made.positions.bit_count, made.overflow_bits);
    made.bits_per_item = per_item(made.byte_count, n);
    return made;
}

double dleft_rate(items n, std::uint64_t buckets, std::uint32_t remainder_bits) {
    if (buckets == 0 || remainder_bits == 0 || remainder_bits > 56) {
        throw bad_argument("a d-left filter has at least one bucket, and remainders of 1 to 56 "
                           "bits");
    }
    const double places =
        std::ldexp(static_cast<double>(buckets), static_cast<int>(remainder_bits));
    return -std::expm1(static_cast<double>(n.value) * std::log1p(-1.0 / places));
}

dleft_plan_t dleft_plan(items n, rate p) {
    constexpr std::uint64_t tables = 4;
    constexpr std::uint64_t cells = 8;
    constexpr std::uint64_t in_use = 6; // of 8; at 6.8 inserts begin to fail
    constexpr std::uint32_t counter_bits = 2;
    p = probes_rate(n, p);
    if (n.value > max_bit_count / 64) {
        throw bad_argument("that many keys need more than 2^63 bits; expect fewer keys");
    }
    dleft_plan_t made{};
    made.buckets = (n.value + tables * in_use - 1) / (tables * in_use);
    made.remainder_bits = 8; // one byte of each cell is compared first
    while (dleft_rate(n, made.buckets, made.remainder_bits) > p.value) {
        if (++made.remainder_bits > 56) {
            throw bad_argument("a d-left filter does not reach this rate; allow a higher one");
        }
    }
    const std::uint64_t bucket_bits = cells * (made.remainder_bits + counter_bits);
    made.byte_count = made.buckets * tables * (bucket_bits / 8);
    made.bits_per_item = per_item(made.byte_count, n);
    made.expected_rate = dleft_rate(n, made.buckets, made.remainder_bits);
    return made;
}

double polluted_rate(items n, bits m, hashes k) {
    check({layout_kind::classic, m.value, k.value});
    const double fill = k.value * static_cast<double>(n.value) / static_cast<double>(m.value);
    return std::pow(std::min(fill, 1.0), k.value);
}

double cascade_bits(items stored, items others) {
    check_items(stored);
    check_items(others);
    const auto r = static_cast<double>(stored.value);
    const auto s = static_cast<double>(others.value);
    // Storing the smaller side and negating the answer serves as well, so the ratio is at least 1.
    const double ratio = std::max(r, s) / std::min(r, s);
    return 1.4427 * std::min(r, s) * (std::log2(ratio) + 2.91);
}

double hash_set_bytes(items n, double key_bytes) {
    if (!(key_bytes >= 0.0 && std::isfinite(key_bytes))) {
        throw bad_argument("the length of a key must be a number of bytes");
    }
    return static_cast<double>(n.value) * (key_bytes + 16.0) / 0.7;
}

double lower_bound_bits(rate p) {
    check_rate(p);
    return -std::log2(p.value);
}

double xor_bits(rate p) { return 1.23 * std::ceil(lower_bound_bits(p)); }

double binary_fuse_bits(items n, rate p) {
    check_items(n);
    // Graf and Lemire 2022: 1.125 for large sets, more for small ones; no use below ten keys.
    const double keys = std::max(static_cast<double>(n.value), 10.0);
    const double factor = std::max(1.125, 0.875 + 0.25 * std::log(1e6) / std::log(keys));
    return factor * std::ceil(lower_bound_bits(p));
}

double ribbon_bits(rate p) { return 1.05 * lower_bound_bits(p); }
double cuckoo_bits(rate p) { return (lower_bound_bits(p) + 3.0) / 0.95; }
double quotient_bits(rate p) { return (lower_bound_bits(p) + 2.125) / 0.95; }

} // namespace bloomery::inline v0::plan
