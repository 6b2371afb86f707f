#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/hash/xxph3.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::inline v0::hash {

namespace {

// The primes of xxHash.
constexpr std::uint64_t p32_1 = 0x9e3779b1;
constexpr std::uint64_t p32_2 = 0x85ebca77;
constexpr std::uint64_t p32_3 = 0xc2b2ae3d;
constexpr std::uint64_t p64_1 = 0x9e3779b185ebca87;
constexpr std::uint64_t p64_2 = 0xc2b2ae3d27d4eb4f;
constexpr std::uint64_t p64_3 = 0x165667b19e3779f9;
constexpr std::uint64_t p64_4 = 0x85ebca77c2b2ae63;
constexpr std::uint64_t p64_5 = 0x27d4eb2f165667c5;

constexpr std::size_t lane_count = 8;
constexpr std::size_t stripe_size = 64; // what one step over a long key takes: a word for each lane
constexpr std::size_t secret_size = 192;
using secret_bytes = std::array<std::byte, secret_size>;

/// The secret that takes a seed (none is 0) into each of its words: up and down in turn.
constexpr secret_bytes seeded_secret(std::uint64_t seed) noexcept {
    constexpr std::array<std::uint64_t, secret_size / 8> words{
        0xbe4ba423396cfeb8, 0x1cad21f72c81017c, 0xdb979083e96dd4de, 0x1f67b3b7a4a44072,
        0x78e5c0cc4ee679cb, 0x2172ffcc7dd05a82, 0x8e2443f7744608b8, 0x4c263a81e69035e0,
        0xcb00c391bb52283c, 0xa32e531b8b65d088, 0x4ef90da297486471, 0xd8acdea946ef1938,
        0x3f349ce33f76faa8, 0x1d4f0bc7c7bbdcf9, 0x3159b4cd4be0518a, 0x647378d9c97e9fc8,
        0xc3ebd33483acc5ea, 0xeb6313faffa081c5, 0x49daf0b751dd0d17, 0x9e68d429265516d3,
        0xfca1477d58be162b, 0xce31d07ad1b8f88f, 0x280416958f3acb45, 0x7e404bbbcafbd7af,
    };
    secret_bytes secret{};
    for (std::size_t i = 0; i < secret.size(); ++i) {
        const std::uint64_t word = words[i / 8] + (i / 8 % 2 == 0 ? seed : 0 - seed);
        secret[i] = static_cast<std::byte>(word >> (8 * (i % 8)));
    }
    return secret;
}

constexpr secret_bytes plain_secret = seeded_secret(0);

std::uint64_t fold(std::uint64_t a, std::uint64_t b) noexcept {
    const product128 product = multiply_wide(a, b);
    return product.low ^ product.high;
}

std::uint64_t avalanche(std::uint64_t h) noexcept {
    h ^= h >> 37;
    h *= p64_3;
    return h ^ (h >> 32);
}

/// Keys of up to 16 bytes: two overlapping reads, from the start and from the end, have them whole.
std::uint64_t hash_short(const std::byte* key, std::size_t size, std::uint64_t seed) noexcept {
    const std::byte* secret = plain_secret.data();
    const std::uint64_t up = load_le64(secret) + seed;
    if (size > 8) {
        const std::uint64_t low = load_le64(key) ^ up;
        const std::uint64_t high = load_le64(key + size - 8) ^ (load_le64(secret + 8) - seed);
        return avalanche(size + low + high + fold(low, high));
    }
    if (size >= 4) {
        const std::uint64_t last = load_le32(key + size - 4);
        const std::uint64_t keyed = (load_le32(key) | (last << 32)) ^ up;
        const std::uint64_t mixed = size + (keyed ^ (keyed >> 51)) * p32_1;
        return avalanche((mixed ^ (mixed >> 47)) * p64_2);
    }
    if (size > 0) {
        const std::array<std::byte, 4> bytes{key[0], key[size / 2], key[size - 1],
                                             static_cast<std::byte>(size)};
        return avalanche((load_le32(bytes.data()) ^ (load_le32(secret) + seed)) * p64_1);
    }
    // RocksDB's own: the preview itself gave 0 here.
    return fold(up, p64_2);
}

/// Sixteen bytes of a key under sixteen of the secret.
std::uint64_t mix16(const std::byte* key, const std::byte* secret, std::uint64_t seed) noexcept {
    return fold(load_le64(key) ^ (load_le64(secret) + seed),
                load_le64(key + 8) ^ (load_le64(secret + 8) - seed));
}

/// Keys of 17 to 128 bytes: pairs of pieces, one from each end, until they meet or overlap.
std::uint64_t hash_medium(const std::byte* key, std::size_t size, std::uint64_t seed) noexcept {
    const std::byte* secret = plain_secret.data();
    std::uint64_t sum = size * p64_1;
    for (std::size_t at = 0; 2 * at < size; at += 16) {
        sum += mix16(key + at, secret + 2 * at, seed);
        sum += mix16(key + size - at - 16, secret + 2 * at + 16, seed);
    }
    return avalanche(sum);
}

/// Keys of 129 to 240 bytes: one piece after the other, and the last sixteen bytes.
std::uint64_t hash_large(const std::byte* key, std::size_t size, std::uint64_t seed) noexcept {
    // The secret is used a second time from the 9th piece on, at offsets that are not multiples of
    // 8 and so give other words.
    constexpr std::size_t second_use = 3;
    constexpr std::size_t last_use = 119;
    const std::byte* secret = plain_secret.data();
    std::uint64_t sum = size * p64_1;
    for (std::size_t at = 0; at < 128; at += 16) {
        sum += mix16(key + at, secret + at, seed);
    }
    sum = avalanche(sum);
    for (std::size_t at = 128; at + 16 <= size; at += 16) {
        sum += mix16(key + at, secret + (at - 128) + second_use, seed);
    }
    sum += mix16(key + size - 16, secret + last_use, seed);
    return avalanche(sum);
}

/// The eight lanes that a key of more than 240 bytes runs through.
class lanes {
public:
    void add(const std::byte* stripe, const std::byte* secret) noexcept {
        for (std::size_t i = 0; i < lane_count; ++i) {
            const std::uint64_t word = load_le64(stripe + 8 * i);
            const std::uint64_t keyed = word ^ load_le64(secret + 8 * i);
            lane_[i] += word + (keyed & 0xffffffff) * (keyed >> 32);
        }
    }

    void scramble(const std::byte* secret) noexcept {
        for (std::size_t i = 0; i < lane_count; ++i) {
            lane_[i] = (lane_[i] ^ (lane_[i] >> 47) ^ load_le64(secret + 8 * i)) * p32_1;
        }
    }

    [[nodiscard]] std::uint64_t merge(const std::byte* secret, std::uint64_t start) const noexcept {
        for (std::size_t i = 0; i < lane_count; i += 2) {
            start += fold(lane_[i] ^ load_le64(secret + 8 * i),
                          lane_[i + 1] ^ load_le64(secret + 8 * i + 8));
        }
        return avalanche(start);
    }

private:
    std::array<std::uint64_t, lane_count> lane_{p32_3, p64_1, p64_2, p64_3,
                                                p64_4, p32_2, p64_5, p32_1};
};

/// Keys of more than 240 bytes: stripes, each under the secret 8 bytes further on, and a scramble
/// where the secret ends.
std::uint64_t hash_long(const std::byte* key, std::size_t size, std::uint64_t seed) noexcept {
    constexpr std::size_t stripes_of_block = (secret_size - stripe_size) / 8;
    constexpr std::size_t secret_end = secret_size - stripe_size;
    // At no multiple of 8, so that they share no word with the uses above.
    constexpr std::size_t last_use = secret_end - 7;
    constexpr std::size_t merge_use = 11;

    const secret_bytes secret = seeded_secret(seed);
    lanes state;
    const std::size_t stripes = size / stripe_size;
    for (std::size_t i = 0; i < stripes; ++i) {
        const std::size_t of_block = i % stripes_of_block;
        state.add(key + i * stripe_size, secret.data() + 8 * of_block);
        if (of_block == stripes_of_block - 1) {
            state.scramble(secret.data() + secret_end);
        }
    }
    if (size % stripe_size != 0) {
        state.add(key + size - stripe_size, secret.data() + last_use);
    }
    return state.merge(secret.data() + merge_use, size * p64_1);
}

} // namespace

std::uint64_t xxph3_64(std::span<const std::byte> key, std::uint64_t seed) noexcept {
    if (key.size() <= 16) {
        return hash_short(key.data(), key.size(), seed);
    }
    if (key.size() <= 128) {
        return hash_medium(key.data(), key.size(), seed);
    }
    if (key.size() <= 240) {
        return hash_large(key.data(), key.size(), seed);
    }
    return hash_long(key.data(), key.size(), seed);
}

} // namespace bloomery::inline v0::hash
