#include "bit_order.hpp"

#include <bloomery/detail/hash/bits.hpp>

#include <algorithm>
#include <bit>

namespace bloomery::inline v0::format {

namespace {

/// Each byte of a word with its bits in the other order.
constexpr std::uint64_t mirrored(std::uint64_t x) noexcept {
    x = (x & 0x0f0f0f0f0f0f0f0fU) << 4U | (x >> 4U & 0x0f0f0f0f0f0f0f0fU);
    x = (x & 0x3333333333333333U) << 2U | (x >> 2U & 0x3333333333333333U);
    return (x & 0x5555555555555555U) << 1U | (x >> 1U & 0x5555555555555555U);
}

/// Converts a little-endian word to that order; its own inverse.
constexpr std::uint64_t turned(std::uint64_t word, bit_order order) noexcept {
    switch (order) {
    case bit_order::words_be:
        return hash::detail::byteswap(word);
    case bit_order::bytes_msb:
        return mirrored(word);
    case bit_order::bytes_lsb:
        break;
    }
    return word;
}

} // namespace

storage::heap_words<> words_from(byte_view bytes, bit_order order, std::uint64_t word_count) {
    storage::heap_words<> words(word_count);
    for (std::size_t at = 0; at < bytes.size(); at += 8) {
        const std::size_t size = std::min<std::size_t>(8, bytes.size() - at);
        const std::uint64_t raw = size == 8 ? hash::load_le64(bytes.data() + at)
                                            : hash::load_le_tail(bytes.data() + at, size);
        // Zeros are not written, so that the empty part of a large array takes no memory.
        if (raw != 0) {
            words.data()[at / 8] = turned(raw, order);
        }
    }
    return words;
}

std::vector<std::byte> bytes_from(std::span<const std::uint64_t> words, bit_order order,
                                  std::uint64_t byte_count) {
    std::vector<std::byte> bytes(units_for(byte_count, 8) * 8);
    for (std::size_t at = 0; at < bytes.size(); at += 8) {
        hash::store_le64(bytes.data() + at, turned(words[at / 8], order));
    }
    bytes.resize(byte_count);
    return bytes;
}

void write_array(std::span<const std::uint64_t> words, bit_order order, std::uint64_t byte_count,
                 const byte_consumer& write) {
    constexpr std::uint64_t piece = std::uint64_t{1} << 20U; // whole words
    for (std::uint64_t at = 0; at < byte_count; at += piece) {
        const std::uint64_t size = std::min(piece, byte_count - at);
        write(bytes_from(words.subspan(static_cast<std::size_t>(at / 8)), order, size));
    }
}

std::uint64_t used_bits(std::span<const std::uint64_t> words) noexcept {
    const auto last = std::find_if(words.rbegin(), words.rend(), [](auto w) { return w != 0; });
    if (last == words.rend()) {
        return 0;
    }
    const auto before = static_cast<std::uint64_t>(words.rend() - last) - 1;
    return before * 64 + static_cast<std::uint64_t>(std::bit_width(*last));
}

} // namespace bloomery::inline v0::format
