// What each command BF.* replies, in both protocols.
#include "module_server.hpp"

#include <gtest/gtest.h>

namespace bloomery::testing {
namespace {

TEST(BloomReplies, AddAndExists) {
    module_server at;
    EXPECT_EQ(at.resp2.ask("BF.ADD f a"), ":1");
    EXPECT_EQ(at.resp2.ask("BF.ADD f a"), ":0");
    EXPECT_EQ(at.resp3.ask("BF.ADD f b"), "#t");
    EXPECT_EQ(at.resp3.ask("BF.EXISTS f c"), "#f");
}

} // namespace
} // namespace bloomery::testing
