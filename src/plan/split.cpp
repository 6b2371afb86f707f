#include <bloomery/error.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/redis.hpp>

#include "check.hpp"
#include "coincidence.hpp"
#include "mixture.hpp"
#include "occupancy.hpp"
#include "search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace bloomery::inline v0::plan {
namespace {

constexpr std::uint64_t small_primes = 210; // 2, 3, 5, 7

void check_redisson(bits m, hashes k) {
    if (m.value == 0) throw bad_argument("a filter needs at least 1 bit; give a larger size");
    if (k.value == 0 || k.value > max_split_hashes) {
        throw bad_argument("a split filter makes 1 to 20 probes per key; choose k in that range");
    }
}

void check_split(const split_shape& of) {
    check_redisson({of.shard_bits}, {of.hash_count});
    if (of.shard_count == 0) {
        throw bad_argument("a split filter has at least one shard; give their number");
    }
}

// Beyond the first order in 1 / m; as large as the simulations of tests/plan/split.cpp ask for.
double for_few_bits(double m, double k) { return 1.0 + k * k / (4.0 * m); }

// A stored key with the same step as a query, and a start that is d steps away, sets all odd probes
// and all but |d| of the even ones. Two conditions at once are rare, one key in m^2, but they do
// not get rarer with k.
double chance_of_twins(double n, double m, double fill, std::uint32_t even) {
    double shifts = 1.0;
    double left_to_chance = 1.0;
    for (std::uint32_t d = 1; d < even; ++d) {
        left_to_chance *= fill;
        shifts += 2.0 * left_to_chance;
    }
    return n / m / m * shifts;
}

double redisson_rate(double n, std::uint64_t bit_count, std::uint32_t k) {
    if (n < 1.0) return 0.0;
    const auto m = static_cast<double>(bit_count);
    const std::uint32_t odd = k / 2;
    const std::uint32_t even = k - odd;
    const double load = n / m;
    const double fill = -std::expm1(-load * k);
    // The exact rate of independent probes, times what dependent ones make worse in the limit of
    // many keys.
    const double classic = all_probes_hit(n * k, m, k);
    const double excess = coincidence::of(odd).all_set(load, even) / std::pow(fill, odd);
    return std::min(1.0, classic * excess * for_few_bits(m, k) + chance_of_twins(n, m, fill, even));
}

std::uint64_t rounded_down(double value, std::uint64_t most) {
    if (value >= static_cast<double>(most)) return most;
    return value < 1.0 ? 1 : static_cast<std::uint64_t>(value);
}

// The rate of a shard by its load. Loads that differ little are interpolated, so that the mean over
// all of them takes a few dozen evaluations and not thousands.
class shard_curve {
public:
    // A typical load: what lies within an eighth of its deviation is much the same.
    shard_curve(const split_shape& of, double typical)
        : of_(of), stride_(std::max<std::uint64_t>(
                       1, static_cast<std::uint64_t>(std::sqrt(typical) / 8.0))) {}

    double operator()(std::uint64_t load) {
        // The curve bends too much where it begins.
        if (stride_ == 1 || load / stride_ < 8) return at(load);
        const std::uint64_t first = load / stride_ - 1;
        const double x = as_double(load) / as_double(stride_) - as_double(first);
        // Lagrange's cubic through the logarithms at 0, 1, 2 and 3.
        const std::array<double, 4> weights{-(x - 1) * (x - 2) * (x - 3) / 6,
                                            x * (x - 2) * (x - 3) / 2, -x * (x - 1) * (x - 3) / 2,
                                            x * (x - 1) * (x - 2) / 6};
        double sum = 0.0;
        for (std::uint64_t i = 0; i < weights.size(); ++i) {
            sum += weights[i] * std::log(std::max(at((first + i) * stride_), 1e-300));
        }
        return std::min(1.0, std::exp(sum));
    }

    // From here on the rate is 1 in all digits.
    [[nodiscard]] std::uint64_t saturation() const {
        return rounded_down(45.0 * as_double(of_.shard_bits) / of_.hash_count,
                            std::uint64_t{1} << 62U);
    }

private:
    static double as_double(std::uint64_t number) { return static_cast<double>(number); }
    double at(std::uint64_t load) {
        const auto [found, fresh] = known_.try_emplace(load);
        if (fresh) found->second = redisson_rate(as_double(load), of_.shard_bits, of_.hash_count);
        return found->second;
    }

    split_shape of_;
    std::uint64_t stride_;
    std::unordered_map<std::uint64_t, double> known_;
};

std::uint64_t coprime_below(std::uint64_t m) {
    while (std::gcd(m, small_primes) != 1) --m;
    return m;
}

std::uint64_t coprime_above(std::uint64_t m) {
    while (std::gcd(m, small_primes) != 1) ++m;
    return m;
}

// The most keys that so many bits hold at the rate, whatever k; 0 if not even one.
std::uint64_t shard_capacity(std::uint64_t m, rate p) {
    constexpr std::uint64_t most = std::uint64_t{1} << 53U;
    std::uint64_t best = 0;
    // Even and odd k differ, so there is more than one valley: all are tried, but only those that
    // can do better are searched.
    for (std::uint32_t k = 1; k <= max_split_hashes; ++k) {
        const auto misses = [&](std::uint64_t n) {
            return redisson_rate(static_cast<double>(n), m, k) > p.value;
        };
        if (misses(best + 1)) continue;
        const double guess = static_cast<double>(m) / bits_per_item(p, {k});
        best = first_that(misses, rounded_down(guess, most), most) - 1;
    }
    return best;
}

// The fewest bits, of those that are allowed, for so many keys; there are some up to `most`.
split_shape smallest_split(std::uint64_t load, rate p, std::uint64_t most) {
    split_shape best{1, most + 1, 0};
    for (std::uint32_t k = 1; k <= max_split_hashes; ++k) {
        const auto holds = [&](std::uint64_t m) {
            return redisson_rate(static_cast<double>(load), m, k) <= p.value;
        };
        if (best.shard_bits == 1 || !holds(best.shard_bits - 1)) continue;
        const double guess = bits_per_item(p, {k}) * static_cast<double>(load);
        const std::uint64_t least =
            first_that(holds, rounded_down(guess, most), best.shard_bits - 1);
        const std::uint64_t m = coprime_above(least);
        if (m < best.shard_bits && holds(m)) best = {1, m, k};
    }
    return best;
}

// The mean load plus six standard deviations: fewer than one shard in 1e9 gets more.
std::uint64_t load_with_margin(items n, std::uint64_t shards) {
    if (shards == 1) return n.value;
    const double mean = static_cast<double>(n.value) / static_cast<double>(shards);
    const double deviation = std::sqrt(mean * (1.0 - 1.0 / static_cast<double>(shards)));
    const double load = std::ceil(mean + 6.0 * deviation);
    if (load >= static_cast<double>(n.value)) return n.value;
    return static_cast<std::uint64_t>(load);
}

constexpr std::uint64_t bytes_of(std::uint64_t bit_count) {
    return bit_count / 8 + (bit_count % 8 != 0 ? 1 : 0);
}

constexpr std::uint64_t shard_overhead = redis_bitmap_overhead + redis_config_overhead;

} // namespace

double redisson_rate(items n, bits m, hashes k) {
    check_redisson(m, k);
    return redisson_rate(static_cast<double>(n.value), m.value, k.value);
}

double split_rate(const split_shape& of, items n) {
    check_split(of);
    const auto shards = static_cast<double>(of.shard_count);
    const auto keys = static_cast<double>(n.value);
    if (of.shard_count == 1) return redisson_rate(keys, of.shard_bits, of.hash_count);
    return binomial_mean(shard_curve(of, keys / shards), keys, shards);
}

double split_rate_of_ones(const split_shape& of,
                          const std::function<std::uint64_t(std::uint64_t)>& ones) {
    check_split(of);
    const auto m = static_cast<double>(of.shard_bits);
    const auto load_of = [&](double set) { return -std::log1p(-set / m) * m / of.hash_count; };
    shard_curve curve(of, load_of(m / 2));
    double sum = 0.0;
    for (std::uint64_t shard = 0; shard < of.shard_count; ++shard) {
        const std::uint64_t set = ones(shard);
        if (set > of.shard_bits) {
            throw bad_argument("a shard cannot have more ones than bits; count those of each "
                               "shard");
        }
        if (set == of.shard_bits) {
            sum += 1.0;
        } else if (set > 0) {
            const double load = std::round(load_of(static_cast<double>(set)));
            sum += curve(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(load)));
        }
    }
    return sum / static_cast<double>(of.shard_count);
}

split_shape split_for(items n, rate p, bytes largest) {
    check_items(n);
    check_rate(p);
    if (largest.value == 0 || largest.value > redis_max_bitmap.value) {
        throw bad_argument("a Redis bitmap has between 1 byte and 512 MiB; give a limit in that "
                           "range");
    }
    // Behind the last bit lie a mark and a bit that turns.
    const std::uint64_t most = coprime_below(std::min(largest.value * 8 - 2, max_redisson_bits));
    const std::uint64_t each = shard_capacity(most, p);
    if (each == 0) {
        throw bad_argument("not even one key fits into a bitmap of this size at this rate; allow "
                           "larger bitmaps");
    }
    const auto fits = [&](std::uint64_t shards) { return load_with_margin(n, shards) <= each; };
    const std::uint64_t shards = first_that(fits, n.value / each, n.value);
    if (shards > n.value) {
        throw bad_argument("bitmaps of this size are too small to be shards of this filter; "
                           "allow larger ones");
    }
    split_shape made = smallest_split(load_with_margin(n, shards), p, most);
    made.shard_count = shards;
    if (made.shard_bits > max_bit_count / shards) {
        throw bad_argument("a filter has at most 2^63 bits; allow a higher rate or expect fewer "
                           "keys");
    }
    return made;
}

redis_cost redis_cost_of(items n, rate p, bytes largest) {
    const split_shape made = split_for(n, p, largest);
    const std::uint64_t each = bytes_of(made.shard_bits + 2); // with what lies behind the last bit
    return {made.shard_count,
            {layout_kind::classic, made.shard_bits, made.hash_count},
            load_with_margin(n, made.shard_count),
            each,
            2 * made.shard_count + 1,
            made.shard_count * (each + shard_overhead) + redis_config_overhead};
}

redis_cost redis_cost_of(const shape& of, items n) {
    check(of);
    check_items(n);
    if (of.bit_count > redis_max_bitmap.value * 8) {
        throw bad_argument(
            "Redis stores at most 512 MiB in one key; plan shards from the number of "
            "keys and the rate instead");
    }
    const std::uint64_t each = bytes_of(of.bit_count);
    return {1, of, n.value, each, 2, each + shard_overhead};
}

} // namespace bloomery::inline v0::plan
