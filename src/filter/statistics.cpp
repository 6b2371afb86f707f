#include <bloomery/filter/statistics.hpp>

namespace bloomery {

statistics statistics_of(const plan::shape& shape, std::uint64_t bits_set) {
    statistics now;
    now.bit_count = shape.bit_count;
    now.bits_set = bits_set;
    now.fill_ratio = static_cast<double>(bits_set) / static_cast<double>(shape.bit_count);
    now.items = plan::estimate_items(shape, bits_set);
    now.expected_fpp = plan::fpp_of_fill(bits{shape.bit_count}, hashes{shape.hash_count}, bits_set);
    return now;
}

} // namespace bloomery
