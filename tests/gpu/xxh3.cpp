// XXH3 in code for GPUs gives the digests of xxhash.h, at every length, with and without a seed.
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/hash/xxh3_anywhere.hpp>
#include <bloomery/hash/xxh3.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace {

using namespace bloomery;

struct in_memory {
    const std::byte* bytes;
    std::size_t size;
    [[nodiscard]] std::uint64_t word64(std::uint64_t at) const {
        return hash::load_le64(bytes + at);
    }
    [[nodiscard]] std::uint32_t word32(std::uint64_t at) const {
        return hash::load_le32(bytes + at);
    }
    [[nodiscard]] std::uint64_t word64_at_end(std::uint64_t at) const { return word64(size - at); }
    [[nodiscard]] std::uint32_t word32_at_end(std::uint64_t at) const { return word32(size - at); }
    [[nodiscard]] std::uint8_t byte(std::uint64_t at) const {
        return std::to_integer<std::uint8_t>(bytes[at]);
    }
};

std::vector<std::byte> some_bytes(std::size_t size) {
    std::vector<std::byte> bytes(size);
    std::uint64_t state = 1;
    for (std::byte& each : bytes) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        each = static_cast<std::byte>(state >> 56);
    }
    return bytes;
}

constexpr std::uint64_t seeds[]{0, 1, 0x9e3779b97f4a7c15, ~std::uint64_t{0}};

TEST(Xxh3Anywhere, EqualsXxhashAtEveryLength) {
    const std::vector<std::byte> bytes = some_bytes(4096);
    for (const std::uint64_t seed : seeds) {
        for (std::size_t size = 0; size <= 2200; ++size) {
            // Not from the start, so that no word is aligned.
            const std::span<const std::byte> key(bytes.data() + size % 8, size);
            const in_memory read{key.data(), size};
            ASSERT_EQ(hash::detail::xxh3_64_of(read, size, seed), hash::xxh3_64(seed)(key).value)
                << size << " bytes, seed " << seed;
            ASSERT_EQ(hash::detail::xxh3_128_of(read, size, seed), hash::xxh3_128(seed)(key))
                << size << " bytes, seed " << seed;
        }
    }
}

TEST(Xxh3Anywhere, EqualsXxhashForLongKeys) {
    const std::vector<std::byte> bytes = some_bytes(std::size_t{1} << 20);
    for (const std::size_t size :
         {std::size_t{10'000}, std::size_t{65'536}, std::size_t{65'537}, std::size_t{1'000'003}}) {
        const in_memory read{bytes.data(), size};
        const std::span<const std::byte> key(bytes.data(), size);
        EXPECT_EQ(hash::detail::xxh3_64_of(read, size, 7), hash::xxh3_64(7)(key).value) << size;
        EXPECT_EQ(hash::detail::xxh3_128_of(read, size, 7), hash::xxh3_128(7)(key)) << size;
    }
}

} // namespace
