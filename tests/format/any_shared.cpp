// Many threads, one any_filter, in memory or in a file: no insert is lost.
#include <bloomery/filter/filter.hpp>
#include <bloomery/format/file.hpp>

#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <latch>
#include <string>
#include <thread>
#include <vector>

namespace bloomery {
namespace {

constexpr std::uint64_t shared_writers = 4;
constexpr std::uint64_t shared_keys = 8000;

/// Each key is inserted by one thread, one at a time and in bulk, and asked for by it at once.
void insert_by_threads(const any_shared_view& view) {
    std::latch start(shared_writers);
    std::vector<std::jthread> all;
    for (std::uint64_t w = 0; w < shared_writers; ++w) {
        all.emplace_back([&, w] {
            std::vector<std::uint64_t> rest;
            start.arrive_and_wait();
            for (std::uint64_t key = w; key < shared_keys; key += shared_writers) {
                if (key % 3 == 0) {
                    rest.push_back(key);
                    continue;
                }
                view.insert(key);
                ASSERT_TRUE(view.may_contain(key)) << key;
                (void)view.may_contain(key * 7919); // of pages that nobody has touched yet
            }
            view.insert_many(rest);
            ASSERT_EQ(view.may_contain_many(rest).count(), rest.size());
        });
    }
}

filter filled_alone() {
    filter made(items{shared_keys}, rate{0.001});
    for (std::uint64_t key = 0; key < shared_keys; ++key) made.insert(key);
    return made;
}

TEST(AnySharedFilter, LosesNoInsertInMemory) {
    const any_filter expected = filled_alone();
    for (int round = 0; round < 5; ++round) {
        any_filter made = filter(items{shared_keys}, rate{0.001});
        ASSERT_TRUE(made.can_share());
        insert_by_threads(made.shared());
        ASSERT_TRUE(made == expected);
    }
}

TEST(AnySharedFilter, LosesNoInsertInAMappedFile) {
    const testing::temporary_folder folder;
    const std::string path = folder / "f.bloom";
    const any_filter expected = filled_alone();
    for (int round = 0; round < 5; ++round) {
        save(filter(items{shared_keys}, rate{0.001}), path);
        any_filter made = map(path, map_mode::read_write);
        ASSERT_TRUE(made.can_share());
        insert_by_threads(made.shared());
        made.sync();
        ASSERT_TRUE(made == expected);
        ASSERT_TRUE(load(path) == expected) << "sealed, and every checksum is right";
        ASSERT_TRUE(map(path) == made) << "and so a reader finds it";
    }
}

TEST(AnySharedFilter, IsNotToBeHadOfAFileForReading) {
    const testing::temporary_folder folder;
    save(filled_alone(), folder / "f.bloom");
    any_filter made = map(folder / "f.bloom");
    EXPECT_FALSE(made.can_share());
    EXPECT_THROW((void)made.shared(), unsupported);
}

} // namespace
} // namespace bloomery
