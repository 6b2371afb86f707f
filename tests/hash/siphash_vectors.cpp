// SipHash equals OpenSSL's and libsodium's under the key 00 01 ... 0f, and Python's under zeros.
#include <bloomery/detail/hash/siphash.hpp>

#include "vectors.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>

namespace hash = bloomery::hash;

namespace {

constexpr hash::sip_key siphash_vectors_counting{0x0706050403020100, 0x0f0e0d0c0b0a0908};

template <class Hash>
void expect_vectors_64(const char* name) {
    for (const vectors::row& row : vectors::rows("siphash.txt", name)) {
        for (std::size_t shift = 0; shift < 8; ++shift) {
            const vectors::placed_key key(std::stoul(row[1]), shift);
            ASSERT_EQ(Hash{siphash_vectors_counting}(key.view()).value, vectors::hex(row[2]))
                << row[1];
        }
    }
}

template <class Hash>
void expect_vectors_128(const char* name) {
    for (const vectors::row& row : vectors::rows("siphash.txt", name)) {
        for (std::size_t shift = 0; shift < 8; ++shift) {
            const vectors::placed_key key(std::stoul(row[1]), shift);
            const bloomery::digest128 expected{vectors::hex(row[2]), vectors::hex(row[3])};
            ASSERT_EQ(Hash{siphash_vectors_counting}(key.view()), expected) << row[1];
        }
    }
}

TEST(SipHash, OneThreeMatchesOpenSsl) {
    expect_vectors_64<hash::siphash13_64>("siphash13_64");
    expect_vectors_128<hash::siphash13_128>("siphash13_128");
}

TEST(SipHash, TwoFourMatchesOpenSslAndLibsodium) {
    expect_vectors_64<hash::siphash24_64>("siphash24_64");
    expect_vectors_128<hash::siphash24_128>("siphash24_128");
}

TEST(SipHash, TwoFourMatchesThePapersExample) {
    // Appendix A of the paper: the bytes 00 to 0e under the counting key.
    std::array<std::byte, 15> text{};
    for (std::size_t i = 0; i < text.size(); ++i) {
        text[i] = static_cast<std::byte>(i);
    }
    EXPECT_EQ((hash::siphash_64<2, 4>(text, siphash_vectors_counting)), 0xa129ca6149be45e5U);
}

TEST(SipHash, OneThreeMatchesPythonWithItsSeedAtZero) {
    EXPECT_EQ((hash::siphash_64<1, 3>(vectors::bytes("a"), {})), 0x407448d2b89b1813U);
    EXPECT_EQ((hash::siphash_64<1, 3>(vectors::bytes("hello"), {})), 0xe2e77b41cb4e1f9eU);
    std::array<std::byte, 15> text{};
    for (std::size_t i = 0; i < text.size(); ++i) {
        text[i] = static_cast<std::byte>(i);
    }
    EXPECT_EQ((hash::siphash_64<1, 3>(text, {})), 0xf30eb725bb91c9eaU);
}

TEST(SipHash, IntegerIsItsEightLittleEndianBytes) {
    const hash::siphash13_64 short_hash{siphash_vectors_counting};
    const hash::siphash13_128 long_hash{siphash_vectors_counting};
    const auto text = vectors::bytes("\x01\x02\x03\x04\x05\x06\x07\x88");
    EXPECT_EQ(short_hash.integer(0x8807060504030201), short_hash(text));
    EXPECT_EQ(long_hash.integer(0x8807060504030201), long_hash(text));
}

TEST(SipHash, KeyDecidesTheDigest) {
    const auto text = vectors::bytes("text");
    EXPECT_NE(hash::siphash13_64{}(text), hash::siphash13_64{siphash_vectors_counting}(text));
    EXPECT_NE((hash::siphash13_64{{1, 0}}(text)), (hash::siphash13_64{{0, 1}}(text)));
    EXPECT_EQ(hash::siphash13_64{siphash_vectors_counting},
              hash::siphash13_64{siphash_vectors_counting});
    EXPECT_NE(hash::siphash13_64{siphash_vectors_counting}, hash::siphash13_64{});
}

} // namespace
