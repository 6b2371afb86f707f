#include "bit_slices.hpp"

namespace bloomery::inline v0::redis {

namespace {

/// A byte with its bits in the opposite order.
constexpr std::uint64_t mirrored(std::uint64_t byte) noexcept {
    byte = (byte & 0xf0U) >> 4U | (byte & 0x0fU) << 4U;
    byte = (byte & 0xccU) >> 2U | (byte & 0x33U) << 2U;
    return (byte & 0xaaU) >> 1U | (byte & 0x55U) << 1U;
}

} // namespace

std::string slice_of(std::span<const std::uint64_t> words, std::uint64_t first, std::uint64_t end,
                     std::size_t byte_count) {
    std::string bytes(byte_count, '\0');
    for (char& each : bytes) {
        if (first >= end) break;
        const std::uint64_t word = first / 64;
        const std::uint64_t shift = first % 64;
        std::uint64_t bits = words[word] >> shift;
        if (shift > 56 && word + 1 < words.size()) bits |= words[word + 1] << (64 - shift);
        const std::uint64_t left = end - first;
        if (left < 8) bits &= (1U << left) - 1;
        each = static_cast<char>(mirrored(bits & 0xffU));
        first += 8;
    }
    return bytes;
}

void add_slice(std::span<std::uint64_t> words, std::uint64_t first, std::uint64_t end,
               std::string_view bytes) noexcept {
    for (const char each : bytes) {
        if (first >= end) return;
        std::uint64_t bits = mirrored(static_cast<unsigned char>(each));
        const std::uint64_t left = end - first;
        if (left < 8) bits &= (1U << left) - 1;
        const std::uint64_t word = first / 64;
        const std::uint64_t shift = first % 64;
        words[word] |= bits << shift;
        if (shift > 56 && word + 1 < words.size()) words[word + 1] |= bits >> (64 - shift);
        first += 8;
    }
}

} // namespace bloomery::inline v0::redis
