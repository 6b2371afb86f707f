// Pictures: bars, axes, and where the curve and its marks are.
#include "output/chart.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::cli {
namespace {

constexpr canvas plain{80, false, false};
constexpr canvas blocks{80, true, false};

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    return lines;
}

/// One in 10,000 at no keys, and ten times as much for every thousand: a line on this scale.
rate_curve straight() {
    rate_curve of;
    of.rate_at = [](std::uint64_t keys) {
        return std::pow(10.0, -4 + static_cast<double>(keys) / 1000);
    };
    of.made_for = chart_point{2000, 0.01};
    return of;
}

std::vector<std::string> labels_of(const std::vector<chart_tick>& ticks) {
    std::vector<std::string> labels;
    for (const chart_tick& each : ticks) labels.push_back(each.label);
    return labels;
}

TEST(Bar, IsToScaleAndSeenIfThereIsAnything) {
    EXPECT_EQ(bar(0.5, 10, plain), "#####");
    EXPECT_EQ(bar(0, 10, plain), "");
    EXPECT_EQ(bar(1e-9, 10, plain), "#");
    EXPECT_EQ(bar(7, 10, plain), "##########");
    EXPECT_EQ(bar(0.25, 10, blocks), "██▌");
    EXPECT_EQ(bar(1e-9, 10, blocks), "▏");
}

TEST(Ink, IsForCanvasesWithColours) {
    EXPECT_EQ(inked("x", ink::red, plain), "x");
    EXPECT_EQ(inked("x", ink::red, canvas{80, false, true}), "\x1b[31mx\x1b[0m");
    EXPECT_EQ(inked("x", ink::plain, canvas{80, false, true}), "x");
}

TEST(Chart, ReachesToTwiceTheKeysAndTwoDecadesBelowTheRate) {
    const chart of = chart_of(straight());
    EXPECT_EQ(of.most_keys, 4000);
    EXPECT_EQ(of.least_decade, -4);
    EXPECT_EQ(of.up(1), 1);
    EXPECT_DOUBLE_EQ(of.up(0.01), 0.5);
    EXPECT_LT(of.up(1e-5), 0);
    EXPECT_LT(of.up(0), 0);
    EXPECT_EQ(labels_of(key_ticks(of)), (std::vector<std::string>{"0", "1k", "2k", "3k", "4k"}));
    EXPECT_EQ(labels_of(rate_ticks(of)),
              (std::vector<std::string>{"100 %", "10 %", "1 %", "0.1 %", "0.01 %"}));
}

TEST(Chart, HasRoomForWhatIsInNow) {
    rate_curve of = straight();
    of.now = chart_point{10'000, 1};
    EXPECT_EQ(chart_of(of).most_keys, 12'500);
    of.now = chart_point{10, 1e-6}; // its rate is shown too
    EXPECT_EQ(chart_of(of).least_decade, -6);
    of.now = chart_point{1, 1e-300}; // but not for the price of all others
    EXPECT_EQ(chart_of(of).least_decade, -8);
}

TEST(Chart, FindsAnEndWhereNobodySaysHowManyKeys) {
    rate_curve of = straight();
    of.made_for.reset();
    EXPECT_EQ(chart_of(of).most_keys, 4096); // the rate is above a half
    EXPECT_TRUE(chart_of(of).marks.empty());
}

TEST(ChartText, PutsTheMarkWhereItBelongs) {
    const std::vector<std::string> lines = lines_of(drawn_as_text(chart_of(straight()), plain));
    ASSERT_EQ(lines.size(), 2 + 13 + 2 + 1U);
    // A straight line from the lower left to the upper right corner, and the mark in its middle.
    EXPECT_EQ(lines[2].substr(0, 9), "  100 % |");
    EXPECT_EQ(lines[2].find_last_of('*'), 9 + 69U);
    EXPECT_EQ(lines[8].substr(0, 9), "    1 % |");
    EXPECT_EQ(lines[8].find('o'), 9 + 35U);
    EXPECT_EQ(lines[14].substr(0, 9), " 0.01 % |");
    EXPECT_EQ(lines[14].find('*'), 9 + 1U); // from the first key on
    EXPECT_EQ(lines[15].size(), 79U);
    EXPECT_EQ(lines[17], "        o made for 2,000 keys: 1.000 %");
}

TEST(ChartText, FitsTheCanvas) {
    for (const std::size_t columns : {30U, 31U, 60U, 200U}) {
        for (const std::string& line :
             lines_of(drawn_as_text(chart_of(straight()), {columns, false, false}))) {
            if (line.find("keys") == std::string::npos) {
                EXPECT_LT(line.size(), columns) << line;
            }
            EXPECT_FALSE(line.ends_with(' ')) << line;
        }
    }
}

TEST(ChartSvg, KeepsTextFromBecomingMarkup) {
    rate_curve of = straight();
    of.subtitle = "a<b & c>d";
    const std::string svg = drawn_as_svg(chart_of(of));
    EXPECT_NE(svg.find("a&lt;b &amp; c&gt;d"), std::string::npos);
    EXPECT_TRUE(svg.starts_with("<svg "));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_NE(svg.find("cx=\"382.0\" cy=\"210.0\""), std::string::npos) << "the middle";
}

} // namespace
} // namespace bloomery::cli
