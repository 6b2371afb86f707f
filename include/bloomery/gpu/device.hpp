// A GPU, or the processor in its place, and memory on it.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/error.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace bloomery::inline v0::gpu {

/// There is no GPU, its driver is missing or too old, or the library was built without CUDA.
class BLOOMERY_EXPORT no_device : public error {
public:
    using error::error;
};

/// The GPU reported an error, perhaps one of an earlier kernel of the program. The filters on it
/// can no longer be used.
class BLOOMERY_EXPORT device_error : public error {
public:
    using error::error;
};

/// A cudaStream_t, or the default stream. It owns nothing.
struct stream {
    void* handle = nullptr;
};

/// Memory on a device, or whatever else a device can read. It owns nothing.
template <class T>
struct device_span {
    T* data = nullptr;
    std::size_t count = 0;

    device_span() = default;
    device_span(T* first, std::size_t number) noexcept : data(first), count(number) {}
    /// What may be changed may be read.
    template <class Other>
        requires std::is_same_v<const Other, T>
    // NOLINTNEXTLINE(google-explicit-constructor): as for std::span
    device_span(device_span<Other> other) noexcept : data(other.data), count(other.count) {}

    [[nodiscard]] device_span first(std::size_t some) const noexcept { return {data, some}; }
};

namespace detail {

class backend;

/// Saturates, so that too many are refused like too much.
[[nodiscard]] constexpr std::uint64_t bytes_of(std::uint64_t count, std::uint64_t each) noexcept {
    constexpr std::uint64_t most = ~std::uint64_t{0};
    return count > most / each ? most : count * each;
}

} // namespace detail

/// How much memory a device has, and how much of it nobody uses.
struct memory_size {
    std::uint64_t byte_count = 0;
    std::uint64_t free_bytes = 0;
};

/// One GPU, or the processor. Copies are the same device. Any number of threads may use it.
class BLOOMERY_EXPORT device {
public:
    /// How many GPUs this library can use: 0 if it was built without CUDA. Never throws.
    [[nodiscard]] static std::size_t count() noexcept;
    /// The GPU of that number, counted from 0. Throws no_device, bad_argument, device_error.
    [[nodiscard]] static device number(std::size_t which);
    /// The first GPU. Throws as above.
    [[nodiscard]] static device first() { return number(0); }
    /// The processor, behind the same calls: for programs that must run where there is no GPU, and
    /// for tests. One thread; a filter of the library itself is faster.
    [[nodiscard]] static device processor();
    /// The first GPU if there is one, the processor otherwise. Throws device_error.
    [[nodiscard]] static device any();

    /// The number of the GPU that has this memory; nothing for memory of the program.
    [[nodiscard]] static std::optional<std::size_t> number_of(const void* memory) noexcept;

    /// "NVIDIA H200", or "processor".
    [[nodiscard]] std::string name() const;
    [[nodiscard]] bool is_gpu() const noexcept;
    /// Throws device_error.
    [[nodiscard]] memory_size memory() const;

    /// Returns when all work that was given to a stream is done. Throws device_error.
    void wait(stream on = {}) const;
    /// Gives back the memory that calls used for their work and that is kept for the next ones.
    void release_scratch() const;

    [[nodiscard]] friend bool operator==(const device&, const device&) = default;

private:
    friend class filter;
    friend class device_memory;
    explicit device(std::shared_ptr<detail::backend> of) : backend_(std::move(of)) {}
    std::shared_ptr<detail::backend> backend_;
};

/// A block of memory on a device.
class BLOOMERY_EXPORT device_memory {
public:
    /// Not initialised. Throws memory_refused.
    device_memory(device on, std::uint64_t byte_count);
    device_memory(device_memory&& other) noexcept
        : device_(std::move(other.device_)), data_(std::exchange(other.data_, nullptr)),
          byte_count_(std::exchange(other.byte_count_, 0)) {}
    device_memory& operator=(device_memory&& other) noexcept {
        std::swap(device_, other.device_);
        std::swap(data_, other.data_);
        std::swap(byte_count_, other.byte_count_);
        return *this;
    }
    device_memory(const device_memory&) = delete;
    device_memory& operator=(const device_memory&) = delete;
    ~device_memory();

    [[nodiscard]] void* data() const noexcept { return data_; }
    [[nodiscard]] std::uint64_t byte_count() const noexcept { return byte_count_; }
    [[nodiscard]] const device& where() const noexcept { return device_; }

    /// Copies from and to the memory of the program, and waits. Throws bad_argument if it does not
    /// fit, device_error.
    void upload(std::span<const std::byte> from, std::uint64_t at = 0) const;
    void download(std::span<std::byte> to, std::uint64_t at = 0) const;

private:
    device device_;
    void* data_;
    std::uint64_t byte_count_;
};

/// A number of values on a device.
template <class T>
    requires std::is_trivially_copyable_v<T>
class device_array {
public:
    /// Not initialised. Throws memory_refused.
    device_array(device on, std::size_t count)
        : memory_(std::move(on), detail::bytes_of(count, sizeof(T))), count_(count) {}
    /// A copy of values of the program. Throws memory_refused, device_error.
    device_array(device on, std::span<const T> values)
        : device_array(std::move(on), values.size()) {
        memory_.upload(std::as_bytes(values));
    }

    [[nodiscard]] std::size_t count() const noexcept { return count_; }
    [[nodiscard]] T* data() const noexcept { return static_cast<T*>(memory_.data()); }
    [[nodiscard]] device_span<T> span() const noexcept { return {data(), count_}; }
    /// Copies the first values to the program, and waits. Throws bad_argument, device_error.
    void download(std::span<T> to) const { memory_.download(std::as_writable_bytes(to)); }

private:
    device_memory memory_;
    std::size_t count_;
};

} // namespace bloomery::inline v0::gpu
