#include <bloomery/plan/digest_floor.hpp>

#include <algorithm>
#include <cmath>

namespace bloomery::plan {

double collision_rate(double n, std::uint32_t digest_bits) noexcept {
    return std::min(1.0, std::ldexp(n, -static_cast<int>(digest_bits)));
}

double with_collisions(double fpp, double n, std::uint32_t digest_bits) noexcept {
    // A sum of positive terms: the product that defines it would round small rates to 0.
    return digest_bits == 0 ? fpp : fpp + collision_rate(n, digest_bits) * (1 - fpp);
}

double least_fpp(items n) noexcept { return collision_rate(static_cast<double>(n.value), 128); }

} // namespace bloomery::plan
