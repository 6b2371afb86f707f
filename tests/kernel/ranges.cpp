// Batches that are inserted range by range set the bits that single keys set, with every kernel.
#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/detail/kernel/bulk.hpp>
#include <bloomery/detail/layout/native.hpp>
#include <bloomery/kernel/kernel.hpp>
#include <bloomery/plan/sizing.hpp>

#include "random.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace bloomery::kernel {
namespace {

constexpr std::uint64_t range_seed = 0x1234567;

constexpr layout_kind blocked_layouts[]{layout_kind::blocked_512, layout_kind::split_8x32,
                                        layout_kind::split_8x64, layout_kind::split_16x32};

layout::native layout_of(layout_kind kind, std::uint64_t blocks) {
    const plan::layout_facts& facts = plan::facts_of(kind);
    return layout::native(plan::shape{kind, blocks * facts.block_bits,
                                      facts.fixed_hashes != 0 ? facts.fixed_hashes : 7});
}

/// Keys, and what they set one by one.
struct inserted_batch {
    std::vector<std::uint64_t> keys;
    std::vector<digest128> hashed;
    std::vector<std::uint64_t> bits;

    inserted_batch(const layout::native& layout, std::size_t count) : bits(layout.word_count()) {
        testing::random_source random(count);
        for (std::size_t i = 0; i < count; ++i) {
            keys.push_back(random.next());
            hashed.push_back(widen(digest64{hash::mix64_with(keys.back(), range_seed)}));
            layout.insert(bits.data(), hashed.back());
        }
    }
};

/// Calls `test` with each kernel that this processor has.
template <class Test>
void with_each_kernel(Test test) {
    const id before = active();
    for (const id each : all) {
        if (is_usable(each)) {
            use(each);
            test(name_of(each));
        }
    }
    use(before);
}

TEST(InsertPart, SetsTheKeysOfItsBlocksAndNoOther) {
    with_each_kernel([](std::string_view name) {
        for (const layout_kind kind : blocked_layouts) {
            const std::uint64_t block_words = plan::facts_of(kind).block_bits / 64;
            for (const std::uint64_t blocks : {1U, 3U, 1009U}) {
                const layout::native layout = layout_of(kind, blocks);
                for (const std::size_t count : {0U, 1U, 9U, 1023U, 5003U}) {
                    const inserted_batch of(layout, count);
                    for (const std::size_t parts : {1U, 2U, 5U}) {
                        std::uint64_t first = 0;
                        for (std::size_t part = 0; part < parts; ++part) {
                            const std::uint64_t end =
                                first + blocks / parts + (part < blocks % parts ? 1 : 0);
                            std::vector<std::uint64_t> expected(of.bits.size());
                            for (std::uint64_t i = first * block_words; i < end * block_words;
                                 ++i) {
                                expected[i] = of.bits[i];
                            }
                            first = end;
                            std::vector<std::uint64_t> words(of.bits.size());
                            insert_part(layout.target(words.data()), of.hashed, part, parts);
                            ASSERT_EQ(words, expected) << name << " digests";
                            words.assign(words.size(), 0);
                            insert_part(layout.target(words.data()), integers{of.keys, range_seed},
                                        part, parts);
                            ASSERT_EQ(words, expected) << name << " integers";
                        }
                        ASSERT_EQ(first, blocks);
                    }
                }
            }
        }
    });
}

TEST(InsertPart, DividesWhereABlockBegins) {
    // The first and the last low word of each of three blocks: 2^64 / 3 is 0x5555555555555555.5...
    const std::vector<digest128> edges{{0, 1},
                                       {0x5555555555555555, 2},
                                       {0x5555555555555556, 3},
                                       {0xaaaaaaaaaaaaaaaa, 4},
                                       {0xaaaaaaaaaaaaaaab, 5},
                                       {0xffffffffffffffff, 6}};
    with_each_kernel([&](std::string_view name) {
        const layout::native layout = layout_of(layout_kind::split_8x64, 3);
        for (std::size_t part = 0; part < 3; ++part) {
            std::vector<std::uint64_t> expected(layout.word_count());
            layout.insert(expected.data(), edges[2 * part]);
            layout.insert(expected.data(), edges[2 * part + 1]);
            std::vector<std::uint64_t> words(layout.word_count());
            insert_part(layout.target(words.data()), edges, part, 3);
            EXPECT_EQ(words, expected) << name << " part " << part;
        }
    });
}

// Arrays of one range of the second-level cache and of several, and keys that are enough for every
// word; then the same keys again, and others.
TEST(InsertShared, SetsTheBitsOfSingleKeysInLargeBatches) {
    with_each_kernel([](std::string_view name) {
        for (const layout_kind kind : blocked_layouts) {
            for (const std::uint64_t bytes : {std::uint64_t{4096}, 2 * cache_byte_count() + 640}) {
                const layout::native layout =
                    layout_of(kind, bytes * 8 / plan::facts_of(kind).block_bits);
                const inserted_batch of(layout, layout.word_count() + 77);
                std::vector<std::uint64_t> words(of.bits.size());
                const target on = layout.target(words.data());
                insert(on, digests(of.hashed).first(of.hashed.size() / 2), access::shared);
                insert(on, of.hashed, access::shared);
                ASSERT_EQ(words, of.bits) << name << ' ' << bytes;
                insert(on, of.hashed, access::shared);
                ASSERT_EQ(words, of.bits) << name << ' ' << bytes;
                words.assign(words.size(), 0);
                insert(on, integers{of.keys, range_seed}, access::shared);
                ASSERT_EQ(words, of.bits) << name << ' ' << bytes;
            }
        }
    });
}

} // namespace
} // namespace bloomery::kernel
