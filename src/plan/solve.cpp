#include <bloomery/detail/plan/digest_floor.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include "check.hpp"

#include <string>

namespace bloomery::inline v0::plan {
namespace {

void check_sufficient(const question& asked) {
    if (asked.m && asked.memory) {
        throw bad_argument("the size is given twice, as bits and as memory; give one of them");
    }
    const bool size = asked.m || asked.memory;
    const int known = (asked.n ? 1 : 0) + (asked.p ? 1 : 0) + (size ? 1 : 0);
    if (known >= 2) return;
    std::string missing;
    if (!asked.n) missing += "the number of keys (n)";
    if (!asked.p) missing += std::string(missing.empty() ? "" : ", ") + "the rate (p)";
    if (!size) missing += std::string(missing.empty() ? "" : ", ") + "the size (m or memory)";
    throw bad_argument(std::string(known == 0 ? "only k or the layout is known; give two of: "
                                              : "too little is known; give one more of: ") +
                       missing);
}

shape with_hashes(shape found, const std::optional<hashes>& k) {
    if (k) {
        check_hashes(*k);
        found.hash_count = k->value;
        check(found);
    }
    return found;
}

// The array at hand, rounded down to whole blocks.
shape from_size(const question& asked, items n) {
    return asked.memory ? for_memory(*asked.memory, n, asked.layout)
                        : for_bits(asked.m.value_or(bits{0}), n, asked.layout);
}

shape solve_shape(const question& asked, items n, rate p) {
    if (asked.m || asked.memory) {
        // Without n, one key stands in: it only lets the size be rounded and refused in one place.
        const shape sized = from_size(asked, asked.n ? n : items{1});
        if (asked.n || asked.k) return with_hashes(sized, asked.k);
        return for_bits_at_rate({sized.bit_count}, p, asked.layout);
    }
    return asked.k ? for_hashes(n, p, *asked.k, asked.layout) : for_rate(n, p, asked.layout);
}

} // namespace

answer solve(const question& asked) {
    check_sufficient(asked);
    if (asked.p) check_rate(*asked.p);
    if (asked.n) check_items(*asked.n);
    if (asked.k) check_hashes(*asked.k);
    const rate wanted = asked.p.value_or(rate{0.5}); // the stand-ins are never used
    answer found{};
    found.filter = solve_shape(asked, asked.n.value_or(items{1}), wanted);
    found.n = asked.n ? *asked.n : items{item_capacity(found.filter, wanted)};
    if (found.n.value == 0) {
        throw bad_argument("this array cannot hold even one key at the requested rate; give more "
                           "memory, fewer probes or a higher rate");
    }
    const double probes = expected_rate(found.filter, found.n);
    const auto keys = static_cast<double>(found.n.value);
    found.expected_rate =
        with_collisions(probes, keys, digest_bits_for(found.n, asked.p.value_or(rate{0})));
    found.p = asked.p ? *asked.p : rate{found.expected_rate};
    found.meets_rate = probes <= found.p.value && found.p.value > least_rate(found.n);
    found.bits_per_item =
        static_cast<double>(found.filter.bit_count) / static_cast<double>(found.n.value);
    found.memory = {found.filter.byte_count()};
    // A reached rate of 0 or 1 (hopelessly large or small arrays) has no capacity to speak of.
    const bool usable = found.p.value > 0.0 && found.p.value < 1.0;
    found.item_capacity = usable ? item_capacity(found.filter, found.p) : found.n.value;
    return found;
}

} // namespace bloomery::inline v0::plan
