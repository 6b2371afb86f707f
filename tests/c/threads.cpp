// Each thread has the sentence of its own last failure, and many may share a filter.
#include <bloomery.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace {

TEST(CErrors, BelongToTheirThread) {
    bloomery_filter* made = nullptr;
    ASSERT_EQ(bloomery_new(0, 0.01, &made), BLOOMERY_BAD_ARGUMENT);
    const std::string here = bloomery_last_error();
    std::string before;
    std::string there;
    std::thread([&] {
        before = bloomery_last_error();
        EXPECT_EQ(bloomery_load("/no/such/file", nullptr, &made), BLOOMERY_IO_ERROR);
        there = bloomery_last_error();
    }).join();
    EXPECT_EQ(before, "");
    EXPECT_NE(there, here);
    EXPECT_EQ(bloomery_last_error(), here);
    EXPECT_EQ(bloomery_last_status(), BLOOMERY_BAD_ARGUMENT);
}

TEST(CErrors, StayAfterASuccess) {
    bloomery_filter* made = nullptr;
    ASSERT_EQ(bloomery_new(1000, 2, &made), BLOOMERY_BAD_ARGUMENT);
    ASSERT_EQ(bloomery_new(1000, 0.01, &made), BLOOMERY_OK);
    EXPECT_EQ(bloomery_last_status(), BLOOMERY_BAD_ARGUMENT);
    bloomery_close(made);
}

TEST(CQuestions, AreAskedByManyThreadsAtOnce) {
    bloomery_filter* made = nullptr;
    ASSERT_EQ(bloomery_new(1000, 0.01, &made), BLOOMERY_OK);
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t i = 0; i < 1000; ++i) numbers.push_back(i);
    const bloomery_keys keys = bloomery_keys_u64(numbers.data(), numbers.size());
    ASSERT_EQ(bloomery_insert_many(made, &keys), BLOOMERY_OK);
    std::vector<std::thread> all;
    std::vector<std::uint64_t> found(4);
    for (std::uint64_t& count : found) {
        all.emplace_back([&] {
            EXPECT_EQ(bloomery_may_contain_many(made, &keys, nullptr, &count), BLOOMERY_OK);
        });
    }
    for (std::thread& one : all) one.join();
    for (const std::uint64_t count : found) EXPECT_EQ(count, 1000U);
    bloomery_close(made);
}

// What several threads insert at once through shared handles is what one inserts.
TEST(CShared, LosesNoInsert) {
    constexpr std::uint64_t per_thread = 20'000;
    constexpr std::uint64_t thread_count = 4;
    bloomery_filter* together = nullptr;
    bloomery_filter* alone = nullptr;
    ASSERT_EQ(bloomery_new(thread_count * per_thread, 0.01, &together), BLOOMERY_OK);
    ASSERT_EQ(bloomery_new_like(together, &alone), BLOOMERY_OK);
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t i = 0; i < thread_count * per_thread; ++i) numbers.push_back(i);
    const bloomery_keys all = bloomery_keys_u64(numbers.data(), numbers.size());
    ASSERT_EQ(bloomery_insert_many(alone, &all), BLOOMERY_OK);

    bloomery_filter* shared = nullptr;
    ASSERT_EQ(bloomery_shared(together, &shared), BLOOMERY_OK);
    std::vector<std::thread> threads;
    for (std::uint64_t t = 0; t < thread_count; ++t) {
        threads.emplace_back([&, t] {
            bloomery_filter* own = nullptr; // half through a handle of its own
            ASSERT_EQ(bloomery_shared(shared, &own), BLOOMERY_OK);
            const std::uint64_t first = t * per_thread;
            bloomery_keys some = bloomery_keys_u64(numbers.data() + first, per_thread / 2);
            std::uint64_t found = 0;
            EXPECT_EQ(bloomery_insert_many(own, &some), BLOOMERY_OK);
            EXPECT_EQ(bloomery_may_contain_many(own, &some, nullptr, &found), BLOOMERY_OK);
            EXPECT_EQ(found, per_thread / 2);
            bloomery_close(own);
            for (std::uint64_t i = first + per_thread / 2; i < first + per_thread; ++i) {
                bool maybe = false;
                EXPECT_EQ(bloomery_insert_u64(shared, i), BLOOMERY_OK);
                EXPECT_EQ(bloomery_may_contain_u64(shared, i, &maybe), BLOOMERY_OK);
                EXPECT_TRUE(maybe);
            }
        });
    }
    for (std::thread& one : threads) one.join();
    bloomery_close(shared);
    bool equal = false;
    EXPECT_EQ(bloomery_equal(together, alone, &equal), BLOOMERY_OK);
    EXPECT_TRUE(equal);
    bloomery_close(together);
    bloomery_close(alone);
}

} // namespace
