// Memory from the server, so that maxmemory, MEMORY USAGE and INFO count what filters take.
#pragma once

#include "api.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>
#include <utility>
#include <vector>

namespace bloomery::redis_module {

/// As fast as memory is read.
[[nodiscard]] bool is_zero(const std::byte* bytes, std::uint64_t size) noexcept;

/// An array of bytes, if requested aligned to a cache line.
class server_bytes {
public:
    enum class start : std::uint8_t { anywhere, of_a_line };

    server_bytes() noexcept = default;
    /// All zero. O(1) for large arrays, whose pages are not touched. Throws std::bad_alloc.
    explicit server_bytes(std::uint64_t size, start at = start::anywhere);
    /// Adopts what the server allocated.
    server_bytes(char* from_server, std::size_t size) noexcept : block_(from_server), size_(size) {}
    server_bytes(server_bytes&& other) noexcept
        : block_(std::exchange(other.block_, nullptr)), size_(std::exchange(other.size_, 0)),
          offset_(std::exchange(other.offset_, 0)), start_(other.start_) {}
    server_bytes& operator=(server_bytes&& other) noexcept {
        std::swap(block_, other.block_);
        std::swap(size_, other.size_);
        std::swap(offset_, other.offset_);
        std::swap(start_, other.start_);
        return *this;
    }
    ~server_bytes() {
        if (block_ != nullptr) server.free(block_);
    }

    /// O(size). Throws std::bad_alloc.
    [[nodiscard]] server_bytes copy() const;
    /// Zeroes all bytes and releases whole pages. O(pages in use).
    void clear() noexcept;
    /// Moves to where the server wants it.
    void defrag(defrag_context* by);

    [[nodiscard]] std::byte* data() noexcept { return block() + offset_; }
    [[nodiscard]] const std::byte* data() const noexcept { return block() + offset_; }
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

private:
    [[nodiscard]] std::byte* block() const noexcept { return static_cast<std::byte*>(block_); }

    void* block_ = nullptr;
    std::uint64_t size_ = 0;
    std::uint32_t offset_ = 0; ///< of the first byte in the block
    start start_ = start::anywhere;
};

/// Calls `use(begin, end)` for each page that has a byte other than zero. Memory that was never
/// written to is not there yet, and need not come to be.
template <class Use>
void for_each_page_in_use(const server_bytes& of, Use use) {
    constexpr std::uint64_t page = 4096;
    for (std::uint64_t at = 0; at < of.size(); at += page) {
        const std::uint64_t end = std::min(of.size(), at + page);
        if (!is_zero(of.data() + at, end - at)) use(at, end);
    }
}

/// For containers in values that the server keeps.
template <class T>
struct server_allocator {
    using value_type = T;

    server_allocator() noexcept = default;
    template <class U>
    server_allocator(const server_allocator<U>& /*other*/) noexcept {} // NOLINT: as the standard's

    [[nodiscard]] T* allocate(std::size_t count) {
        if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
        void* const memory = server.try_alloc(count * sizeof(T));
        if (memory == nullptr) throw std::bad_alloc();
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t /*count*/) noexcept { server.free(memory); }

    friend bool operator==(server_allocator, server_allocator) noexcept { return true; }
};

template <class T>
using server_list = std::vector<T, server_allocator<T>>;

/// Puts a list somewhere else: inside a vector the server cannot move it. Throws std::bad_alloc.
template <class T>
void relocate(server_list<T>& list) {
    server_list<T> moved;
    moved.reserve(list.size());
    std::ranges::move(list, std::back_inserter(moved));
    list = std::move(moved);
}

/// Moves a value, which has no pointers into itself, as bytes, and then its `Count` parts one after
/// another until the server has enough. The server's cursor is the next part. Returns whether any
/// is left, for the server.
template <class Value, auto Count>
int defrag_in_parts(defrag_context* by, text* /*key*/, void** value) {
    unsigned long next = 0;
    if (server.defrag_cursor_get(by, &next) != ok) next = 0;
    if (next == 0) {
        if (void* const moved = server.defrag_alloc(by, *value)) *value = moved;
    }
    auto& filter = *static_cast<Value*>(*value);
    try {
        next = filter.defrag(by, next);
    } catch (const std::bad_alloc&) {
        return 0; // there is no place to move to
    }
    if (next >= (filter.*Count)()) return 0;
    server.defrag_cursor_set(by, next);
    return 1;
}

/// Objects that the server keeps: new and delete with its memory.
class server_allocated {
public:
    static void* operator new(std::size_t size) {
        return server_allocator<std::byte>().allocate(size);
    }
    static void operator delete(void* memory) noexcept { server.free(memory); }
};

} // namespace bloomery::redis_module
