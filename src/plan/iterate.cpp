#include <bloomery/detail/plan/iterate.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bloomery::inline v0::plan {
namespace {

iteration_step try_size(items n, std::uint64_t m) {
    const double real = static_cast<double>(m) / static_cast<double>(n.value) * std::numbers::ln2;
    const double probes = std::clamp(std::round(real), 1.0, static_cast<double>(max_hash_count));
    const hashes k{static_cast<std::uint32_t>(probes)};
    return {m, k.value, classic_rate_textbook(n, {m}, k), classic_rate(n, {m}, k)};
}

} // namespace

iteration iterate(items n, rate p, bytes start, double growth) {
    p = probes_rate(n, p);
    if (start.value == 0 || start.value > max_bit_count / 8) {
        throw bad_argument("the steps start from the given memory; give between 1 and 2^60 bytes");
    }
    if (!(growth > 1.0 && growth <= 2.0)) {
        throw bad_argument("each step enlarges the array by a factor above 1 and at most 2");
    }
    iteration done{};
    done.minimum = for_rate(n, p); // refuses what no size can hold, so the loop ends
    std::uint64_t m = start.value * 8;
    done.steps.push_back(try_size(n, m));
    while (done.steps.back().expected_rate > p.value) {
        const double larger = std::ceil(static_cast<double>(m) * growth);
        m = larger >= static_cast<double>(max_bit_count)
                ? max_bit_count
                : std::max(m + 1, static_cast<std::uint64_t>(larger));
        done.steps.push_back(try_size(n, m));
        if (m == max_bit_count) break;
    }
    const iteration_step& last = done.steps.back();
    if (last.expected_rate > p.value) {
        throw bad_argument("the steps need more than 2^63 bits; allow a higher rate");
    }
    done.result = {layout_kind::classic, last.bit_count, last.hash_count};
    done.excess_bits =
        static_cast<double>(last.bit_count) / static_cast<double>(done.minimum.bit_count) - 1.0;
    return done;
}

} // namespace bloomery::inline v0::plan
