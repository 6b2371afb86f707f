#include "rounding.hpp"

#include <cmath>
#include <limits>

namespace bloomery::plan {

[[gnu::noinline]] std::int64_t java_round(double x) {
    constexpr double end = 0x1p63;
    if (std::isnan(x)) return 0;
    if (x >= end) return std::numeric_limits<std::int64_t>::max();
    if (x < -end) return std::numeric_limits<std::int64_t>::min();
    const double below = std::floor(x);
    return static_cast<std::int64_t>(x - below >= 0.5 ? below + 1.0 : below);
}

[[gnu::noinline]] std::uint32_t go_round(double x) {
    constexpr double end = 0x1p63;
    const double whole = std::floor(x + 0.5);
    // Written so that NaN fails too.
    if (!(whole >= -end && whole < end)) return 0;
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(whole));
}

} // namespace bloomery::plan
