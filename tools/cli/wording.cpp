#include "wording.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace bloomery::cli {

std::string format_bytes(std::uint64_t amount) {
    constexpr std::array<std::string_view, 7> names{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    std::size_t rank = 0;
    // The next unit starts where two decimals would round up to it: never "1024.00 KiB".
    double value = static_cast<double>(amount);
    while (rank + 1 < names.size() && value >= (rank == 0 ? 1024.0 : 1023.995)) {
        value /= 1024;
        ++rank;
    }
    const std::uint64_t unit = std::uint64_t{1} << (10 * rank);
    if (amount % unit == 0) return fmt::format("{} {}", amount / unit, names.at(rank));
    return fmt::format("{:.2f} {}", value, names.at(rank));
}

std::string format_rate(double rate) {
    if (rate == 0) return "0 %";
    if (rate >= 0.1) return fmt::format("{:.2f} %", rate * 100);
    if (rate >= 0.001) return fmt::format("{:.3f} %", rate * 100);
    if (rate >= 0.0001) return fmt::format("{:.4f} %", rate * 100);
    if (rate >= 0.00001) return fmt::format("{:.5f} %", rate * 100);
    return fmt::format("{:.1e}", rate);
}

std::string format_one_in(double rate) {
    if (rate == 0) return "never";
    const double n = 1 / rate;
    // Past 10^15 the digits are no longer meant, and a cast of more than 2^64 would be undefined.
    if (!(n < 1e15)) return fmt::format("1 in {:.1e}", n);
    if (n >= 10) return "1 in " + grouped(static_cast<std::uint64_t>(std::round(n)));
    return fmt::format("1 in {:.3g}", std::round(n * 10) / 10);
}

} // namespace bloomery::cli
