// The XXH3 of short keys that modules for WebAssembly use, and that of keys in batches, equals
// xxhash.h at every length. The vectors for WebAssembly are compared by the tests of the npm
// package, with strings of every length.
#include <bloomery/detail/hash/xxh3_short.hpp>
#include <bloomery/hash/xxh3.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

namespace hash = bloomery::hash;

namespace {

TEST(Xxh3Short, EqualsXxh3AtEveryLength) {
    std::mt19937_64 random(1);
    std::array<std::byte, hash::detail::xxh3_short_most + 8> bytes{};
    for (int round = 0; round < 100; ++round) {
        for (std::byte& each : bytes) {
            each = static_cast<std::byte>(random());
        }
        const std::uint64_t seed = round == 0 ? 0 : random() >> (random() % 64);
        const std::byte* const key = bytes.data() + round % 8;
        for (std::size_t size = 4; size <= hash::detail::xxh3_short_most; ++size) {
            ASSERT_EQ(hash::detail::xxh3_short(key, size, seed),
                      hash::xxh3_64{seed}({key, size}).value)
                << size << " bytes, seed " << seed;
            if (size >= 17 && size <= 64) {
                ASSERT_EQ(hash::detail::xxh3_17_to_64(key, size, seed),
                          hash::xxh3_64{seed}({key, size}).value)
                    << size << " bytes, seed " << seed;
            }
        }
    }
}

} // namespace
