#include <bloomery/detail/plan/digest_floor.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include <limits>
#include <optional>

namespace bloomery::inline v0::plan {

namespace {

constexpr std::uint64_t not_worth_thrift = 4096;

/// The shape, or nothing where the layout needs more than an array can have.
std::optional<shape> reachable(items n, rate p, layout_kind layout) {
    try {
        return for_rate(n, p, layout);
    } catch (const bad_argument&) {
        return std::nullopt;
    }
}

std::uint64_t bits_of(const std::optional<shape>& some) {
    return some ? some->bit_count : std::numeric_limits<std::uint64_t>::max();
}

/// The leanest layout that keeps a key in one line, unless the classic one takes less than that
/// part of its memory.
shape chosen(items n, rate p, double too_lean) {
    const shape classic = for_rate(n, p, layout_kind::classic); // throws what is wrong with n and p
    const auto wide = reachable(n, p, layout_kind::split_8x64);
    const auto deep = reachable(n, p, layout_kind::split_16x32);
    const auto split = bits_of(wide) <= bits_of(deep) ? wide : deep;
    if (split && split->byte_count() <= not_worth_thrift) {
        return *split;
    }
    const auto blocked = reachable(n, p, layout_kind::blocked_512);
    const bool lanes_waste = bits_of(split) - bits_of(split) / 9 > bits_of(blocked);
    const auto line = lanes_waste ? blocked : split;
    const bool line_wastes =
        static_cast<double>(bits_of(line)) * too_lean > static_cast<double>(classic.bit_count);
    return line_wastes ? classic : line.value_or(classic);
}

} // namespace

shape choose(items n, rate p) { return chosen(n, p, 2.0 / 3); }

shape choose_layer(items n, rate p) { return chosen(n, p, 0.5); }

shape choose(bytes memory, items n) {
    constexpr std::uint64_t line = 64;
    const shape classic = for_memory(memory, n, layout_kind::classic);
    const double best = expected_rate(classic, static_cast<double>(n.value));
    if (memory.value < line || !(best > 2 * least_rate(n))) {
        return classic;
    }
    // The layout for the rate that this memory can have, or for a hopeless one the leanest line.
    const layout_kind layout = best < 1 ? choose(n, rate{best}).layout : layout_kind::blocked_512;
    return for_memory(memory, n, layout);
}

} // namespace bloomery::inline v0::plan
