// Chunks of HBase, made again from the keys, and positions recomputed from its hashes.
#include <bloomery/detail/hash/java_murmur.hpp>
#include <bloomery/detail/hash/lookup3.hpp>
#include <bloomery/detail/hash/murmur.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>

#include "damage.hpp"
#include "peer.hpp"

#include <cstdlib>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

const foreign_format& hbase = format::foreign_format_named("hbase");

foreign_options hbase_options_of(std::uint32_t k, unsigned hash_type) {
    foreign_options options;
    options.k = hashes{k};
    options.hash_type = hash_type;
    return options;
}

/// As BloomFilterChunk does it, in Java's int; byte_count is a long there.
std::string chunk_of(const std::vector<std::string>& keys, std::size_t byte_count, std::uint32_t k,
                     std::uint32_t (*hash)(byte_view, std::uint32_t)) {
    std::string bytes(byte_count, '\0');
    for (const std::string& key : keys) {
        const std::uint32_t first = hash(view(key), 0);
        const std::uint32_t second = hash(view(key), first);
        for (std::uint32_t i = 0; i < k; ++i) {
            const auto sum = static_cast<std::int32_t>(first + i * second);
            const long place = std::labs(long{sum} % static_cast<long>(byte_count * 8));
            const auto at = static_cast<std::size_t>(place / 8);
            bytes[at] = static_cast<char>(bytes[at] | 1 << (place % 8));
        }
    }
    return bytes;
}

TEST(HBase, AChunkIsTheBitsThatTheHashesSay) {
    constexpr std::uint32_t (*functions[])(byte_view, std::uint32_t){
        [](byte_view key, std::uint32_t seed) { return hash::lookup3(key, seed); },
        [](byte_view key, std::uint32_t seed) { return hash::murmur2_32_hbase(key, seed); },
        [](byte_view key, std::uint32_t seed) { return hash::murmur3_x86_32(key, seed); }};
    std::vector<std::string> keys{"", "row", "\x80", "ab\xff", "a\xc3\xa9z"};
    for (int i = 0; i < 50; ++i) keys.push_back("row-" + std::to_string(i * i));
    for (unsigned type = 0; type < 3; ++type) {
        for (const std::size_t byte_count : {1U, 5U, 64U, 129U}) {
            const foreign_options options = hbase_options_of(5, type);
            foreign_options sized = options;
            sized.m = bits{byte_count * 8};
            any_filter mine = hbase.create(sized);
            mine.insert_many(keys);
            const std::string bytes = chunk_of(keys, byte_count, 5, functions[type]);
            EXPECT_EQ(written(mine, hbase), bytes) << type << " " << byte_count;
            const any_filter read = hbase.decode(view(bytes), options);
            EXPECT_EQ(written(read, hbase), bytes);
            EXPECT_TRUE(read.may_contain(keys[3]));
            EXPECT_EQ(read.spec(), mine.spec());
        }
    }
}

TEST(HBase, ChunksAndAnswers) {
    const peer from("hbase");
    for (const json& one : from.cases()) {
        SCOPED_TRACE(one.at("id"));
        const std::string theirs = from.file(one.at("file"));
        foreign_options options = hbase_options_of(one.at("hash_count"), one.at("hash_type"));
        if (one.at("fold_factor") == 0) { // of the size that the original computes, not folded
            foreign_options planned;
            planned.hash_type = options.hash_type;
            planned.n = items{one.at("n").get<std::uint64_t>()};
            planned.p = rate{one.at("p").get<double>()};
            const any_filter made = hbase.create(planned);
            EXPECT_EQ(made.byte_count(), (theirs.size() + 7) / 8 * 8);
            EXPECT_EQ(made.spec().shape.bit_count, theirs.size() * 8);
            EXPECT_EQ(made.spec().shape.hash_count, one.at("hash_count").get<unsigned>());
        }
        foreign_options sized = options;
        sized.m = bits{theirs.size() * 8};
        any_filter mine = hbase.create(sized);
        add_all(mine, hex_keys(one.at("keys")), nullptr);
        EXPECT_EQ(to_hex(written(mine, hbase, options)), to_hex(theirs));
        const any_filter read = hbase.decode(view(theirs), options);
        EXPECT_EQ(written(read, hbase, options), theirs);
        expect_answers(read, hex_keys(one.at("probes")), one.at("answers"));
    }
}

TEST(HBase, TheHashesAreThoseOfTheirPapers) {
    // lookup3's own examples, and MurmurHash's verification values of a key and its seed.
    EXPECT_EQ(hash::lookup3(view("Four score and seven years ago"), 0), 0x17770551U);
    EXPECT_EQ(hash::lookup3(view("Four score and seven years ago"), 1), 0xcd628161U);
    EXPECT_EQ(hash::murmur3_x86_32(view("test"), 0), 0xba6bd213U);
    EXPECT_EQ(hash::murmur3_x86_32(view("Hello, world!"), 0x9747b28c), 0x24884cbaU);
    // By hand: a tail of one byte is xored in with its sign, multiplied, and mixed.
    const auto by_hand = [](std::uint32_t tail, std::uint32_t size) {
        constexpr std::uint32_t m = 0x5bd1e995;
        std::uint32_t h = size ^ tail;
        h *= m;
        h ^= h >> 13U;
        h *= m;
        return h ^ h >> 15U;
    };
    EXPECT_EQ(hash::murmur2_32_hbase(view("a")), by_hand(0x61, 1));
    EXPECT_EQ(hash::murmur2_32_hbase(view("\x80")), by_hand(0xffffff80, 1));
    EXPECT_EQ(hash::murmur2_32_hbase(view("ab")), by_hand(0x6261, 2));
    EXPECT_EQ(hash::murmur2_32_hbase(view("abc")), by_hand(0x636261, 3));
    EXPECT_EQ(hash::murmur2_32_hbase(view("a\xff")), by_hand(0xffffff00 ^ 0x61, 2));
    EXPECT_EQ(hash::murmur2_32_hbase(view("\xfe\x81")), by_hand(0xffff8100 ^ 0xfffffffe, 2));
}

TEST(HBase, WhatTheBytesDoNotSayMustBeSaid) {
    const std::string bytes = "12345678";
    EXPECT_EQ(hbase.looks(view(bytes)), format::likeness::no);
    EXPECT_THROW((void)hbase.decode(view(bytes), {}), bad_argument);
    foreign_options only_k;
    only_k.k = hashes{3};
    EXPECT_THROW((void)hbase.decode(view(bytes), only_k), bad_argument);
    foreign_options only_type;
    only_type.hash_type = 1;
    EXPECT_THROW((void)hbase.decode(view(bytes), only_type), bad_argument);
    EXPECT_THROW((void)hbase.decode(view(bytes), hbase_options_of(3, 3)), bad_argument);
    EXPECT_THROW((void)hbase.decode(view(bytes), hbase_options_of(0, 1)), bad_argument);
    EXPECT_THROW((void)hbase.decode({}, hbase_options_of(3, 1)), bad_data);
    EXPECT_THROW((void)hbase.decode(view(bytes), hbase_options_of(65536, 1)), memory_refused);
    expect_damage_shows(bytes, hbase, hbase_options_of(3, 2));
}

TEST(HBase, SizesAsHBaseDoes) {
    foreign_options planned;
    planned.hash_type = 1;
    planned.n = items{1000};
    planned.p = rate{0.01};
    // 9586 bits are 1199 bytes; 9586 / 1000 is 9 in whole numbers, and ln 2 times that 6.24.
    const spec chosen = hbase.create(planned).spec();
    EXPECT_EQ(chosen.shape.bit_count, 1199U * 8);
    EXPECT_EQ(chosen.shape.hash_count, 7U);
    EXPECT_EQ(chosen.hash, hash::hash_id::murmur2_32_hbase);
    planned.p = rate{0.2}; // 3.35 bits per key: 3 in whole numbers, and 2.08 hashes
    EXPECT_EQ(hbase.create(planned).spec().shape.hash_count, 3U);
    planned.p = rate{0.9};
    EXPECT_THROW((void)hbase.create(planned), bad_argument);
    planned.p.reset();
    EXPECT_THROW((void)hbase.create(planned), bad_argument);
    planned.hash_type.reset();
    EXPECT_THROW((void)hbase.create(planned), bad_argument);
}

} // namespace
} // namespace bloomery::testing
