// An allocator that refuses when a test says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

namespace bloomery::testing {

/// How many more requests are served, those of nothing aside; negative: all.
inline std::int64_t requests_left = -1;

template <class T>
class failing_allocator {
public:
    using value_type = T;

    failing_allocator() noexcept = default;
    template <class U>
    failing_allocator(const failing_allocator<U>& /*other*/) noexcept {} // NOLINT

    [[nodiscard]] T* allocate(std::size_t count) {
        if (count != 0 && requests_left >= 0 && requests_left-- == 0) {
            requests_left = 0;
            throw std::bad_alloc();
        }
        return static_cast<T*>(::operator new(count * sizeof(T)));
    }
    void deallocate(T* block, std::size_t /*count*/) noexcept { ::operator delete(block); }

    friend bool operator==(failing_allocator, failing_allocator) noexcept { return true; }
};

/// Refuses all memory while it lives.
struct no_memory {
    no_memory() { requests_left = 0; }
    ~no_memory() { requests_left = -1; }
    no_memory(const no_memory&) = delete;
    no_memory& operator=(const no_memory&) = delete;
};

} // namespace bloomery::testing
