// Reads and writes numbers in sequence. Nothing is read past the end.
#pragma once

#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/error.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bloomery::inline v0::format {

/// A view of bytes as text.
[[nodiscard]] inline std::string_view text_of(byte_view bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; // NOLINT
}

/// Reads from the current position. Every call throws bad_data if there are not enough bytes.
class cursor {
public:
    explicit cursor(byte_view bytes) noexcept : left_(bytes) {}

    [[nodiscard]] std::uint64_t left() const noexcept { return left_.size(); }
    [[nodiscard]] byte_view rest() const noexcept { return left_; }

    byte_view take(std::uint64_t count) {
        if (count > left_.size()) {
            throw bad_data(
                "the filter is truncated: it is shorter than its header says; restore it from a "
                "copy");
        }
        const byte_view taken = left_.first(static_cast<std::size_t>(count));
        left_ = left_.subspan(taken.size());
        return taken;
    }
    /// A number of that type, the most significant byte first.
    template <class T>
    T big() {
        return number<T>([](std::size_t i) { return sizeof(T) - 1 - i; });
    }
    /// The same, the least significant byte first.
    template <class T>
    T little() {
        return number<T>([](std::size_t i) { return i; });
    }
    /// The same for several numbers, in order.
    template <class... T>
    void little(T&... into) {
        ((into = little<T>()), ...);
    }

private:
    template <class T, class Place>
    T number(Place place) {
        const byte_view from = take(sizeof(T));
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i) {
            value |= std::to_integer<std::uint64_t>(from[i]) << (8 * place(i));
        }
        if constexpr (std::is_same_v<T, double>) {
            return std::bit_cast<double>(value);
        } else {
            return static_cast<T>(value);
        }
    }

    byte_view left_;
};

/// Gathers bytes. Throws std::bad_alloc.
class byte_writer {
public:
    void put(byte_view bytes) { made_.insert(made_.end(), bytes.begin(), bytes.end()); }
    void put(std::string_view text) { put(std::as_bytes(std::span(text))); }
    /// Numbers in order, each with the most or the least significant byte first.
    template <class... T>
    void big(T... values) {
        (number(values, [](std::size_t i) { return sizeof(T) - 1 - i; }), ...);
    }
    template <class... T>
    void little(T... values) {
        (number(values, [](std::size_t i) { return i; }), ...);
    }

    [[nodiscard]] byte_view bytes() const noexcept { return made_; }

private:
    template <class T, class Place>
    void number(T value, Place place) {
        std::uint64_t bits = 0;
        if constexpr (std::is_same_v<T, double>) {
            bits = std::bit_cast<std::uint64_t>(value);
        } else {
            bits = static_cast<std::uint64_t>(value);
        }
        for (std::size_t i = 0; i < sizeof(T); ++i) {
            made_.push_back(static_cast<std::byte>(bits >> (8 * place(i)) & 0xffU));
        }
    }

    std::vector<std::byte> made_;
};

} // namespace bloomery::inline v0::format
