// Numbers read from bytes one after another, and written so. Nothing is read past the end.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/key/bytes.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace bloomery::format {

/// Bytes as a text; it points to where they are.
[[nodiscard]] inline std::string_view text_of(byte_view bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; // NOLINT
}

/// Reads what lies ahead. Every call throws bad_data when there are not enough bytes.
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
    /// An integer of that type, the most significant byte first.
    template <class T>
    T big() {
        return number<T>([](std::size_t i) { return sizeof(T) - 1 - i; });
    }
    /// The same, the least significant byte first.
    template <class T>
    T little() {
        return number<T>([](std::size_t i) { return i; });
    }
    double little_double() { return std::bit_cast<double>(little<std::uint64_t>()); }

private:
    template <class T, class Place>
    T number(Place place) {
        const byte_view from = take(sizeof(T));
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i) {
            value |= std::to_integer<std::uint64_t>(from[i]) << (8 * place(i));
        }
        return static_cast<T>(value);
    }

    byte_view left_;
};

/// Gathers bytes. Throws std::bad_alloc.
class byte_writer {
public:
    void put(byte_view bytes) { made_.insert(made_.end(), bytes.begin(), bytes.end()); }
    void put(std::string_view text) { put(std::as_bytes(std::span(text))); }
    template <class T>
    void big(T value) {
        number(static_cast<std::uint64_t>(value), sizeof(T),
               [](std::size_t i) { return sizeof(T) - 1 - i; });
    }
    template <class T>
    void little(T value) {
        number(static_cast<std::uint64_t>(value), sizeof(T), [](std::size_t i) { return i; });
    }
    void little_double(double value) { little(std::bit_cast<std::uint64_t>(value)); }

    [[nodiscard]] byte_view bytes() const noexcept { return made_; }

private:
    template <class Place>
    void number(std::uint64_t value, std::size_t size, Place place) {
        for (std::size_t i = 0; i < size; ++i) {
            made_.push_back(static_cast<std::byte>(value >> (8 * place(i)) & 0xffU));
        }
    }

    std::vector<std::byte> made_;
};

} // namespace bloomery::format
