#include "bare_array.hpp"

#include "../plan/text.hpp"

namespace bloomery::format {

std::uint64_t used_bytes(std::span<const std::uint64_t> words) noexcept {
    return bytes_for(used_bits(words));
}

any_filter filter_of_used(const spec& what, byte_view used, bit_order order, const limits& most,
                          design made_for) {
    const std::uint64_t whole = bytes_for(what.shape.bit_count);
    if (used.size() > whole) {
        throw bad_data("a filter of " + plan::counted(what.shape.bit_count, "bit") +
                       " has at most " + in_bytes(whole) + ", and this one has " +
                       in_bytes(used.size()) + "; give the size that it was made with");
    }
    return filter_of(what, used, order, most, made_for);
}

} // namespace bloomery::format
