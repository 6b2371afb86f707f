// A number that is 0 after it was moved from, like the object whose size it describes.
#pragma once

#include <bloomery/detail/cxx20.hpp>

#include <utility>

namespace bloomery::inline v0 {

/// The size of something that a filter owns. A moved-from filter has no words, so its size must
/// become 0 too: then every key maps to `storage::no_words`. It is read and written like a plain
/// number.
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

} // namespace bloomery::inline v0
