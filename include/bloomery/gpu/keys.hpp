// Many keys, in the memory of a device or of the program, as one argument.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/gpu/device.hpp>
#include <bloomery/hash/digest.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace bloomery::inline v0::gpu {

/// Integers that a device hashes: of 4 or 8 bytes. A key has the same bits whatever its width, so
/// widen others.
template <class T>
concept integer = std::integral<T> && (sizeof(T) == 4 || sizeof(T) == 8) &&
                  !std::same_as<T, wchar_t> && !std::same_as<T, char32_t>;

/// Byte strings one after the other, as in Arrow: string i is the bytes from offsets[i] up to
/// offsets[i + 1], so there is one offset more than strings.
template <class Offset>
concept string_offset = std::same_as<std::remove_const_t<Offset>, std::int32_t> ||
                        std::same_as<std::remove_const_t<Offset>, std::int64_t>;

/// A batch of keys. It owns nothing: what it was made from must stay as it is until the call that
/// takes it has returned, or, for `..._async`, until the device has done the work.
class keys {
public:
    enum class kind : std::uint8_t { u64, u32, i32, digest, record, string32, string64 };

    /// Integers on a device; the same keys as those integers in any other call of bloomery.
    template <class T>
        requires integer<std::remove_const_t<T>>
    // NOLINTNEXTLINE(google-explicit-constructor): an array is a batch
    keys(device_span<T> numbers) noexcept
        : keys(of_integer<std::remove_const_t<T>>(), numbers.data, nullptr, numbers.count,
               sizeof(T), true) {}
    template <class T>
        requires integer<T>
    // NOLINTNEXTLINE(google-explicit-constructor)
    keys(const device_array<T>& numbers) noexcept : keys(numbers.span()) {}
    /// Integers in the memory of the program, which are copied to the device piece by piece.
    template <class T>
        requires integer<std::remove_const_t<T>>
    // NOLINTNEXTLINE(google-explicit-constructor)
    keys(std::span<T> numbers) noexcept
        : keys(of_integer<std::remove_const_t<T>>(), numbers.data(), nullptr, numbers.size(),
               sizeof(T), false) {}
    template <class Range>
        requires requires(const Range& some) {
            { std::span(some) };
            requires integer<std::remove_cv_t<typename decltype(std::span(some))::element_type>>;
        }
    // NOLINTNEXTLINE(google-explicit-constructor)
    keys(const Range& numbers) noexcept : keys(std::span(numbers)) {}

    /// Digests of any keys, computed with `filter::digest` or on the device.
    [[nodiscard]] static keys digests(device_span<const digest128> some) noexcept {
        return {kind::digest, some.data, nullptr, some.count, sizeof(digest128), true};
    }
    [[nodiscard]] static keys digests(std::span<const digest128> some) noexcept {
        return {kind::digest, some.data(), nullptr, some.size(), sizeof(digest128), false};
    }

    /// Byte strings of the same length, one after the other. Throws bad_argument if the length is 0
    /// or does not divide the number of bytes.
    [[nodiscard]] BLOOMERY_EXPORT static keys records(device_span<const std::byte> bytes,
                                                      std::size_t length);
    [[nodiscard]] BLOOMERY_EXPORT static keys records(std::span<const std::byte> bytes,
                                                      std::size_t length);

    /// Byte strings with offsets: `count` of them, so `offsets` has at least one element more.
    /// Offsets must not decrease, and must be within `bytes`: those in the program's memory are
    /// checked, those on a device are trusted.
    template <string_offset Offset>
    [[nodiscard]] static keys strings(device_span<const std::byte> bytes,
                                      device_span<Offset> offsets) noexcept {
        return {of_offset<Offset>(), bytes.data,
                offsets.data,        offsets.count == 0 ? 0 : offsets.count - 1,
                bytes.count,         true};
    }
    template <string_offset Offset>
    [[nodiscard]] static keys strings(std::span<const std::byte> bytes,
                                      std::span<Offset> offsets) noexcept {
        return {of_offset<Offset>(), bytes.data(),
                offsets.data(),      offsets.empty() ? 0 : offsets.size() - 1,
                bytes.size(),        false};
    }

    [[nodiscard]] kind what() const noexcept { return kind_; }
    [[nodiscard]] const void* data() const noexcept { return data_; }
    [[nodiscard]] const void* offsets() const noexcept { return offsets_; }
    [[nodiscard]] std::size_t count() const noexcept { return count_; }
    /// The bytes of one key; for strings, those of all of them.
    [[nodiscard]] std::uint64_t width() const noexcept { return width_; }
    [[nodiscard]] bool is_on_device() const noexcept { return on_device_; }

    /// Keys from whatever describes them: for bindings.
    keys(kind what, const void* data, const void* offsets, std::size_t count, std::uint64_t width,
         bool on_device) noexcept
        : data_(data), offsets_(offsets), count_(count), width_(width), kind_(what),
          on_device_(on_device) {}

private:
    template <class T>
    static constexpr kind of_integer() noexcept {
        return sizeof(T) == 8 ? kind::u64 : std::is_signed_v<T> ? kind::i32 : kind::u32;
    }
    template <class Offset>
    static constexpr kind of_offset() noexcept {
        return sizeof(Offset) == 8 ? kind::string64 : kind::string32;
    }

    const void* data_;
    const void* offsets_;
    std::size_t count_;
    std::uint64_t width_;
    kind kind_;
    bool on_device_;
};

} // namespace bloomery::inline v0::gpu
