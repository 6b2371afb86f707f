#include <bloomery/error.hpp>
#include <bloomery/plan/sizing.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace bloomery::inline v0::plan {

namespace {

// Each has more divisors than all smaller numbers.
constexpr std::array<std::uint64_t, 40> many_divisors{
    1,       2,       4,       6,         12,        24,        36,        48,
    60,      120,     180,     240,       360,       720,       840,       1'260,
    1'680,   2'520,   5'040,   7'560,     10'080,    15'120,    20'160,    25'200,
    27'720,  45'360,  50'400,  55'440,    83'160,    110'880,   166'320,   221'760,
    332'640, 498'960, 720'720, 1'441'440, 2'162'160, 4'324'320, 8'648'640, 17'297'280};

// Larger prime factors would make hardly any size possible, and take long to find.
constexpr std::uint64_t largest_prime = 65'536;

/// Appends every factor multiplied by each power of a prime, up to the given one.
void multiply(std::vector<std::uint64_t>& factors, std::uint64_t prime, unsigned power) {
    const std::size_t before = factors.size();
    std::uint64_t by = 1;
    for (unsigned i = 0; i < power; ++i) {
        by *= prime;
        for (std::size_t at = 0; at < before; ++at) {
            factors.push_back(factors[at] * by);
        }
    }
}

/// The divisors of a number, in ascending order, but for those with large prime factors.
std::vector<std::uint64_t> divisors(std::uint64_t number) {
    std::vector<std::uint64_t> found{1};
    std::uint64_t left = number;
    for (std::uint64_t prime = 2; prime <= largest_prime && prime * prime <= left; ++prime) {
        unsigned power = 0;
        for (; left % prime == 0; left /= prime) {
            ++power;
        }
        multiply(found, prime, power);
    }
    // What is left is one prime, or has none that is looked for.
    if (left > 1 && left <= largest_prime * largest_prime) {
        multiply(found, left, 1);
    }
    std::ranges::sort(found);
    return found;
}

/// How far apart the sizes are that so many blocks can be folded to, but for the smallest: the sum
/// of the cubes of the logarithms of the steps between them, so that wide steps count most.
double coarseness(std::uint64_t blocks) {
    double sum = 0;
    const auto add = [&](double step) { sum += std::pow(std::log(step), 3); };
    std::uint64_t before = 1;
    for (const std::uint64_t factor : divisors(blocks)) {
        add(static_cast<double>(factor) / static_cast<double>(before));
        before = factor;
        if (factor > blocks / 8) {
            return sum;
        }
    }
    add(static_cast<double>(blocks) / static_cast<double>(before)); // not all divisors are known
    return sum;
}

} // namespace

shape foldable(const shape& of) {
    check(of);
    const std::uint64_t blocks = of.block_count();
    const std::uint64_t room = blocks / (blocks < 1'024 ? 16 : 64);
    const std::uint64_t block_bits = of.bit_count / blocks;
    if (room > (max_bit_count - of.bit_count) / block_bits) {
        return of;
    }
    // Among all numbers, or the multiples of one with many divisors if that leaves enough of them.
    const std::uint64_t largest = std::max<std::uint64_t>(blocks / 4'096, 1);
    std::uint64_t unit = *(std::ranges::upper_bound(many_divisors, largest) - 1);
    while (unit >= many_divisors.back() && unit <= largest / 2) {
        unit *= 2;
    }
    std::uint64_t best = blocks;
    double least = coarseness(blocks);
    for (std::uint64_t each = (blocks + unit - 1) / unit * unit; each <= blocks + room;
         each += unit) {
        if (const double found = coarseness(each); found < least) {
            best = each;
            least = found;
        }
    }
    shape made = of;
    made.bit_count = best * block_bits;
    return made;
}

std::vector<std::uint64_t> fold_factors(const shape& of) {
    check(of);
    return divisors(of.block_count());
}

shape folded(const shape& of, std::uint64_t factor) {
    check(of);
    const std::uint64_t blocks = of.block_count();
    if (factor == 0 || blocks % factor != 0) {
        throw bad_argument("a filter of " + std::to_string(blocks) +
                           (of.layout == layout_kind::classic ? " bits" : " blocks") +
                           " cannot be folded " + std::to_string(factor) +
                           " into one: the one number must divide the other");
    }
    shape made = of;
    made.bit_count /= factor;
    return made;
}

} // namespace bloomery::inline v0::plan
