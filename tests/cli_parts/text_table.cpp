// Tables: columns grow with their cells, and never run together.
#include "output/text_table.hpp"

#include <gtest/gtest.h>

#include <string>

namespace bloomery::cli {
namespace {

using enum text_table::side;

TEST(TextTable, ColumnsAreAsWideAsTheirWidestCell) {
    text_table table({{"name", left}, {"bits", right}, {"what", left}});
    table.add({"go", "8", "a filter"});
    table.add({"a long name", "18,446,744,073,709,551,615", ""});
    EXPECT_EQ(table.text(), "name                               bits  what\n"
                            "go                                    8  a filter\n"
                            "a long name  18,446,744,073,709,551,615\n");
}

TEST(TextTable, ColumnsMayHaveALeastWidthAndRowsAnIndent) {
    text_table table({{"a", left, 4}, {"b", right, 3}});
    table.add({"x"});
    EXPECT_EQ(table.text("* "), "* a       b\n"
                                "* x\n");
}

} // namespace
} // namespace bloomery::cli
