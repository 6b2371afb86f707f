// What is said about bytes that no format recognises.
#include <bloomery/error.hpp>
#include <bloomery/format/foreign.hpp>

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>

namespace bloomery::testing {
namespace {

std::string refusal_of(std::string_view text) {
    try {
        (void)format::detect_one(std::as_bytes(std::span(text)));
    } catch (const bad_data& e) {
        return e.what();
    }
    return "nothing";
}

TEST(Detection, SaysThatNothingIsThere) { EXPECT_EQ(refusal_of(""), "not a filter: it is empty"); }

TEST(Detection, ShowsTheFirstBytesOfWhatIsNotAFilter) {
    EXPECT_EQ(refusal_of("PK\x03\x04 and so on"), "not a filter (first bytes 50 4b 03 04)");
    EXPECT_EQ(refusal_of("\xfe"), "not a filter (first bytes fe)");
}

TEST(Detection, NamesTheCandidates) {
    EXPECT_EQ(refusal_of(std::string_view("\0\0\0\x07\0\0\0\x01\0\0\0\0\0\0\0\0", 16)),
              "not a bloomery filter; it may be one of: cassandra, cassandra-old, hadoop-counting");
}

} // namespace
} // namespace bloomery::testing
