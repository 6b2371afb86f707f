// A number that goes with what it describes: 0 where a move has left it behind.
#pragma once

#include <bloomery/cxx20.hpp>

#include <utility>

namespace bloomery {

/// The size of something that a filter owns. The words of a filter that was moved from are gone, so
/// its size must not stay: with a size of 0 every key of it falls on `storage::no_words`. It is
/// read and written as the number that it is.
template <class Number>
class zero_when_moved {
public:
    constexpr zero_when_moved(Number value = 0) noexcept : value_(value) {} // NOLINT: it is one
    constexpr zero_when_moved(const zero_when_moved&) noexcept = default;
    constexpr zero_when_moved(zero_when_moved&& other) noexcept
        : value_(std::exchange(other.value_, Number{0})) {}
    constexpr zero_when_moved& operator=(const zero_when_moved&) noexcept = default;
    constexpr zero_when_moved& operator=(zero_when_moved&& other) noexcept {
        value_ = std::exchange(other.value_, Number{0});
        return *this;
    }
    ~zero_when_moved() = default;

    constexpr operator const Number&() const noexcept { return value_; } // NOLINT: it is one
    constexpr operator Number&() noexcept { return value_; }             // NOLINT: it is one

private:
    Number value_;
};

} // namespace bloomery
