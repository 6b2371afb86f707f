// Counting filters that keep the counters of a key in one cache line.
#include <bloomery/error.hpp>
#include <bloomery/plan/family.hpp>
#include <bloomery/plan/rates.hpp>

#include "check.hpp"
#include "line_curve.hpp"
#include "mixture.hpp"
#include "search.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace bloomery::inline v0::plan {
namespace {

std::uint32_t counters_in_word(std::uint32_t counter_bits) {
    if (counter_bits != 2 && counter_bits != 4 && counter_bits != 8 && counter_bits != 16) {
        throw bad_argument("blocked counters have 2, 4, 8 or 16 bits, not " +
                           std::to_string(counter_bits) + "; use one of these, or the flat layout");
    }
    return 64 / counter_bits;
}

std::uint64_t lines_of(bits m, hashes k, std::uint32_t counter_bits) {
    const std::uint64_t in_line = std::uint64_t{counters_in_word(counter_bits)} * words_in_line;
    if (m.value == 0 || m.value > max_bit_count || m.value % in_line != 0) {
        throw bad_argument("blocked counters come in lines of " + std::to_string(in_line) +
                           "; their number must be a multiple of that, not " +
                           std::to_string(m.value) + "; round the number to whole lines");
    }
    if (k.value == 0 || k.value > words_in_line) {
        throw bad_argument("a key has between 1 and 8 counters in a line, not " +
                           std::to_string(k.value) + "; choose k in that range");
    }
    return m.value / in_line;
}

// The fewest lines with which k counters per key hold the rate; more than `most` if none do.
std::uint64_t fewest_lines(line_curve& curve, double n, double p, double guess,
                           std::uint64_t most) {
    const auto holds = [&](std::uint64_t lines) {
        return binomial_mean(curve, n, static_cast<double>(lines)) <= p;
    };
    const bool vast = guess >= static_cast<double>(most);
    return first_that(holds, vast ? most : static_cast<std::uint64_t>(guess) + 1, most);
}

// log of (1 - either) / (1 - hit)^2 for two counters that one key hits with `both`.
double line_excess(double hit, double both) {
    return std::log1p((both - hit * hit) / ((1.0 - hit) * (1.0 - hit)));
}

} // namespace

counter_plan counting_plan_in_lines(items n, rate p, std::uint32_t counter_bits) {
    p = probes_rate(n, p);
    const std::uint32_t in_word = counters_in_word(counter_bits);
    const std::uint64_t in_line = std::uint64_t{in_word} * words_in_line;
    const std::uint64_t most = max_bit_count / 512;
    const auto keys = static_cast<double>(n.value);
    std::uint64_t lines = most + 1;
    std::uint32_t best = 0;
    for (std::uint32_t k = 1; k <= words_in_line; ++k) {
        line_curve curve(in_word, k);
        const double guess = bits_per_item(p, {k}) * keys / static_cast<double>(in_line);
        const std::uint64_t needed = fewest_lines(curve, keys, p.value, guess, most);
        if (needed < lines) {
            lines = needed;
            best = k;
        }
    }
    if (lines > most) {
        throw bad_argument("blocked counters would need more than 2^63 bits for this rate; "
                           "allow a higher rate, expect fewer keys or use the flat layout");
    }
    counter_plan made{};
    made.positions = {layout_kind::classic, lines * in_line, best};
    made.counter_bits = counter_bits;
    made.byte_count = lines * 64;
    made.bits_per_item = 8.0 * static_cast<double>(made.byte_count) / keys;
    made.expected_rate = rate_in_lines(n, {made.positions.bit_count}, {best}, counter_bits);
    made.overflow = poisson_tail(best * keys / static_cast<double>(made.positions.bit_count),
                                 std::uint64_t{1} << counter_bits);
    return made;
}

double rate_in_lines(items n, bits m, hashes k, std::uint32_t counter_bits) {
    const std::uint64_t lines = lines_of(m, k, counter_bits);
    if (n.value == 0) return 0.0;
    line_curve curve(counters_in_word(counter_bits), k.value);
    return binomial_mean(curve, static_cast<double>(n.value), static_cast<double>(lines));
}

cardinality estimate_items_in_lines(bits m, hashes k, std::uint32_t counter_bits,
                                    std::uint64_t used) {
    const auto lines = static_cast<double>(lines_of(m, k, counter_bits));
    if (used > m.value) {
        throw bad_argument("a filter cannot have more counters in use than counters; count again");
    }
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if (used == m.value) return {infinite, infinite, true};
    const auto all = static_cast<double>(m.value);
    const double in_word = counters_in_word(counter_bits);
    const double probes = k.value;
    const double hit = probes / all;
    const double slope = std::log1p(-hit);
    const double clear = 1.0 - static_cast<double>(used) / all;
    const double n = std::log1p(-static_cast<double>(used) / all) / slope;
    // As for bits (estimate.cpp): pairs of counters, by the chance that one key hits both.
    const double both = probes * (probes - 1.0) / (8.0 * 7.0) / (lines * in_word * in_word);
    const double in_line = 7.0 * in_word;
    const double pairs = all * in_line * std::expm1(n * line_excess(hit, both)) +
                         all * (all - in_line - 1.0) * std::expm1(n * line_excess(hit, 0.0));
    const double variance = all * clear * (1.0 - clear) + clear * clear * pairs;
    return {n, std::sqrt(std::max(variance, 0.0)) / (all * clear * -slope), false};
}

} // namespace bloomery::inline v0::plan
