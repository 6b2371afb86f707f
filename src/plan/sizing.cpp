#include <bloomery/detail/plan/digest_floor.hpp>
#include <bloomery/detail/plan/text.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include "check.hpp"
#include "rate_model.hpp"
#include "search.hpp"

#include <cmath>
#include <numbers>
#include <string>

namespace bloomery::inline v0::plan {
namespace {

struct k_range {
    std::uint32_t least, most;
};

k_range allowed_hashes(const layout_facts& facts) {
    if (facts.fixed_hashes != 0) return {facts.fixed_hashes, facts.fixed_hashes};
    return {1, max_hash_count};
}

std::uint64_t most_units(const layout_facts& facts) { return max_bit_count / facts.block_bits; }

std::uint64_t whole(double value, std::uint64_t most) {
    if (value >= static_cast<double>(most)) return most;
    return value < 1.0 ? 1 : static_cast<std::uint64_t>(value);
}

// The smallest number of bits or blocks with which k probes hold the rate.
std::uint64_t fewest_units(rate_model& model, double n, double p, std::uint32_t k) {
    const layout_facts& facts = model.facts();
    const std::uint64_t most = most_units(facts);
    // For large n the answer of the classic layout; blocks need a little more.
    const double classic_units = bits_per_item({p}, {k}) * n / facts.block_bits;
    const std::uint64_t guess = whole(std::ceil(classic_units), most);
    const auto holds = [&](std::uint64_t units) { return model(units, k, n) <= p; };
    const std::uint64_t units = first_that(holds, guess, most);
    if (units > most) {
        throw bad_argument("a filter of the layout " + std::string(facts.name) +
                           " would need more than 2^63 bits for this rate; allow a higher rate or "
                           "expect fewer keys" +
                           (facts.kind == layout_kind::classic
                                ? ""
                                : ", or use the classic layout, which needs fewer bits"));
    }
    return units;
}

std::uint32_t best_hashes_for(rate_model& model, std::uint64_t units, double n,
                              std::uint32_t start) {
    const k_range range = allowed_hashes(model.facts());
    const auto cost = [&](std::uint32_t k) { return model(units, k, n); };
    return range.least == range.most ? range.least
                                     : best_from(cost, start, range.least, range.most);
}

std::uint64_t units_of(bits m, const layout_facts& facts) {
    const std::uint64_t units = m.value / facts.block_bits;
    if (units == 0 || m.value > max_bit_count) {
        throw bad_argument("the layout " + std::string(facts.name) + " needs between " +
                           std::to_string(facts.block_bits) + " and 2^63 bits, not " +
                           std::to_string(m.value) + "; give a size in that range");
    }
    return units;
}

std::uint64_t capacity(rate_model& model, std::uint64_t units, std::uint32_t k, double p) {
    constexpr std::uint64_t most = std::uint64_t{1} << 62U;
    const double bit_count = static_cast<double>(units) * model.facts().block_bits;
    const std::uint64_t guess = whole(bit_count / bits_per_item({p}, {k}), most);
    const auto exceeds = [&](std::uint64_t n) {
        return model(units, k, static_cast<double>(n)) > p;
    };
    return first_that(exceeds, guess, most) - 1;
}

} // namespace

shape for_rate(items n, rate p, layout_kind layout) {
    p = probes_rate(n, p);
    rate_model model(layout);
    const layout_facts& facts = model.facts();
    const auto keys = static_cast<double>(n.value);
    std::uint32_t k = facts.fixed_hashes != 0 ? facts.fixed_hashes : best_hashes(p).value;
    std::uint64_t units = fewest_units(model, keys, p.value, k);
    // Go on while another k does with one unit less: at the end none does, which is the promise.
    while (units > 1) {
        const std::uint32_t other = best_hashes_for(model, units - 1, keys, k);
        if (model(units - 1, other, keys) > p.value) break;
        k = other;
        units = fewest_units(model, keys, p.value, k);
    }
    // A small filter in one block may hold the rate with many ks: the cheapest is meant.
    while (k > allowed_hashes(facts).least && model(units, k - 1, keys) <= p.value) --k;
    return {layout, units * facts.block_bits, k};
}

shape for_hashes(items n, rate p, hashes k, layout_kind layout) {
    p = probes_rate(n, p);
    check_hashes(k);
    const layout_facts& facts = facts_of(layout);
    check({layout, facts.block_bits, k.value});
    rate_model model(layout);
    const std::uint64_t units = fewest_units(model, static_cast<double>(n.value), p.value, k.value);
    return {layout, units * facts.block_bits, k.value};
}

shape for_bits(bits m, items n, layout_kind layout) {
    check_items(n);
    rate_model model(layout);
    const layout_facts& facts = model.facts();
    const std::uint64_t units = units_of(m, facts);
    const auto keys = static_cast<double>(n.value);
    const double real = static_cast<double>(m.value) / keys * std::numbers::ln2;
    const auto start = static_cast<std::uint32_t>(whole(std::round(real), max_hash_count));
    return {layout, units * facts.block_bits, best_hashes_for(model, units, keys, start)};
}

shape for_memory(bytes memory, items n, layout_kind layout) {
    const std::uint64_t words = memory.value / 8;
    if (words == 0 || words > max_bit_count / 64) {
        throw bad_argument("a filter needs between 8 bytes and 2^60 bytes of memory, not " +
                           std::to_string(memory.value) + "; give an amount in that range");
    }
    return for_bits({words * 64}, n, layout);
}

std::uint64_t item_capacity(const shape& of, rate p) {
    check(of);
    check_rate(p);
    if (p.value <= least_rate({1})) return 0;
    rate_model model(of.layout);
    return capacity(model, of.block_count(), of.hash_count, p.value);
}

shape for_bits_at_rate(bits m, rate p, layout_kind layout) {
    check_rate(p);
    rate_model model(layout);
    const layout_facts& facts = model.facts();
    const std::uint64_t units = units_of(m, facts);
    const k_range range = allowed_hashes(facts);
    const auto cost = [&](std::uint32_t k) { return ~capacity(model, units, k, p.value); };
    const std::uint32_t k = best_from(cost, best_hashes(p).value, range.least, range.most);
    if (capacity(model, units, k, p.value) == 0) {
        throw bad_argument("an array of " + counted(units * facts.block_bits, "bit") +
                           " cannot hold even one key at this rate; give more memory or allow a "
                           "higher rate");
    }
    return {layout, units * facts.block_bits, k};
}

} // namespace bloomery::inline v0::plan
