#include "bare_array.hpp"

#include <algorithm>

namespace bloomery::format {

std::uint64_t used_bytes(std::span<const std::uint64_t> words) noexcept {
    return (used_bits(words) + 7) / 8;
}

void write_array(std::span<const std::uint64_t> words, bit_order order, std::uint64_t byte_count,
                 const byte_consumer& write) {
    constexpr std::uint64_t piece = std::uint64_t{1} << 20U; // whole words
    for (std::uint64_t at = 0; at < byte_count; at += piece) {
        const std::uint64_t size = std::min(piece, byte_count - at);
        write(bytes_from(words.subspan(static_cast<std::size_t>(at / 8)), order, size));
    }
}

any_filter filter_of_used(const spec& what, byte_view used, bit_order order, const limits& most,
                          design made_for) {
    const std::uint64_t whole = what.shape.bit_count / 8 + (what.shape.bit_count % 8 != 0 ? 1 : 0);
    if (used.size() > whole) {
        throw bad_data("a filter of " + std::to_string(what.shape.bit_count) +
                       " bits has at most " + in_bytes(whole) + ", and here are " +
                       in_bytes(used.size()) + "; give the size that it was made with");
    }
    return filter_of(what, used, order, most, made_for);
}

} // namespace bloomery::format
