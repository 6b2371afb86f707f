// Where the bits live: words that a filter owns, or words that it borrows.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/storage/zeroed_allocator.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>

namespace bloomery::storage {

/// A fixed number of 64-bit words, all zero at first, owned through a standard allocator.
template <class Allocator = zeroed_allocator<std::uint64_t>>
class heap_words {
    using traits = std::allocator_traits<Allocator>;

public:
    using allocator_type = Allocator;

    /// O(n), O(1) for large arrays of the default allocator; throws memory_refused.
    explicit heap_words(std::uint64_t count, const Allocator& allocator = {})
        : allocator_(allocator), words_(acquire(count)), count_(static_cast<std::size_t>(count)) {}

    heap_words(const heap_words& other)
        : heap_words(other.count_,
                     traits::select_on_container_copy_construction(other.allocator_)) {
        std::copy_n(other.words_, count_, words_);
    }

    heap_words(heap_words&& other) noexcept
        : allocator_(other.allocator_), words_(std::exchange(other.words_, nullptr)),
          count_(std::exchange(other.count_, 0)) {}

    heap_words& operator=(const heap_words& other) {
        if (this == &other) {
            return *this;
        }
        constexpr bool follow = traits::propagate_on_container_copy_assignment::value;
        heap_words copy(other.count_, follow ? other.allocator_ : allocator_);
        std::copy_n(other.words_, other.count_, copy.words_);
        take<follow>(copy);
        return *this;
    }

    heap_words& operator=(heap_words&& other) noexcept(traits::is_always_equal::value) {
        constexpr bool follow = traits::propagate_on_container_move_assignment::value;
        if (follow || allocator_ == other.allocator_) {
            take<follow>(other);
        } else {
            *this = std::as_const(other); // another arena's memory cannot be adopted
        }
        return *this;
    }

    ~heap_words() {
        if (words_ != nullptr) {
            traits::deallocate(allocator_, words_, count_);
        }
    }

    [[nodiscard]] std::uint64_t* data() noexcept { return words_; }
    [[nodiscard]] const std::uint64_t* data() const noexcept { return words_; }
    [[nodiscard]] std::size_t word_count() const noexcept { return count_; }
    [[nodiscard]] Allocator get_allocator() const { return allocator_; }

private:
    template <bool WithAllocator>
    void take(heap_words& other) noexcept {
        if constexpr (WithAllocator) {
            std::swap(allocator_, other.allocator_);
        }
        std::swap(words_, other.words_);
        std::swap(count_, other.count_);
    }

    std::uint64_t* acquire(std::uint64_t count) {
        try {
            if (count > std::numeric_limits<std::size_t>::max() / sizeof(std::uint64_t)) {
                throw std::bad_array_new_length();
            }
            const auto wanted = static_cast<std::size_t>(count);
            if constexpr (requires { allocator_.allocate_zeroed(wanted); }) {
                return allocator_.allocate_zeroed(wanted);
            } else {
                std::uint64_t* const words = traits::allocate(allocator_, wanted);
                std::fill_n(words, wanted, std::uint64_t{0});
                return words;
            }
        } catch (const std::bad_alloc&) {
            throw memory_refused("the system refuses the memory for a filter of " +
                                 std::to_string(count) +
                                 " 64-bit words; plan a smaller one or free some memory");
        }
    }

    [[no_unique_address]] Allocator allocator_;
    std::uint64_t* words_;
    std::size_t count_;
};

/// Words that somebody else owns and keeps alive: a shared segment, an array at hand. Copies share.
class borrowed_words {
public:
    explicit borrowed_words(std::span<std::uint64_t> words) noexcept : words_(words) {}

    [[nodiscard]] std::uint64_t* data() noexcept { return words_.data(); }
    [[nodiscard]] const std::uint64_t* data() const noexcept { return words_.data(); }
    [[nodiscard]] std::size_t word_count() const noexcept { return words_.size(); }

private:
    std::span<std::uint64_t> words_;
};

} // namespace bloomery::storage
