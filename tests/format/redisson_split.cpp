// A native file keeps the shards of a split filter, and invalid shards are refused.
#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/plan/redis.hpp>

#include "native_forgery.hpp"
#include "temporary_folder.hpp"
#include "test_paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

constexpr std::size_t at_bit_count = 32;
constexpr std::size_t at_hash_count = 40;
constexpr std::size_t at_parameters = 96;

redisson_split_filter redisson_split_sample() {
    redisson_split_filter made(plan::split_shape{5, 2003, 7}, hash::redisson_hash{},
                               design{1000, 0.01});
    for (int i = 0; i < 1000; ++i) made.insert("key " + std::to_string(i));
    return made;
}

std::vector<std::byte> redisson_split_encoded(const any_filter& source) {
    std::vector<std::byte> bytes;
    format::encode_native(
        source, [&](byte_view part) { bytes.insert(bytes.end(), part.begin(), part.end()); });
    return bytes;
}

/// The sample's file with another number in its header, and checksums that hold.
std::vector<std::byte> redisson_split_forged(std::size_t at, std::uint64_t value,
                                             unsigned width = 8) {
    std::vector<std::byte> file = redisson_split_encoded(redisson_split_sample());
    store(file, at, value, width);
    mend_header(file);
    return file;
}

TEST(RedissonSplitFile, GivesBackTheFilterThatWasWritten) {
    const any_filter found = format::decode_native(redisson_split_encoded(redisson_split_sample()));
    const auto* const split = found.get_if<redisson_split_filter>();
    ASSERT_NE(split, nullptr);
    EXPECT_EQ(*split, redisson_split_sample());
    EXPECT_EQ(split->layout().split(), (plan::split_shape{5, 2003, 7}));
    EXPECT_EQ(split->made_for(), redisson_split_sample().made_for());
}

TEST(RedissonSplitFile, IsReadByMappingAndChangedByReplacing) {
    const temporary_folder folder;
    const auto path = folder.path() / "split.bloom";
    save(redisson_split_sample(), path);
    EXPECT_TRUE(std::ranges::equal(map(path).words(), redisson_split_sample().words()));
    EXPECT_THROW((void)map(path, map_mode::read_write), unsupported);
    update(path, [](any_filter& f) { f.insert("more"); });
    EXPECT_TRUE(load(path).may_contain("more"));
    EXPECT_EQ(load(path).spec(), redisson_split_sample().spec());
}

TEST(RedissonSplitFile, RefusesShardsThatAreNotTheFilter) {
    EXPECT_EQ(format::decode_native(redisson_split_forged(at_parameters, 5)).spec(),
              redisson_split_sample().spec());
    for (const std::uint64_t shards :
         {std::uint64_t{0}, std::uint64_t{6}, std::uint64_t{10016}, ~std::uint64_t{0}}) {
        EXPECT_THROW((void)format::decode_native(redisson_split_forged(at_parameters, shards)),
                     bad_data)
            << shards;
    }
    EXPECT_THROW((void)format::decode_native(redisson_split_forged(at_parameters + 8, 1)),
                 bad_data);
    EXPECT_THROW((void)format::decode_native(redisson_split_forged(at_parameters + 56, 1)),
                 bad_data);
}

TEST(RedissonSplitFile, RefusesShapesThatNoneHas) {
    // Shards of more than 4294967294 bits, and all multiples of five that the file has no room for.
    EXPECT_THROW((void)format::decode_native(
                     redisson_split_forged(at_bit_count, 5 * (std::uint64_t{1} << 32U))),
                 bad_data);
    for (const std::uint64_t m : {std::uint64_t{0}, std::uint64_t{5}, std::uint64_t{20030}}) {
        EXPECT_THROW((void)format::decode_native(redisson_split_forged(at_bit_count, m)), error)
            << m;
    }
    EXPECT_THROW((void)format::decode_native(redisson_split_forged(at_hash_count, 0, 4)), error);
    EXPECT_THROW((void)format::decode_native(redisson_split_forged(at_hash_count, 21, 4)), error);
}

TEST(RedissonSplitFile, GoldenFileIsReadAndWrittenAgain) {
    std::ifstream file(test_data("/native/v1-redisson-split.bloom"), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const any_filter found = format::decode_native(std::as_bytes(std::span(bytes)));
    EXPECT_EQ(found.spec(), redisson_split_sample().spec());
    EXPECT_TRUE(std::ranges::equal(found.words(), redisson_split_sample().words()));
    std::vector<int> wrong;
    for (int i = 0; i < 2000; ++i) {
        if (found.may_contain("absent " + std::to_string(i))) wrong.push_back(i);
    }
    EXPECT_EQ(wrong, (std::vector<int>{49, 146, 647, 811, 899, 1069, 1301, 1726, 1759, 1953}));
    EXPECT_TRUE(std::ranges::equal(redisson_split_encoded(found), std::as_bytes(std::span(bytes))));
}

} // namespace
} // namespace bloomery::testing
