#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>
#include <bloomery/plan/compat_statistics.hpp>

#include "rounding.hpp"

#include <cmath>

namespace bloomery::plan {
namespace {

void check_bits(std::uint64_t ones, bits m, hashes k) {
    if (m.value == 0 || k.value == 0 || ones > m.value) {
        throw bad_argument("these are not the numbers of a filter: it has at least one bit and one "
                           "probe, and no more bits set than it has");
    }
}

} // namespace

double guava_expected_fpp(std::uint64_t ones, bits m, hashes k) {
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

double spark_expected_fpp(std::uint64_t ones, bits m, hashes k) {
    return guava_expected_fpp(ones, m, k);
}

double hutool_fpp(std::int32_t c, std::int32_t n, std::int32_t k) {
    const auto m = static_cast<double>(hutool_bitset_shape(c, n, k).bit_count);
    return std::pow(1 - std::exp(-k * static_cast<double>(n) / m), k);
}

} // namespace bloomery::plan
