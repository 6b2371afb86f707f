// Owned words: zero at first, given back to where they came from, refused with a typed error.
#include <bloomery/storage/words.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory_resource>

namespace bloomery::storage {
namespace {

using pmr_words = heap_words<std::pmr::polymorphic_allocator<std::uint64_t>>;

/// Counts what is out, and hands out memory full of rubbish.
class counting_resource : public std::pmr::memory_resource {
public:
    std::size_t out = 0;

private:
    void* do_allocate(std::size_t size, std::size_t alignment) override {
        out += size;
        void* const block = std::pmr::new_delete_resource()->allocate(size, alignment);
        std::memset(block, 0xAB, size);
        return block;
    }
    void do_deallocate(void* block, std::size_t size, std::size_t alignment) override {
        out -= size;
        std::pmr::new_delete_resource()->deallocate(block, size, alignment);
    }
    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
        return this == &other;
    }
};

template <class Words>
bool all_zero(const Words& words) {
    return std::all_of(words.data(), words.data() + words.word_count(),
                       [](std::uint64_t w) { return w == 0; });
}

TEST(HeapWords, AreZeroAtFirst) {
    for (const std::uint64_t count : {1ULL, 7ULL, 8ULL, 1000ULL, 1ULL << 18}) {
        EXPECT_TRUE(all_zero(heap_words<>(count))) << count;
    }
    counting_resource rubbish;
    EXPECT_TRUE(all_zero(pmr_words(1000, &rubbish)));
}

TEST(HeapWords, LieOnACacheLine) {
    for (const std::uint64_t count : {1ULL, 7ULL, 1000ULL, 1ULL << 18}) {
        const heap_words<> words(count);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(words.data()) % 64, 0U) << count;
    }
}

TEST(HeapWords, CopyDeeplyAndMoveCheaply) {
    heap_words<> a(4);
    a.data()[2] = 9;
    heap_words<> copy = a;
    copy.data()[2] = 5;
    EXPECT_EQ(a.data()[2], 9U);
    const std::uint64_t* const where = a.data();
    const heap_words<> moved = std::move(a);
    EXPECT_EQ(moved.data(), where);
    copy = moved;
    EXPECT_EQ(copy.data()[2], 9U);
    copy = *&copy;
    EXPECT_EQ(copy.data()[2], 9U);
}

TEST(HeapWords, GiveBackWhatTheyTook) {
    counting_resource first;
    counting_resource second;
    {
        pmr_words a(100, &first);
        a.data()[5] = 7;
        pmr_words b(10, &second);
        b = std::move(a); // another resource: the words must be copied, not adopted
        EXPECT_EQ(b.word_count(), 100U);
        EXPECT_EQ(b.data()[5], 7U);
        EXPECT_EQ(second.out, 800U);
    }
    EXPECT_EQ(first.out, 0U);
    EXPECT_EQ(second.out, 0U);
}

TEST(HeapWords, RefuseWhatTheSystemRefuses) {
    EXPECT_THROW(heap_words<>(std::uint64_t{1} << 58), memory_refused);
    EXPECT_THROW(heap_words<>(~std::uint64_t{0}), memory_refused);
    EXPECT_THROW(pmr_words(100, std::pmr::null_memory_resource()), memory_refused);
}

TEST(HeapWords, CostNothingUntilTheyAreUsed) {
    // Four gigabytes of zero pages; writing them all would need the memory and a second.
    heap_words<> large(std::uint64_t{1} << 29);
    large.data()[large.word_count() - 1] = 1;
    EXPECT_EQ(large.data()[0], 0U);
}

} // namespace
} // namespace bloomery::storage
