// The classical hashes over UTF-16 equal what hutool 5.8.34 gave in a Java machine: lone
// surrogates, texts whose sums overflow, and lengths around every cut point included.
#include <bloomery/detail/hash/classical.hpp>
#include <bloomery/detail/hash/java.hpp>

#include "vectors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace hash = bloomery::hash;

namespace {

template <class Hash>
void expect_column(const std::string& column, const Hash& hasher) {
    const std::vector<vectors::row> rows = vectors::rows("hutool.txt");
    const vectors::row& head = rows.front();
    const auto at = static_cast<std::size_t>(std::ranges::find(head, column) - head.begin());
    ASSERT_LT(at, head.size()) << column;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const std::u16string text = vectors::text(rows[i][0]);
        ASSERT_EQ(hasher(text), std::stoll(rows[i][at])) << column << " of " << rows[i][0];
        // Over bytes the units are the same as long as the text is ASCII or Latin-1.
        if (std::ranges::all_of(text, [](char16_t c) { return c < 256; })) {
            const std::string narrow = vectors::narrow(text);
            ASSERT_EQ(hasher(narrow), hasher(text)) << column;
            ASSERT_EQ(hasher(vectors::bytes(narrow)), hasher(text)) << column;
        }
    }
}

TEST(Classical, BkdrMatchesHutool) { expect_column("bkdr", hash::bkdr); }
TEST(Classical, ApMatchesHutool) { expect_column("ap", hash::ap); }
TEST(Classical, DjbMatchesHutool) { expect_column("djb", hash::djb); }
TEST(Classical, JsMatchesHutool) { expect_column("js", hash::js); }
TEST(Classical, RsMatchesHutool) { expect_column("rs", hash::rs); }
TEST(Classical, SdbmMatchesHutool) { expect_column("sdbm", hash::sdbm); }
TEST(Classical, PjwMatchesHutool) { expect_column("pjw", hash::pjw); }
TEST(Classical, ElfMatchesHutool) { expect_column("elf", hash::elf); }
TEST(Classical, DekMatchesHutool) { expect_column("dek", hash::dek); }
TEST(Classical, HfMatchesHutool) { expect_column("hf", hash::hf); }
TEST(Classical, HfIpMatchesHutool) { expect_column("hfip", hash::hf_ip); }
TEST(Classical, TianlMatchesHutool) { expect_column("tianl", hash::tianl); }
TEST(Classical, FnvMatchesHutool) { expect_column("fnv", hash::fnv_java); }
TEST(Classical, StringHashCodeMatchesHutool) {
    expect_column("default", hash::java::string_hash_code);
}

TEST(Classical, AdditiveMatchesTheEightMultiplierFilter) {
    const std::vector<vectors::row> rows = vectors::rows("additive.txt");
    for (std::size_t column = 1; column < rows.front().size(); ++column) {
        const hash::additive hasher{static_cast<std::uint32_t>(std::stoul(rows.front()[column]))};
        for (std::size_t i = 1; i < rows.size(); ++i) {
            // The program that wrote these kept the low 30 bits.
            ASSERT_EQ(hasher(vectors::text(rows[i][0])) & 0x3fffffff, std::stol(rows[i][column]));
        }
    }
}

TEST(Classical, BytesCountAsUnsigned) {
    EXPECT_EQ(hash::bkdr("\xff"), 255);
    EXPECT_EQ(hash::bkdr("\xff"), hash::bkdr(u"\u00ff"));
    EXPECT_EQ(hash::java::string_hash_code("\x80\xff"), 128 * 31 + 255);
}

TEST(Classical, LiteralsAreHashedWithoutTheirTerminator) {
    static_assert(hash::djb("") == 5381);
    static_assert(hash::dek("") == 0);
    static_assert(hash::bkdr(u"abc") == 1677554);
}

TEST(Classical, EmbeddedNulsCount) {
    using namespace std::string_view_literals;
    EXPECT_EQ(hash::bkdr("a\0b"sv), 97 * 131 * 131 + 98);
}

} // namespace
