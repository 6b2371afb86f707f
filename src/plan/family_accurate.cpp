// The accurate counting filter: unary counters behind a plain Bloom filter.
#include <bloomery/error.hpp>
#include <bloomery/plan/family.hpp>

#include "block_curve.hpp"
#include "check.hpp"
#include "mixture.hpp"
#include "search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bloomery::inline v0::plan {
namespace {

constexpr std::uint32_t header_bits = 16; // of a block: bits in use, and whether it is frozen

// The largest mean load with P(load > most) <= freeze.
double mean_load(std::uint64_t most, double freeze) {
    return last_that([&](double mean) { return poisson_tail(mean, most + 1) <= freeze; },
                     static_cast<double>(most) + 1.0, 60);
}

// The largest mean load, at most `most`, at which blocks of m1 bits keep the rate.
double load_at_rate(independent_curve& curve, double p, double most) {
    if (poisson_mean(curve, most) <= p) return most;
    return last_that([&](double load) { return poisson_mean(curve, load) <= p; }, most, 40);
}

// An upper bound of that load without the spread over blocks, which only ever lowers it: good
// enough to leave out divisions of a block that cannot win.
double hopeful_load(std::uint32_t first_level, std::uint32_t k, double p) {
    const double fill = std::pow(p, 1.0 / k);
    return std::log1p(-fill) / (k * std::log1p(-1.0 / first_level));
}

void check_blocks(std::uint64_t blocks, std::uint32_t first_level, hashes k) {
    if (blocks == 0 || first_level == 0 || first_level > 4096 || k.value == 0 ||
        k.value > max_hash_count) {
        throw bad_argument("a filter has at least one block, of 1 to 4096 places, and 1 to 64 "
                           "hashes per key");
    }
}

} // namespace

double accurate_rate(double bits_per_item, hashes k) {
    check_hashes(k);
    if (!(bits_per_item > k.value && std::isfinite(bits_per_item))) {
        throw bad_argument("the counters alone take k bits per key; give more bits than that");
    }
    const double probes = k.value;
    return std::pow(-std::expm1(-probes / (bits_per_item - probes)), probes);
}

double accurate_bits_per_item(rate p) {
    check_rate(p);
    double best = 0.0;
    for (std::uint32_t k = 1; k <= max_hash_count; ++k) {
        const double c = k - k / std::log1p(-std::pow(p.value, 1.0 / k));
        if (k == 1 || c < best) best = c;
    }
    return best;
}

accurate_plan_t accurate_plan(rate p, std::uint32_t block_bits, double freeze) {
    check_rate(p);
    if (block_bits < 512 || block_bits > 4096 || block_bits % 64 != 0) {
        throw bad_argument("blocks have 512 to 4096 bits, a multiple of 64");
    }
    if (!(freeze > 0.0 && freeze < 1.0)) {
        throw bad_argument("the share of blocks that may freeze must be between 0 and 1");
    }
    accurate_plan_t best{block_bits, 0, 0, 0.0, 0.0, 0.0};
    double best_load = 0.0;
    const std::uint32_t usable = block_bits - header_bits;
    for (std::uint32_t k = 1; k <= 24; ++k) {
        for (std::uint32_t first = block_bits / 2; first < usable - k; first += block_bits / 32) {
            const std::uint64_t most = (usable - first) / k;
            if (hopeful_load(first, k, p.value) <= best_load) continue;
            const double limit = mean_load(most, freeze);
            if (limit <= best_load) continue;
            independent_curve curve(first, k);
            if (poisson_mean(curve, best_load) > p.value) continue;
            const double load = load_at_rate(curve, p.value, limit);
            if (load <= best_load) continue;
            best_load = load;
            best = {block_bits,
                    first,
                    k,
                    block_bits / load,
                    poisson_mean(curve, load),
                    poisson_tail(load, most + 1)};
        }
    }
    if (best_load <= 0.0) {
        throw bad_argument("blocks of this size do not reach this rate; use larger blocks");
    }
    return best;
}

double accurate_rate(items n, std::uint64_t blocks, std::uint32_t first_level_bits, hashes k) {
    check_blocks(blocks, first_level_bits, k);
    return binomial_mean(independent_curve(first_level_bits, k.value), static_cast<double>(n.value),
                         static_cast<double>(blocks));
}

cardinality accurate_items(std::uint64_t blocks, std::uint32_t first_level_bits, hashes k,
                           std::uint64_t ones) {
    check_blocks(blocks, first_level_bits, k);
    const auto count = static_cast<double>(blocks);
    const double places = first_level_bits;
    const double clear = count * places - static_cast<double>(ones);
    if (clear < 0) {
        throw bad_argument("more bits are set than the filter has");
    }
    if (clear == 0) {
        constexpr double all = std::numeric_limits<double>::infinity();
        return {all, all, true};
    }
    // A key leaves a bit of its block clear with chance (1-1/places)^k; loads are Poisson.
    const double hit = -std::expm1(k.value * std::log1p(-1 / places));
    const double both = -std::expm1(k.value * std::log1p(-2 / places));
    const double one_clear = clear / (count * places);
    const double n = -count * std::log(one_clear) / hit;
    const double two_clear = std::exp(-n / count * both);
    // The variance of the clear bits, less what the spread of a Poisson total would add to it.
    const double slope = places * hit * one_clear;
    const double spread =
        count * places * (one_clear + (places - 1) * two_clear - places * one_clear * one_clear) -
        n * slope * slope;
    return {n, std::sqrt(std::max(spread, 0.0)) / slope, false};
}

std::uint64_t accurate_blocks(items n, const accurate_plan_t& of) {
    if (n.value == 0) {
        throw bad_argument("a filter is made for at least one key");
    }
    const double bits = static_cast<double>(n.value) * of.bits_per_item;
    if (bits > static_cast<double>(max_bit_count)) {
        throw bad_argument("that many keys need more than 2^63 bits; expect fewer keys");
    }
    return static_cast<std::uint64_t>(std::ceil(bits / of.block_bits));
}

} // namespace bloomery::inline v0::plan
