// The Java ports of Murmur equal what Cassandra, Spark and Hadoop gave in a Java machine.
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/hash/java_murmur.hpp>

#include "manifest.hpp"
#include "vectors.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace hash = bloomery::hash;

namespace {

/// Calls `check(row, key)` for each row of that case, with the key at every alignment.
template <class Check>
void for_each_row(const char* peer, const char* id, Check check) {
    const nlohmann::json rows = manifest::case_of(peer, id).at("rows");
    ASSERT_FALSE(rows.empty());
    for (const nlohmann::json& row : rows) {
        for (std::size_t shift = 0; shift < 8; ++shift) {
            const vectors::placed_key key(manifest::key(row[0]), shift);
            check(row, key.view());
        }
    }
}

std::uint32_t wrapped(const nlohmann::json& number) {
    return static_cast<std::uint32_t>(number.get<std::int32_t>());
}

TEST(JavaMurmur, X64Of128BitsMatchesCassandra) {
    for_each_row("cassandra", "murmur3_cassandra", [](const nlohmann::json& row, auto key) {
        const bloomery::digest128 expected{std::stoull(row[1].get<std::string>()),
                                           std::stoull(row[2].get<std::string>())};
        ASSERT_EQ(hash::murmur3_x64_128_signed(key), expected) << row;
    });
}

TEST(JavaMurmur, X86Of32BitsMatchesSpark) {
    for_each_row("spark", "murmur3_x86_32_spark", [](const nlohmann::json& row, auto key) {
        ASSERT_EQ(hash::murmur3_x86_32_spark(key, wrapped(row[1])), wrapped(row[2])) << row;
    });
}

TEST(JavaMurmur, SparksLongsAreTheirEightBytes) {
    const nlohmann::json rows = manifest::case_of("spark", "murmur3_long").at("rows");
    ASSERT_FALSE(rows.empty());
    for (const nlohmann::json& row : rows) {
        const std::int64_t number = std::stoll(row[0].get<std::string>());
        std::array<std::byte, 8> key{};
        hash::store_le64(key.data(), static_cast<std::uint64_t>(number));
        EXPECT_EQ(hash::murmur3_x86_32_spark(key, wrapped(row[1])), wrapped(row[2])) << row;
    }
}

TEST(JavaMurmur, Murmur2MatchesHadoop) {
    for_each_row("hadoop", "hashes", [](const nlohmann::json& row, auto key) {
        ASSERT_EQ(hash::murmur2_32_hadoop(key, wrapped(row[1])), wrapped(row[3])) << row;
    });
}

TEST(JavaMurmur, EqualsTheOriginalWhereNoTailByteIsNegative) {
    using namespace std::string_view_literals;
    EXPECT_EQ(hash::murmur3_x64_128_signed(vectors::bytes("a tail of ASCII"sv), 7),
              hash::murmur3_x64_128(vectors::bytes("a tail of ASCII"sv), 7));
    EXPECT_EQ(hash::murmur2_32_hadoop(vectors::bytes("one o"sv), 7),
              hash::murmur2_32(vectors::bytes("one o"sv), 7));
    EXPECT_EQ(hash::murmur2_32_hbase(vectors::bytes("a tail of three"sv), 7),
              hash::murmur2_32(vectors::bytes("a tail of three"sv), 7));
    EXPECT_EQ(hash::murmur3_x86_32_spark(vectors::bytes("\xff\xfe\xfd\xfc"sv), 7),
              hash::murmur3_x86_32(vectors::bytes("\xff\xfe\xfd\xfc"sv), 7));
}

TEST(JavaMurmur, DiffersFromTheOriginalWhereATailByteIsNegative) {
    using namespace std::string_view_literals;
    EXPECT_NE(hash::murmur3_x64_128_signed(vectors::bytes("\x80"sv)),
              hash::murmur3_x64_128(vectors::bytes("\x80"sv)));
    EXPECT_NE(hash::murmur2_32_hadoop(vectors::bytes("\x80"sv)),
              hash::murmur2_32(vectors::bytes("\x80"sv)));
    EXPECT_NE(hash::murmur2_32_hbase(vectors::bytes("\x80"sv)),
              hash::murmur2_32(vectors::bytes("\x80"sv)));
    EXPECT_NE(hash::murmur3_x86_32_spark(vectors::bytes("\x80"sv)),
              hash::murmur3_x86_32(vectors::bytes("\x80"sv)));
}

} // namespace
