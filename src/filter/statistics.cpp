#include <bloomery/filter/statistics.hpp>
#include <bloomery/plan/rates.hpp>

namespace bloomery {

statistics statistics_of(const plan::shape& shape, std::uint64_t bits_set) {
    statistics now;
    now.bit_count = shape.bit_count;
    now.bits_set = bits_set;
    now.fill_ratio = static_cast<double>(bits_set) / static_cast<double>(shape.bit_count);
    now.items = plan::estimate_items(shape, bits_set);
    if (shape.layout == layout_kind::classic || now.items.saturated) {
        now.expected_fpp =
            plan::fpp_of_fill(bits{shape.bit_count}, hashes{shape.hash_count}, bits_set);
    } else {
        now.expected_fpp = plan::fpp(shape, now.items.items);
    }
    return now;
}

} // namespace bloomery
