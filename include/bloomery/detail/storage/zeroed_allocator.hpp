// The default allocator of filters: zeroed, aligned to a cache line, and lazy when large.
#pragma once

#include <bloomery/detail/export.hpp>

#include <cstddef>
#include <limits>
#include <new>

namespace bloomery::inline v0::storage {

/// Memory of zeros at a 64-byte boundary. Large blocks come from the system as untouched zero
/// pages, so a filter of gigabytes is created instantly and uses memory only where it is written.
/// Returns nullptr if the memory is refused. O(1) for large blocks, O(n) for small ones.
[[nodiscard]] BLOOMERY_EXPORT void* acquire_zeroed(std::size_t byte_count) noexcept;

/// Frees what `acquire_zeroed` returned, with the same size.
BLOOMERY_EXPORT void release_zeroed(void* block, std::size_t byte_count) noexcept;

/// A standard allocator over these two. Containers that use `allocate_zeroed` skip their own
/// zeroing; any other standard allocator works too.
template <class T>
class zeroed_allocator {
public:
    using value_type = T;

    zeroed_allocator() noexcept = default;
    template <class U>
    // NOLINTNEXTLINE(google-explicit-constructor): as the standard requires of allocators
    zeroed_allocator(const zeroed_allocator<U>& /*other*/) noexcept {}

    [[nodiscard]] T* allocate(std::size_t count) { return allocate_zeroed(count); }

    [[nodiscard]] T* allocate_zeroed(std::size_t count) {
        if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) {
            throw std::bad_array_new_length();
        }
        void* const block = acquire_zeroed(count * sizeof(T));
        if (block == nullptr) {
            throw std::bad_alloc();
        }
        return static_cast<T*>(block);
    }

    void deallocate(T* block, std::size_t count) noexcept {
        release_zeroed(block, count * sizeof(T));
    }

    template <class U>
    friend bool operator==(const zeroed_allocator&, const zeroed_allocator<U>&) noexcept {
        return true;
    }
};

} // namespace bloomery::inline v0::storage
