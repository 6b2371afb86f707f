// Integer searches over the monotone rate.
#pragma once

#include <cstdint>

namespace bloomery::inline v0::plan {

/// The smallest u in [1, most] with holds(u), when holds is false below some point and true above;
/// most + 1 when there is none. Steps of growing size from `guess`, then bisection: a good guess
/// makes it cheap, a bad one costs logarithmically.
template <class Holds>
[[nodiscard]] std::uint64_t first_that(Holds holds, std::uint64_t guess, std::uint64_t most) {
    guess = guess < 1 ? 1 : (guess > most ? most : guess);
    std::uint64_t fails = 0; // 0 never holds
    std::uint64_t good = most + 1;
    std::uint64_t step = 1;
    if (holds(guess)) {
        good = guess;
        while (good > 1) {
            const std::uint64_t next = good > step ? good - step : 1;
            if (!holds(next)) {
                fails = next;
                break;
            }
            good = next;
            step *= 2;
        }
    } else {
        fails = guess;
        while (fails < most) {
            const std::uint64_t next = most - fails > step ? fails + step : most;
            if (holds(next)) {
                good = next;
                break;
            }
            fails = next;
            step *= 2;
        }
    }
    while (good - fails > 1) {
        const std::uint64_t middle = fails + (good - fails) / 2;
        (holds(middle) ? good : fails) = middle;
    }
    return good;
}

/// The largest x below `most` with holds(x), which is true below some point, by `steps` halvings.
template <class Holds>
[[nodiscard]] double last_that(Holds holds, double most, int steps) {
    double low = 0.0;
    for (int i = 0; i < steps; ++i) {
        const double middle = (low + most) / 2.0;
        (holds(middle) ? low : most) = middle;
    }
    return low;
}

/// The k in [least, most] where `cost` is smallest, climbing from `start`; cost has one valley but
/// may be flat or jagged by rounding in it, hence the patience. Equal costs: the smaller k.
template <class Cost>
[[nodiscard]] std::uint32_t best_from(Cost cost, std::uint32_t start, std::uint32_t least,
                                      std::uint32_t most) {
    constexpr int patience = 2;
    std::uint32_t best = start < least ? least : (start > most ? most : start);
    auto lowest = cost(best);
    const std::uint32_t origin = best;
    int worse = 0;
    for (std::uint32_t k = origin; k > least && worse < patience; --k) {
        const auto value = cost(k - 1);
        worse = value <= lowest ? 0 : worse + 1;
        if (value <= lowest) {
            lowest = value;
            best = k - 1;
        }
    }
    if (best != origin) return best;
    worse = 0;
    for (std::uint32_t k = origin; k < most && worse < patience; ++k) {
        const auto value = cost(k + 1);
        worse = value < lowest ? 0 : worse + 1;
        if (value < lowest) {
            lowest = value;
            best = k + 1;
        }
    }
    return best;
}

} // namespace bloomery::inline v0::plan
