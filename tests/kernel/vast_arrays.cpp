// Block numbers of 32 bits and more: the vector kernels multiply halves, and beyond those the
// scalar one is used. The system reserves the arrays, but most of their pages are never touched.
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/kernel/bulk.hpp>
#include <bloomery/detail/kernel/split_bits.hpp>
#include <bloomery/kernel/kernel.hpp>

#include "random.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <vector>

namespace bloomery::kernel {
namespace {

class vast {
public:
    explicit vast(std::uint64_t byte_count)
        : bytes_(byte_count), block_(::mmap(nullptr, byte_count, PROT_READ | PROT_WRITE,
                                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
    ~vast() {
        if (*this) ::munmap(block_, bytes_);
    }
    vast(const vast&) = delete;
    vast& operator=(const vast&) = delete;
    explicit operator bool() const { return block_ != MAP_FAILED; }
    [[nodiscard]] std::uint64_t* words() const { return static_cast<std::uint64_t*>(block_); }

private:
    std::uint64_t bytes_;
    void* block_;
};

TEST(VastArrays, HoldEveryKeyInItsBlock) {
    constexpr std::uint64_t limit = std::uint64_t{1} << 32U;
    const id before = active();
    for (const std::uint64_t blocks :
         {(limit >> 8U) + 1, limit / 2 + 7, limit - 1, limit, limit + 12'345}) {
        const vast array(blocks * 32);
        if (!array) {
            GTEST_SKIP() << "the system promises no such memory";
        }
        const target on{layout_kind::split_8x32, array.words(), blocks, 8};
        testing::random_source random(blocks);
        std::vector<digest128> keys;
        for (int i = 0; i < 300; ++i) {
            keys.push_back({random.next(), random.next()});
        }
        keys.push_back({~std::uint64_t{0}, 1}); // the last block
        keys.push_back({0, 1});                 // the first
        for (const id each : all) {
            if (!is_usable(each)) {
                continue;
            }
            use(each);
            insert(on, keys);
            for (const digest128 key : keys) {
                const std::uint64_t first = hash::fastrange(key.low, blocks) * 4;
                ASSERT_LT(first, blocks * 4);
                const auto bits = split_words<layout_kind::split_8x32>(key.high);
                for (std::size_t i = 0; i < 4; ++i) {
                    ASSERT_EQ(array.words()[first + i] & bits[i], bits[i]) << name_of(each);
                    array.words()[first + i] = 0; // so that the next kernel must set it again
                }
            }
        }
    }
    use(before);
}

} // namespace
} // namespace bloomery::kernel
