// Eight cells in the bytes of a bucket, for every width that a filter may have.
#include <bloomery/detail/kernel/dleft_bucket.hpp>

#include "random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace bloomery::detail {
namespace {

/// Buckets next to each other, and what should be in them.
struct row {
    dleft_bucket bucket;
    std::array<std::array<std::uint64_t, 8>, 5> cells{};
    std::vector<std::uint64_t> words;

    explicit row(dleft_bucket of) : bucket(of), words((5 * of.width() + 7) / 8) {}

    void expect_as_written() const {
        for (std::uint32_t b = 0; b < cells.size(); ++b) {
            cell_mask used = 0;
            for (std::uint32_t i = 0; i < 8; ++i) {
                ASSERT_EQ(bucket.read(words.data(), b * bucket.width(), i), cells[b][i]);
                used |= bucket.count_of(cells[b][i]) != 0 ? 1U << i : 0U;
            }
            ASSERT_EQ(bucket.used(words.data(), b * bucket.width()), used);
        }
    }
    [[nodiscard]] cell_mask matching(std::size_t b, std::uint64_t remainder) const {
        cell_mask found = 0;
        for (std::uint32_t i = 0; i < 8; ++i) {
            const bool same = bucket.remainder_of(cells[b][i]) == remainder;
            found |= same && bucket.count_of(cells[b][i]) != 0 ? 1U << i : 0U;
        }
        return found;
    }
};

TEST(DLeftBucket, HoldsWhatWasWrittenNextToOthers) {
    testing::random_source random(7);
    for (std::uint32_t remainder = 8; remainder <= 56; ++remainder) {
        for (std::uint32_t counter = 2; counter <= 8; ++counter) {
            row made(dleft_bucket(remainder, counter));
            const auto width = made.bucket.width();
            for (int turn = 0; turn < 60; ++turn) {
                const std::uint64_t number = random.next() >> (64 - width);
                const std::uint64_t b = random.below(5);
                const auto which = static_cast<std::uint32_t>(random.below(8));
                made.cells[b][which] = turn % 3 == 0 ? 0 : number;
                made.bucket.write(made.words.data(), b * width, which, made.cells[b][which]);
                made.expect_as_written();
            }
            EXPECT_EQ(made.words.back() >> 1 >> (8 * ((5 * width + 7) % 8) + 7), 0U);
        }
    }
}

TEST(DLeftBucket, FindsTheCellsOfARemainder) {
    testing::random_source random(8);
    for (std::uint32_t remainder = 8; remainder <= 56; ++remainder) {
        row made(dleft_bucket(remainder, 2));
        for (int turn = 0; turn < 400; ++turn) {
            const std::uint64_t b = random.below(5);
            const auto which = static_cast<std::uint32_t>(random.below(8));
            // Near misses: remainders that differ in one bit, and cells that are empty.
            const std::uint64_t near = std::uint64_t{1} << random.below(remainder);
            const std::uint64_t cell = made.bucket.cell(near, random.below(4));
            made.cells[b][which] = cell;
            made.bucket.write(made.words.data(), b * made.bucket.width(), which, cell);
            for (std::uint32_t bit = 0; bit < remainder; ++bit) {
                const std::uint64_t asked = std::uint64_t{1} << bit;
                const std::uint64_t at = b * made.bucket.width();
                ASSERT_EQ(made.bucket.matches(made.words.data(), at, asked),
                          made.matching(b, asked));
                if (made.matching(b, asked) != 0) {
                    ASSERT_NE(dleft_bucket::might_match(made.words.data(), at,
                                                        (asked & 255U) * every_byte),
                              0U);
                }
            }
        }
    }
}

TEST(DLeftBucket, CountsCells) {
    for (cell_mask mask = 0; mask < 256; ++mask) {
        std::uint32_t bits = 0;
        for (cell_mask left = mask; left != 0; left &= left - 1) {
            ++bits;
        }
        EXPECT_EQ(cells_in(mask), bits);
        EXPECT_EQ(gather(spread(mask) & every_byte), mask);
    }
}

} // namespace
} // namespace bloomery::detail
