// Remainders by a number that is known in advance, without a division per key.
#pragma once

#include <bloomery/detail/hash/bits.hpp>

#include <cstdint>

namespace bloomery::inline v0::layout {

/// A number to divide by, with its reciprocal. `x % divisor(m)` is x % m for every x and every m
/// except 0, computed with two multiplications (tests/layout/divisor.cpp). A divisor of 0 may
/// exist, but must not be used.
///
/// With r = floor((2^64 - 1) / m), x r / 2^64 is less than x / m by less than 1: the quotient is
/// exact or one too small, and one subtraction corrects the remainder.
class divisor {
public:
    constexpr divisor(std::uint64_t m) noexcept // NOLINT: the same number, prepared
        : value_(m), reciprocal_(m == 0 ? 0 : ~std::uint64_t{0} / m) {}

    [[nodiscard]] constexpr std::uint64_t value() const noexcept { return value_; }

    BLOOMERY_INLINE friend constexpr std::uint64_t operator%(std::uint64_t x,
                                                             const divisor& by) noexcept {
        const std::uint64_t quotient =
            hash::multiply_wide(x, hash::in_register(by.reciprocal_)).high;
        const std::uint64_t left = x - quotient * by.value_;
        return left >= by.value_ ? left - by.value_ : left;
    }
    friend constexpr bool operator==(const divisor&, const divisor&) = default;

private:
    std::uint64_t value_;
    std::uint64_t reciprocal_;
};

} // namespace bloomery::inline v0::layout
