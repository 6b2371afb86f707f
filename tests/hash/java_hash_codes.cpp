// Java's own hash codes; the values were printed by OpenJDK 17.
#include <bloomery/detail/hash/java.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace java = bloomery::hash::java;

namespace {

TEST(JavaHashCode, OfStrings) {
    using namespace std::string_view_literals;
    EXPECT_EQ(java::string_hash_code(u""), 0);
    EXPECT_EQ(java::string_hash_code(u"hello"), 99162322);
    EXPECT_EQ(java::string_hash_code(u"hello world"), 1794106052);
    EXPECT_EQ(java::string_hash_code(u"polygenelubricants"),
              std::numeric_limits<std::int32_t>::min());
    EXPECT_EQ(java::string_hash_code(u"\0\0"sv), 0);
    EXPECT_EQ(java::string_hash_code(u"\u5f20\u5b66\u53cb"), 24149061);
    EXPECT_EQ(java::string_hash_code(u"\U0001f600"), 1772899);
}

TEST(JavaHashCode, OfIntegersIsTheValue) {
    EXPECT_EQ(java::hash_code(std::int32_t{-7}), -7);
    EXPECT_EQ(java::hash_code(std::int32_t{666}), 666);
}

TEST(JavaHashCode, OfLongsFoldsTheHalves) {
    EXPECT_EQ(java::hash_code(std::int64_t{0}), 0);
    EXPECT_EQ(java::hash_code(std::int64_t{-1}), 0);
    EXPECT_EQ(java::hash_code(std::int64_t{666}), 666);
    EXPECT_EQ(java::hash_code(std::int64_t{1} << 32), 1);
    EXPECT_EQ(java::hash_code(-(std::int64_t{1} << 32)), -1);
    EXPECT_EQ(java::hash_code(std::numeric_limits<std::int64_t>::min()), -2147483647 - 1);
    EXPECT_EQ(java::hash_code(std::numeric_limits<std::int64_t>::max()), -2147483647 - 1);
    EXPECT_EQ(java::hash_code(std::int64_t{0x123456789abcdef0}), -2004318072);
}

TEST(JavaSpread, ShiftsWithoutTheSign) {
    EXPECT_EQ(java::spread(0), 0);
    EXPECT_EQ(java::spread(1), 1);
    EXPECT_EQ(java::spread(-1), -65536);
    EXPECT_EQ(java::spread(65536), 65537);
    EXPECT_EQ(java::spread(std::numeric_limits<std::int32_t>::min()), -2147450880);
    EXPECT_EQ(java::spread(0x12345678), 305415244);
    EXPECT_EQ(java::spread(-1985229329), -1985264572);
}

} // namespace
