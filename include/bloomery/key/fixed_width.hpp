// Numbers as a fixed count of bytes, as other systems feed them to their hashes.
//
// The results are byte strings, that is keys. Note that native filters need none of this: for them
// an integer is a key by itself (see key.hpp).
#pragma once

#include <bloomery/cxx20.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace bloomery {

namespace detail {

template <class Word>
[[nodiscard]] constexpr std::array<std::byte, sizeof(Word)> little_endian(Word word) noexcept {
    std::array<std::byte, sizeof(Word)> bytes{};
    for (std::size_t i = 0; i < sizeof(Word); ++i) {
        bytes[i] = static_cast<std::byte>(word >> (8 * i));
    }
    return bytes;
}

template <class Word>
[[nodiscard]] constexpr std::array<std::byte, sizeof(Word)> big_endian(Word word) noexcept {
    std::array<std::byte, sizeof(Word)> bytes{};
    for (std::size_t i = 0; i < sizeof(Word); ++i) {
        bytes[sizeof(Word) - 1 - i] = static_cast<std::byte>(word >> (8 * i));
    }
    return bytes;
}

} // namespace detail

/// Two's complement, least significant byte first: Guava's integerFunnel, Parquet's INT32. O(1).
[[nodiscard]] constexpr std::array<std::byte, 4> i32le(std::int32_t value) noexcept {
    return detail::little_endian(static_cast<std::uint32_t>(value));
}

/// Two's complement, most significant byte first: a Cassandra int. O(1).
[[nodiscard]] constexpr std::array<std::byte, 4> i32be(std::int32_t value) noexcept {
    return detail::big_endian(static_cast<std::uint32_t>(value));
}

/// Most significant byte first: what Go programs use after the example of their library. O(1).
[[nodiscard]] constexpr std::array<std::byte, 4> u32be(std::uint32_t value) noexcept {
    return detail::big_endian(value);
}

/// Two's complement, least significant byte first: Guava's longFunnel, Parquet's INT64, the
/// integers of DataSketches. O(1).
[[nodiscard]] constexpr std::array<std::byte, 8> i64le(std::int64_t value) noexcept {
    return detail::little_endian(static_cast<std::uint64_t>(value));
}

/// Two's complement, most significant byte first: a Cassandra bigint. O(1).
[[nodiscard]] constexpr std::array<std::byte, 8> i64be(std::int64_t value) noexcept {
    return detail::big_endian(static_cast<std::uint64_t>(value));
}

/// The bits of the number, least significant byte first: Parquet's FLOAT. -0.0 and 0.0 differ.
/// O(1).
[[nodiscard]] constexpr std::array<std::byte, 4> f32le(float value) noexcept {
    return detail::little_endian(std::bit_cast<std::uint32_t>(value));
}

/// The bits of the number, least significant byte first: Parquet's DOUBLE. -0.0 and 0.0 differ.
/// O(1).
[[nodiscard]] constexpr std::array<std::byte, 8> f64le(double value) noexcept {
    return detail::little_endian(std::bit_cast<std::uint64_t>(value));
}

/// The same with one zero and one NaN, as DataSketches feeds doubles, and floats made doubles.
/// O(1).
[[nodiscard]] constexpr std::array<std::byte, 8> f64le_canonical(double value) noexcept {
    if (value != value) {
        return detail::little_endian(std::uint64_t{0x7ff8000000000000});
    }
    return f64le(value == 0 ? 0.0 : value);
}

} // namespace bloomery
