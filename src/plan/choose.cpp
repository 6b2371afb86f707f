#include <bloomery/plan/choose.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include <array>

namespace bloomery::plan {

namespace {

constexpr std::uint64_t not_worth_thrift = 4096;

} // namespace

shape choose(items n, rate p) {
    const shape classic = for_rate(n, p, layout_kind::classic);
    const shape wide = for_rate(n, p, layout_kind::split_8x64);
    const shape deep = for_rate(n, p, layout_kind::split_16x32);
    const shape split = wide.bit_count <= deep.bit_count ? wide : deep;
    if (split.byte_count() <= not_worth_thrift) {
        return split;
    }
    const shape blocked = for_rate(n, p, layout_kind::blocked_512);
    const bool lanes_waste = split.bit_count - split.bit_count / 9 > blocked.bit_count;
    const shape line = lanes_waste ? blocked : split;
    return line.bit_count - line.bit_count / 3 > classic.bit_count ? classic : line;
}

shape choose(bytes memory, items n) {
    constexpr std::uint64_t line = 64;
    if (memory.value < line) {
        return for_memory(memory, n, layout_kind::classic);
    }
    // From the fastest to the leanest; a slower one has to earn its place.
    constexpr std::array<layout_kind, 4> by_speed{layout_kind::split_8x64, layout_kind::split_16x32,
                                                  layout_kind::blocked_512, layout_kind::classic};
    shape best = for_memory(memory, n, by_speed.front());
    double best_rate = fpp(best, static_cast<double>(n.value));
    for (const layout_kind layout : by_speed) {
        const shape other = for_memory(memory, n, layout);
        const double rate = fpp(other, static_cast<double>(n.value));
        if (rate < 0.8 * best_rate) {
            best = other;
            best_rate = rate;
        }
    }
    return best;
}

} // namespace bloomery::plan
