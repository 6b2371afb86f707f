// lookup3 equals Hadoop's JenkinsHash and the values in its author's own source.
#include <bloomery/detail/hash/lookup3.hpp>

#include "manifest.hpp"
#include "vectors.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace hash = bloomery::hash;

namespace {

TEST(Lookup3, MatchesHadoop) {
    const nlohmann::json rows = manifest::case_of("hadoop", "hashes").at("rows");
    ASSERT_FALSE(rows.empty());
    for (const nlohmann::json& row : rows) {
        const auto initval = static_cast<std::uint32_t>(row[1].get<std::int32_t>());
        const auto expected = static_cast<std::uint32_t>(row[2].get<std::int32_t>());
        for (std::size_t shift = 0; shift < 8; ++shift) {
            const vectors::placed_key key(manifest::key(row[0]), shift);
            ASSERT_EQ(hash::lookup3(key.view(), initval), expected) << row;
        }
    }
}

TEST(Lookup3, MatchesTheExamplesOfItsAuthor) {
    EXPECT_EQ(hash::lookup3({}), 0xdeadbeefU);
    EXPECT_EQ(hash::lookup3({}, 0xdeadbeef), 0xbd5b7ddeU);
    const auto key = vectors::bytes("Four score and seven years ago");
    EXPECT_EQ(hash::lookup3(key, 0), 0x17770551U);
    EXPECT_EQ(hash::lookup3(key, 1), 0xcd628161U);
}

} // namespace
