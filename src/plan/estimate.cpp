#include <bloomery/error.hpp>
#include <bloomery/plan/rates.hpp>

#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bloomery::inline v0::plan {
namespace {

// The chances that decide the fill. `hit`: that one key sets a given bit. The others describe two
// bits: with c = P(clear)^2 of independent ones, a pair of that sort is both clear with the
// probability c * e^(n * excess), so that no two nearly equal numbers are ever subtracted.
struct bit_chances {
    double hit;
    double same_block_pairs, same_block_excess;
    double other_pairs, other_excess; // in other blocks, or in the same word of a split block
};

// log of (1 - both) / (1 - hit)^2, where `both` is the chance that a key sets either of two bits.
double excess(double hit, double both) {
    const double clear = 1.0 - hit;
    return std::log1p((2.0 * hit - both - hit * hit) / (clear * clear));
}

bit_chances chances_of(const shape& of) {
    const layout_facts& facts = facts_of(of.layout);
    const auto m = static_cast<double>(of.bit_count);
    const auto blocks = static_cast<double>(of.block_count());
    const double k = of.hash_count;
    if (of.layout == layout_kind::classic) {
        // Each ball misses both bits with 1-2/m: the ratio to (1-1/m)^2 is 1-1/(m-1)^2.
        const double apart = m > 2.0 ? k * std::log1p(-1.0 / ((m - 1.0) * (m - 1.0))) : -k;
        return {-std::expm1(k * std::log1p(-1.0 / m)), 0.0, 0.0, m * (m - 1.0), apart};
    }
    const double size = facts.block_bits;
    if (facts.words != 0) {
        const double word = facts.word_bits;
        const double hit = 1.0 / (blocks * word);
        const double either = (2.0 - 1.0 / word) / (word * blocks);
        return {hit, m * (size - word), excess(hit, either), m * (m - size + word - 1.0),
                excess(hit, 2.0 * hit)};
    }
    const double hit = -std::expm1(k * std::log1p(-1.0 / size)) / blocks;
    const double either = -std::expm1(k * std::log1p(-2.0 / size)) / blocks;
    return {hit, m * (size - 1.0), excess(hit, either), m * (m - size), excess(hit, 2.0 * hit)};
}

// log P(a given bit is clear) per key.
double log_clear(const shape& of, const bit_chances& chances) {
    if (of.layout != layout_kind::classic) return std::log1p(-chances.hit);
    return of.hash_count * std::log1p(-1.0 / static_cast<double>(of.bit_count));
}

void check_ones(const shape& of, std::uint64_t ones) {
    if (ones > of.bit_count) {
        throw bad_argument("a filter cannot have more ones than bits; count its ones again");
    }
}

} // namespace

double expected_fill(const shape& of, double n) {
    check(of);
    check_count(n);
    if (of.bit_count == 1) return n > 0.0 ? 1.0 : 0.0;
    return -std::expm1(n * log_clear(of, chances_of(of)));
}

double ones_deviation(const shape& of, double n) {
    check(of);
    check_count(n);
    if (of.bit_count == 1) return 0.0;
    const bit_chances chances = chances_of(of);
    const double clear = std::exp(n * log_clear(of, chances));
    const double pairs = chances.same_block_pairs * std::expm1(n * chances.same_block_excess) +
                         chances.other_pairs * std::expm1(n * chances.other_excess);
    const double variance =
        static_cast<double>(of.bit_count) * clear * (1.0 - clear) + clear * clear * pairs;
    return std::sqrt(std::max(variance, 0.0));
}

cardinality estimate_items(const shape& of, std::uint64_t ones) {
    check(of);
    check_ones(of, ones);
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if (ones == of.bit_count) return {infinite, infinite, true};
    const auto m = static_cast<double>(of.bit_count);
    const double slope = log_clear(of, chances_of(of));
    const double clear = 1.0 - static_cast<double>(ones) / m;
    const double found = std::log1p(-static_cast<double>(ones) / m) / slope;
    return {found, ones_deviation(of, found) / (m * clear * -slope), false};
}

overlap estimate_overlap(const shape& of, std::uint64_t left_ones, std::uint64_t right_ones,
                         std::uint64_t union_ones) {
    if (union_ones < std::max(left_ones, right_ones) || union_ones - left_ones > right_ones) {
        throw bad_argument("impossible counts: a union has at least the ones of each filter and "
                           "at most their sum; count again");
    }
    const cardinality left = estimate_items(of, left_ones);
    const cardinality right = estimate_items(of, right_ones);
    const cardinality all = estimate_items(of, union_ones);
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if (all.saturated) {
        return {left.items, right.items, infinite, 0.0, infinite, 0.0, true, true};
    }
    const double both = std::max(0.0, left.items + right.items - all.items);
    // Cov of the clear bits of S and T, by the same pairs as above, gives for the classic layout
    // Var = m/k^2 (h(u) + 2 h(i) - h(a) - h(b)), h(x) = e^x - 1 - x, x = k n / m. Blocks are a
    // little noisier; their own error of the union over the classic one carries that over.
    const auto m = static_cast<double>(of.bit_count);
    const double k = of.hash_count;
    const auto h = [&](double n) { return std::expm1(k * n / m) - k * n / m; };
    const double spread = h(all.items) + 2.0 * h(both) - h(left.items) - h(right.items);
    const double plain = std::sqrt(m * h(all.items)) / k;
    const double noisier = plain > 0.0 ? all.standard_error / plain : 1.0;
    const double error = std::sqrt(m * std::max(spread, 0.0)) / k * noisier;
    return {left.items,
            right.items,
            all.items,
            both,
            error,
            all.items > 0.0 ? both / all.items : 0.0,
            both < 5.0 * error || both == 0.0,
            false};
}

double rate_of_fill(bits m, hashes k, std::uint64_t ones) {
    check({layout_kind::classic, m.value, k.value});
    check_ones({layout_kind::classic, m.value, k.value}, ones);
    return std::pow(static_cast<double>(ones) / static_cast<double>(m.value), k.value);
}

} // namespace bloomery::inline v0::plan
