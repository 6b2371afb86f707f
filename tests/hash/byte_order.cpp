// Loads and stores are little-endian at any address.
#include <bloomery/detail/hash/bits.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>

namespace hash = bloomery::hash;

namespace {

std::array<std::byte, 17> counting() {
    std::array<std::byte, 17> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(0x81 + i);
    }
    return bytes;
}

TEST(ByteOrder, LoadsAreLittleEndianAtEveryAddress) {
    const auto bytes = counting();
    for (std::size_t at = 0; at <= 9; ++at) {
        EXPECT_EQ(hash::load_le32(bytes.data() + at), 0x84838281 + 0x01010101 * at);
        EXPECT_EQ(hash::load_le64(bytes.data() + at), 0x8887868584838281 + 0x0101010101010101 * at);
    }
}

TEST(ByteOrder, TailIsPaddedWithZeros) {
    const auto bytes = counting();
    EXPECT_EQ(hash::load_le_tail(bytes.data(), 0), 0U);
    EXPECT_EQ(hash::load_le_tail(bytes.data(), 1), 0x81U);
    EXPECT_EQ(hash::load_le_tail(bytes.data(), 5), 0x8584838281U);
    EXPECT_EQ(hash::load_le_tail(bytes.data(), 8), 0x8887868584838281U);
}

TEST(ByteOrder, StoreUndoesLoad) {
    const auto bytes = counting();
    std::array<std::byte, 8> copy{};
    hash::store_le64(copy.data(), hash::load_le64(bytes.data() + 3));
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_EQ(copy[i], bytes[i + 3]);
    }
}

TEST(ByteOrder, SwapReversesBytes) {
    EXPECT_EQ(hash::detail::byteswap(std::uint32_t{0x01020384}), 0x84030201U);
    EXPECT_EQ(hash::detail::byteswap(std::uint64_t{0x0102030405060788}), 0x8807060504030201U);
}

} // namespace
