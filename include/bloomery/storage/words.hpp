// Where the bits are stored: in words that a filter owns, or in words that it borrows.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/storage/zeroed_allocator.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <utility>
#include <vector> // std::allocator_traits, without the rest of <memory>

namespace bloomery::inline v0::storage {

namespace detail {

/// Throws memory_refused for this number of words.
[[noreturn]] BLOOMERY_EXPORT void refuse_memory(std::uint64_t word_count);
/// Throws bad_argument: the call would change a filter that was moved from.
[[noreturn]] BLOOMERY_EXPORT void refuse_moved_from();
/// Throws bad_argument for an array with fewer or more words than the layout needs.
[[noreturn]] BLOOMERY_EXPORT void refuse_word_count(std::uint64_t given, std::uint64_t needed);

} // namespace detail

/// Read by filters without words: every position of a filter of size 0 is in here, whatever its
/// layout, so a query needs no check and answers "no". Never written to.
alignas(64) inline constexpr std::uint64_t no_words[64]{};

/// A fixed number of 64-bit words, all zero at first, owned through a standard allocator. After a
/// move it has no words, and its data() is `no_words`.
template <class Allocator = zeroed_allocator<std::uint64_t>>
class heap_words {
    using traits = std::allocator_traits<Allocator>;

public:
    using allocator_type = Allocator;

    /// O(n), or O(1) for large arrays with the default allocator; throws memory_refused.
    explicit heap_words(std::uint64_t count, const Allocator& allocator = {})
        : allocator_(allocator), words_(acquire(count)), count_(static_cast<std::size_t>(count)) {}

    heap_words(const heap_words& other)
        : heap_words(other.count_,
                     traits::select_on_container_copy_construction(other.allocator_)) {
        copy_from(other);
    }

    heap_words(heap_words&& other) noexcept
        : allocator_(other.allocator_), words_(std::exchange(other.words_, nothing())),
          count_(std::exchange(other.count_, 0)) {}

    heap_words& operator=(const heap_words& other) {
        if (this == &other) {
            return *this;
        }
        constexpr bool follow = traits::propagate_on_container_copy_assignment::value;
        heap_words copy(other.count_, follow ? other.allocator_ : allocator_);
        copy.copy_from(other);
        take<follow>(copy);
        return *this;
    }

    heap_words& operator=(heap_words&& other) noexcept(traits::is_always_equal::value) {
        constexpr bool follow = traits::propagate_on_container_move_assignment::value;
        if (follow || allocator_ == other.allocator_) {
            heap_words moved(std::move(other)); // frees the old words now, not with the other
            take<follow>(moved);
        } else {
            *this = std::as_const(other); // the other allocator's memory cannot be adopted
        }
        return *this;
    }

    ~heap_words() {
        if (count_ != 0) {
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

    /// Copies the words of an array of the same size.
    void copy_from(const heap_words& other) noexcept {
        if (count_ != 0) {
            std::memcpy(words_, other.words_, count_ * sizeof(std::uint64_t));
        }
    }

    [[nodiscard]] static std::uint64_t* nothing() noexcept {
        return const_cast<std::uint64_t*>(no_words); // NOLINT: there are no words to write to
    }

    std::uint64_t* acquire(std::uint64_t count) {
        if (count == 0) {
            return nothing();
        }
        try {
            if (count > std::numeric_limits<std::size_t>::max() / sizeof(std::uint64_t)) {
                throw std::bad_array_new_length();
            }
            const auto wanted = static_cast<std::size_t>(count);
            if constexpr (requires { allocator_.allocate_zeroed(wanted); }) {
                return allocator_.allocate_zeroed(wanted);
            } else {
                std::uint64_t* const words = traits::allocate(allocator_, wanted);
                std::memset(words, 0, wanted * sizeof(std::uint64_t));
                return words;
            }
        } catch (const std::bad_alloc&) {
            detail::refuse_memory(count);
        }
    }

    [[no_unique_address]] Allocator allocator_;
    std::uint64_t* words_;
    std::size_t count_;
};

/// Words that someone else owns and keeps alive, such as shared memory or a static array. Copies
/// share the words.
template <class Word>
class basic_borrowed_words {
public:
    explicit basic_borrowed_words(std::span<Word> words) noexcept : words_(words) {}

    [[nodiscard]] Word* data() noexcept { return words_.data(); }
    [[nodiscard]] const std::uint64_t* data() const noexcept { return words_.data(); }
    [[nodiscard]] std::size_t word_count() const noexcept { return words_.size(); }

private:
    std::span<Word> words_;
};

using borrowed_words = basic_borrowed_words<std::uint64_t>;
/// The same for reading: a filter over them can be queried and copied from, and has no verb that
/// changes it.
using viewed_words = basic_borrowed_words<const std::uint64_t>;

} // namespace bloomery::inline v0::storage
