#include "rate_model.hpp"

#include "mixture.hpp"
#include "occupancy.hpp"

#include <cmath>

namespace bloomery::inline v0::plan {

independent_curve& rate_model::curve(std::uint32_t k) {
    return curves_.try_emplace(k, facts_.block_bits, k).first->second;
}

double rate_model::operator()(std::uint64_t units, std::uint32_t k, double n) {
    const auto size = static_cast<double>(units);
    if (n < 1.0) return 0.0;
    if (facts_.kind == layout_kind::classic) return all_probes_hit(n * k, size, k);
    if (facts_.words != 0) {
        return binomial_mean(split_curve(facts_.word_bits, facts_.words), n, size);
    }
    return binomial_mean(curve(k), n, size);
}

double rate_model::limit(std::uint32_t k, double bits_per_item) {
    if (facts_.kind == layout_kind::classic) {
        return std::pow(-std::expm1(-static_cast<double>(k) / bits_per_item), k);
    }
    const double load = facts_.block_bits / bits_per_item;
    if (facts_.words != 0) return poisson_mean(split_curve(facts_.word_bits, facts_.words), load);
    return poisson_mean(curve(k), load);
}

} // namespace bloomery::inline v0::plan
