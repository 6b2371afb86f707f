#include "check.hpp"

#include <bloomery/detail/plan/digest_floor.hpp>
#include <bloomery/detail/plan/text.hpp>
#include <bloomery/error.hpp>

#include <cmath>
#include <string>

namespace bloomery::inline v0::plan {

void check_rate(rate p) {
    // Written so that NaN fails too.
    if (!(p.value > 0.0 && p.value < 1.0)) {
        throw bad_argument("the false-positive rate must be above 0 and below 1; give "
                           "one such as 0.01");
    }
}

rate probes_rate(items n, rate p) {
    check_items(n);
    check_rate(p);
    const double collisions = least_rate(n);
    if (p.value <= collisions) {
        // Rounded up, so that what it says can be asked for.
        const double unit = std::pow(10.0, std::floor(std::log10(collisions)) - 1);
        throw bad_argument("no filter holds " + grouped(n.value) +
                           (n.value == 1 ? " key" : " keys") + " at a rate of " + number(p.value) +
                           ": 128-bit digests alone collide at a rate of " + number(collisions) +
                           "; ask for " + number((std::floor(collisions / unit) + 1) * unit) +
                           " or more");
    }
    // What is below the accuracy of the rates must not change a size.
    constexpr double noticeable = 1e-9;
    return collisions < noticeable * p.value ? p : rate{(p.value - collisions) / (1 - collisions)};
}

void check_items(items n) {
    if (n.value == 0) {
        throw bad_argument("a filter cannot be sized for 0 keys; give the number you expect");
    }
}

void check_count(double n) {
    if (!(n >= 0.0 && std::isfinite(n))) {
        throw bad_argument("the number of keys must be finite and not negative");
    }
}

void check_hashes(hashes k) {
    if (k.value == 0 || k.value > max_hash_count) {
        throw bad_argument("a filter makes between 1 and 64 probes per key, not " +
                           std::to_string(k.value) + "; choose k in that range");
    }
}

void check(const shape& of) {
    const layout_facts& facts = facts_of(of.layout);
    // Filters of other libraries are classic and may probe more often than ours are sized for.
    if (of.layout != layout_kind::classic || of.hash_count > max_foreign_hash_count ||
        of.hash_count == 0) {
        check_hashes({of.hash_count});
    }
    if (of.bit_count == 0 || of.bit_count > max_bit_count) {
        throw bad_argument("a filter has between 1 and 2^63 bits, not " +
                           std::to_string(of.bit_count) + "; choose a size in that range");
    }
    if (of.bit_count % facts.block_bits != 0) {
        throw bad_argument("the layout " + std::string(facts.name) + " consists of blocks of " +
                           std::to_string(facts.block_bits) + " bits; round " +
                           counted(of.bit_count, "bit") + " to a multiple of that");
    }
    if (facts.fixed_hashes != 0 && facts.fixed_hashes != of.hash_count) {
        throw bad_argument("the layout " + std::string(facts.name) + " always sets " +
                           std::to_string(facts.fixed_hashes) + " bits per key, not " +
                           std::to_string(of.hash_count) + "; leave out k or change the layout");
    }
}

} // namespace bloomery::inline v0::plan
