#include <bloomery/detail/plan/digest_floor.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/rates.hpp>

#include "check.hpp"
#include "mixture.hpp"
#include "occupancy.hpp"
#include "rate_model.hpp"

#include <algorithm>
#include <cmath>

namespace bloomery::inline v0::plan {
namespace {

// Foreign filters make up to 255 probes, more than native ones.
void check_classic(bits m, hashes k) {
    if (m.value == 0) throw bad_argument("a filter needs at least 1 bit; give a larger size");
    if (k.value == 0 || k.value > 255) {
        throw bad_argument("the rate is computed for 1 to 255 probes; choose k in that range");
    }
}

void check_density(double bits_per_item) {
    if (!(bits_per_item > 0.0 && std::isfinite(bits_per_item))) {
        throw bad_argument("the number of bits per key must be positive and finite");
    }
}

} // namespace

double classic_rate(items n, bits m, hashes k) {
    check_classic(m, k);
    return all_probes_hit(static_cast<double>(n.value) * k.value, static_cast<double>(m.value),
                          k.value);
}

double classic_rate_textbook(items n, bits m, hashes k) {
    check_classic(m, k);
    const double load = static_cast<double>(n.value) * k.value / static_cast<double>(m.value);
    return std::pow(-std::expm1(-load), k.value);
}

double expected_rate(const shape& of, double n) {
    check(of);
    check_count(n);
    return rate_model(of.layout)(of.block_count(), of.hash_count, std::round(n));
}

double expected_rate(const shape& of, items n) {
    return expected_rate(of, static_cast<double>(n.value));
}

double limit_rate(layout_kind layout, hashes k, double bits_per_item) {
    const layout_facts& facts = facts_of(layout);
    check({layout, facts.block_bits, k.value});
    check_density(bits_per_item);
    return rate_model(layout).limit(k.value, bits_per_item);
}

double bits_per_item(rate p, hashes k) {
    check_rate(p);
    check_hashes(k);
    const double probes = k.value;
    return -probes / std::log1p(-std::pow(p.value, 1.0 / probes));
}

hashes best_hashes(rate p) {
    check_rate(p);
    // c(k) has one minimum, next to log2(1/p) (Bloom 1970): only its two neighbours can be best.
    const double real = -std::log2(p.value);
    if (real <= 1.0) return {1};
    if (real >= max_hash_count) return {max_hash_count};
    const auto below = static_cast<std::uint32_t>(real);
    const bool up = bits_per_item(p, {below + 1}) < bits_per_item(p, {below});
    return {up ? below + 1 : below};
}

std::array<overfilled, 5> overfill(const shape& of, items n) {
    check(of);
    std::array<overfilled, 5> table{
        {{1.0, 0, 0}, {1.2, 0, 0}, {1.5, 0, 0}, {2.0, 0, 0}, {5.0, 0, 0}}};
    rate_model model(of.layout);
    const double planned = model(of.block_count(), of.hash_count, static_cast<double>(n.value));
    const std::uint32_t digest_bits = digest_bits_for(n, rate{planned});
    for (overfilled& row : table) {
        row.items = std::round(row.factor * static_cast<double>(n.value));
        row.expected_rate = with_collisions(model(of.block_count(), of.hash_count, row.items),
                                            row.items, digest_bits);
    }
    return table;
}

double collision_rate(double n, std::uint32_t digest_bits) noexcept {
    return std::min(1.0, std::ldexp(n, -static_cast<int>(digest_bits)));
}

double with_collisions(double expected_rate, double n, std::uint32_t digest_bits) noexcept {
    // A sum of positive terms: the product that defines it would round small rates to 0.
    return digest_bits == 0 ? expected_rate
                            : expected_rate + collision_rate(n, digest_bits) * (1 - expected_rate);
}

double least_rate(items n) noexcept { return collision_rate(static_cast<double>(n.value), 128); }

} // namespace bloomery::inline v0::plan
