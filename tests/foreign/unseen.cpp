// Memory that a file claims beyond what it contains is bounded: a damaged byte must not allocate
// gigabytes.
#include <bloomery/bloomery.hpp>
#include <bloomery/detail/filter/layered.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bloomery {
namespace {

using format::foreign_options;

/// A file of RedisBloom whose one layer is full, with another expansion in its header.
std::vector<std::byte> full_file_with_expansion(std::uint32_t expansion) {
    const format::foreign_format& redisbloom = format::foreign_format_named("redisbloom");
    any_filter made = redisbloom.create({.n = items{100}, .p = rate{0.01}});
    for (std::uint64_t key = 0; made.get_if<redisbloom_layers>()->size() < 100; ++key) {
        made.insert(std::to_string(key));
    }
    std::vector<std::byte> bytes = format::encoded(made, redisbloom);
    for (unsigned i = 0; i < 4; ++i) {
        bytes[16 + i] = static_cast<std::byte>(expansion >> (8 * i));
    }
    return bytes;
}

any_filter grown(std::uint32_t expansion, const foreign_options& options) {
    const auto bytes = full_file_with_expansion(expansion);
    any_filter found = format::foreign_format_named("redisbloom").decode(bytes, options);
    found.insert("one more than it takes");
    return found;
}

TEST(UnseenBytes, BoundTheNextLayerOfRedisBloom) {
    foreign_options options;
    EXPECT_THROW((void)grown(0x02000002, options), filter_full); // gigabytes
    options.limits.most_unseen_bytes = 1U << 20U;
    EXPECT_THROW((void)grown(65536, options), filter_full); // 9 MB
    EXPECT_NO_THROW((void)grown(2, options));
    options.limits.most_unseen_bytes = 1U << 24U;
    EXPECT_GT(grown(65536, options).byte_count(), 8'000'000U);
}

TEST(UnseenBytes, LeaveAFilterThatIsRefusedAsItWas) {
    const auto bytes = full_file_with_expansion(0x02000002);
    const format::foreign_format& redisbloom = format::foreign_format_named("redisbloom");
    any_filter found = redisbloom.decode(bytes, {});
    const std::uint64_t before = found.byte_count();
    EXPECT_THROW(found.insert("one more than it takes"), filter_full);
    EXPECT_EQ(found.byte_count(), before);
    EXPECT_EQ(format::encoded(found, redisbloom), bytes);
}

TEST(UnseenBytes, AllowOrdinaryGrowthUnderTheSmallestLimit) {
    foreign_options options;
    options.limits.most_unseen_bytes = 0;
    any_filter found = grown(2, options);
    for (std::uint64_t key = 0; key < 100'000; ++key) {
        found.insert("many " + std::to_string(key));
    }
    EXPECT_GT(found.get_if<redisbloom_layers>()->layers().size(), 8U);
}

std::vector<std::byte> empty_datasketches(std::uint32_t words) {
    const std::string head("\x03\x01\x15\x04\x05\x00\x00\x00\x29\x23\x00\x00\x00\x00\x00\x00", 16);
    std::vector<std::byte> bytes(24);
    for (std::size_t i = 0; i < head.size(); ++i) {
        bytes[i] = static_cast<std::byte>(head[i]);
    }
    for (unsigned i = 0; i < 4; ++i) {
        bytes[16 + i] = static_cast<std::byte>(words >> (8 * i));
    }
    return bytes;
}

TEST(UnseenBytes, BoundAnEmptyFilterOfDataSketches) {
    const format::foreign_format& datasketches = format::foreign_format_named("datasketches");
    const auto large = empty_datasketches((1U << 28U) - 16); // 2 GiB
    ASSERT_EQ(datasketches.looks(large), format::likeness::sure);
    try {
        (void)datasketches.decode(large, {});
        FAIL() << "takes 2 GiB from 24 bytes";
    } catch (const memory_refused& sentence) {
        EXPECT_NE(std::string(sentence.what()).find("raise that limit"), std::string::npos);
    }
    const auto small = empty_datasketches(1U << 17U); // 1 MiB
    EXPECT_EQ(datasketches.decode(small, {}).byte_count(), 1U << 20U);
    foreign_options options;
    options.limits.most_unseen_bytes = 1U << 19U;
    EXPECT_THROW((void)datasketches.decode(small, options), memory_refused);
}

TEST(UnseenBytes, BoundTheNextLayerOfANativeFile) {
    scalable_filter f(items{8}, rate{0.01},
                      scalable_options{.growth = 1'000'000, .least_items = 8});
    for (std::uint64_t key = 0; f.items_taken() < 8; ++key) {
        f.insert(key);
    }
    std::vector<std::byte> bytes;
    format::encode_native(
        f, [&](byte_view part) { bytes.insert(bytes.end(), part.begin(), part.end()); });
    format::decode_options options;
    options.limits.most_unseen_bytes = 1U << 20U;
    any_filter found = format::decode_native(bytes, options);
    const std::uint64_t before = found.byte_count();
    const auto fill = [](any_filter& into) {
        for (std::uint64_t key = 1000; key < 1100; ++key) {
            into.insert(key);
        }
    };
    EXPECT_THROW(fill(found), filter_full);
    EXPECT_EQ(found.byte_count(), before);
    any_filter trusted = format::decode_native(bytes);
    EXPECT_NO_THROW(fill(trusted));
    EXPECT_NO_THROW(while (f.layer_count() < 2) f.insert(f.items_taken() + 5000));
}

} // namespace
} // namespace bloomery
