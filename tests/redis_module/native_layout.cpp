// BF.RESERVE ... LAYOUT SPLIT: one cache line per item, at the requested rate.
#include <bloomery/plan/rates.hpp>

#include "exchanges.hpp"
#include "rate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace bloomery::testing {
namespace {

/// A value of a line of BF.DEBUG.
std::string part_of(const std::string& line, const std::string& name) {
    std::istringstream words(line);
    for (std::string word; words >> word;) {
        if (word.starts_with(name + ':')) return word.substr(name.size() + 1);
    }
    return "";
}

plan::shape shape_of(const std::string& line) {
    const bool is_sixteen = part_of(line, "layout") == plan::name_of(layout_kind::split_16x32);
    return {is_sixteen ? layout_kind::split_16x32 : layout_kind::split_8x64,
            std::stoull(part_of(line, "bits")),
            static_cast<std::uint32_t>(std::stoul(part_of(line, "hashes")))};
}

/// Commands of so many items each.
constexpr std::size_t batch = 1000;

std::size_t add_many(module_server& at, const std::string& key, std::size_t first,
                     std::size_t last) {
    std::size_t fresh = 0;
    for (; first < last; first += batch) {
        fresh += add_numbers(at, key, first, std::min(last, first + batch));
    }
    return fresh;
}

std::size_t count_many(module_server& at, const std::string& key, std::size_t first,
                       std::size_t last) {
    std::size_t found = 0;
    for (; first < last; first += batch) {
        found += count_numbers(at, key, first, std::min(last, first + batch));
    }
    return found;
}

constexpr std::size_t strangers = 1'000'000'000;

TEST(NativeLayout, HasTheRateFromBothSides) {
    struct point {
        std::size_t n;
        std::string rate;
        std::size_t queries;
        std::string layout;
    };
    module_server at;
    for (const point& one : std::vector<point>{{5'000, "0.2", 50'000, "split-8x64"},
                                               {20'000, "0.01", 200'000, "split-8x64"},
                                               {20'000, "0.001", 200'000, "split-8x64"},
                                               {20'000, "0.00002", 400'000, "split-16x32"}}) {
        SCOPED_TRACE(std::to_string(one.n) + " items at " + one.rate);
        at.run({"FLUSHALL"});
        at.run(
            {"BF.RESERVE", "s", one.rate, std::to_string(one.n), "NONSCALING", "LAYOUT", "SPLIT"});
        add_many(at, "s", 0, one.n);
        EXPECT_EQ(count_many(at, "s", 0, one.n), one.n);
        const std::string line = at.run({"BF.DEBUG", "s"}).texts().at(1);
        EXPECT_EQ(part_of(line, "layout"), one.layout);
        const double expected = plan::expected_rate(shape_of(line), items{one.n});
        EXPECT_LE(expected, std::stod(one.rate));
        const std::uint64_t wrong = count_many(at, "s", strangers, strangers + one.queries);
        const double noise = noise_of_blocks(one.n);
        EXPECT_GE(static_cast<double>(wrong),
                  binomial_bounds(one.queries, expected * (1 - noise)).low);
        EXPECT_LE(static_cast<double>(wrong),
                  binomial_bounds(one.queries, expected * (1 + noise)).high);
    }
}

TEST(NativeLayout, KeepsTheRateAndEveryItemAsItGrows) {
    module_server at;
    for (const std::string grows : {"EXPANSION 1", "EXPANSION 2", "EXPANSION 5"}) {
        at.run({"FLUSHALL"});
        ASSERT_EQ(at.resp2.ask("BF.RESERVE s 0.02 1000 LAYOUT SPLIT " + grows), "+OK");
        const std::size_t n = 30'000;
        const std::size_t queries = 100'000;
        const std::size_t fresh = add_many(at, "s", 0, n);
        EXPECT_EQ(fact(at, "s", "ITEMS"), static_cast<std::int64_t>(fresh));
        EXPECT_GE(fact(at, "s", "CAPACITY"), fact(at, "s", "ITEMS"));
        EXPECT_GT(fact(at, "s", "FILTERS"), 2);
        EXPECT_EQ(count_many(at, "s", 0, n), n) << grows;
        const std::uint64_t wrong = count_many(at, "s", strangers, strangers + queries);
        // All layers together have less than 0.02, the first half of it: full layers all of it.
        EXPECT_LE(static_cast<double>(wrong), binomial_bounds(queries, 0.02).high) << grows;
        EXPECT_GE(static_cast<double>(wrong), binomial_bounds(queries, 0.005).low) << grows;
        // Items that were taken for old ones are as rare.
        EXPECT_LE(static_cast<double>(n - fresh), binomial_bounds(n, 0.02).high) << grows;
    }
}

TEST(NativeLayout, GrowsAsItWasTold) {
    module_server at;
    ASSERT_EQ(at.resp2.ask("BF.RESERVE s 1e-4 100 EXPANSION 3 LAYOUT SPLIT"), "+OK");
    add_numbers(at, "s", 0, 1000);
    const auto lines = at.run({"BF.DEBUG", "s"}).texts();
    ASSERT_EQ(lines.size(), 4U);
    const std::vector<std::pair<std::string, std::string>> wanted{
        {"100", "5e-05"}, {"300", "2.5e-05"}, {"900", "1.25e-05"}};
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const std::string& line = lines[i + 1];
        EXPECT_EQ(part_of(line, "capacity"), wanted[i].first);
        EXPECT_EQ(part_of(line, "ratio"), wanted[i].second);
        EXPECT_LE(plan::expected_rate(shape_of(line), items{std::stoull(wanted[i].first)}),
                  std::stod(wanted[i].second));
        EXPECT_EQ(std::stoull(part_of(line, "bytes")) % 64, 0U) << "whole cache lines";
    }
    EXPECT_EQ(fact(at, "s", "CAPACITY"), 1300);
}

TEST(NativeLayout, LayersMayHaveDifferentLayouts) {
    module_server at;
    ASSERT_EQ(at.resp2.ask("BF.RESERVE s 0.01 100 EXPANSION 1 LAYOUT SPLIT"), "+OK");
    const std::size_t fresh = add_many(at, "s", 0, 3000);
    std::size_t eights = 0;
    std::size_t sixteens = 0;
    for (const std::string& line : at.run({"BF.DEBUG", "s"}).texts()) {
        eights += part_of(line, "layout") == "split-8x64" ? 1U : 0U;
        sixteens += part_of(line, "layout") == "split-16x32" ? 1U : 0U;
    }
    EXPECT_GT(eights, 2U);
    EXPECT_GT(sixteens, 2U);
    EXPECT_EQ(static_cast<std::int64_t>(eights + sixteens), fact(at, "s", "FILTERS"));
    EXPECT_EQ(at.resp2.ask("BF.INFO s LAYOUT"), "[\"split-8x64\"]");
    EXPECT_EQ(count_many(at, "s", 0, 3000), 3000U);
    EXPECT_EQ(at.run({"BF.CARD", "s"}).integer, static_cast<std::int64_t>(fresh));
}

TEST(NativeLayout, StrictRatesTakeAWiderHash) {
    module_server at;
    const auto hash = [&](const std::string& reserved) {
        at.run({"DEL", "s"});
        EXPECT_EQ(at.resp2.ask("BF.RESERVE s " + reserved + " LAYOUT SPLIT"), "+OK");
        EXPECT_EQ(at.resp2.ask("BF.MADD s a b"), "[:1 :1]");
        EXPECT_EQ(at.resp2.ask("BF.MEXISTS s a b c"), "[:1 :1 :0]");
        return part_of(at.run({"BF.DEBUG", "s"}).texts().at(1), "hash");
    };
    EXPECT_EQ(hash("0.01 100"), "xxh3_64");
    EXPECT_EQ(hash("1e-9 100"), "xxh3_64");
    EXPECT_EQ(hash("1e-10 100"), "xxh3_128");
    // Bits of different hashes have nothing to do with each other.
    at.run({"BF.RESERVE", "narrow", "0.01", "100", "LAYOUT", "SPLIT"});
    const std::string unlike =
        "-ERR the filters have different layouts or hashes and cannot be combined";
    EXPECT_EQ(at.resp2.ask("BF.MERGE s narrow"), unlike);
    EXPECT_EQ(at.resp2.ask("BF.MERGE narrow s"), unlike);
    EXPECT_EQ(at.resp2.ask("BF.INTERSECT s narrow"), unlike);
    EXPECT_EQ(at.resp2.ask("BF.MERGE both s"), "+OK");
    EXPECT_EQ(at.resp2.ask("BF.MEXISTS both a b c"), "[:1 :1 :0]");
}

TEST(NativeLayout, TheSmallestAndTheLargest) {
    module_server at;
    ASSERT_EQ(at.resp2.ask("BF.RESERVE s 0.25 1 LAYOUT SPLIT"), "+OK");
    EXPECT_EQ(part_of(at.run({"BF.DEBUG", "s"}).texts().at(1), "bytes"), "64");
    EXPECT_EQ(at.resp2.ask("BF.MADD s a b c d"), "[:1 :1 :1 :1]");
    EXPECT_EQ(fact(at, "s", "FILTERS"), 3);
    // Nobody touches its pages.
    ASSERT_EQ(at.resp2.ask("BF.RESERVE large 0.25 1073741824 NONSCALING LAYOUT SPLIT"), "+OK");
    EXPECT_EQ(fact(at, "large", "CAPACITY"), 1073741824);
    EXPECT_EQ(at.resp2.ask("BF.MADD large a b"), "[:1 :1]");
    EXPECT_EQ(at.resp2.ask("BF.MEXISTS large a b c"), "[:1 :1 :0]");
    EXPECT_EQ(at.resp2.ask("BF.CLEAR large"), "+OK");
    EXPECT_EQ(at.resp2.ask("BF.MEXISTS large a b c"), "[:0 :0 :0]");
}

TEST(NativeLayout, IsATypeOfItsOwn) {
    module_server at;
    at.run({"BF.RESERVE", "s", "0.01", "100", "LAYOUT", "SPLIT"});
    at.run({"BF.RESERVE", "f", "0.01", "100"});
    at.run({"BF.ADD", "default", "a"});
    EXPECT_EQ(at.resp2.ask("TYPE s"), "+bloomery-");
    EXPECT_EQ(at.resp2.ask("TYPE f"), "+MBbloom--");
    EXPECT_EQ(at.resp2.ask("TYPE default"), "+MBbloom--");
    EXPECT_EQ(at.resp2.ask("SCAN 0 COUNT 100 TYPE bloomery-"), "[\"0\" [\"s\"]]");
    // An item is in one as it is in the other, by another hash.
    for (const std::string key : {"s", "f"}) {
        EXPECT_EQ(at.resp2.ask("BF.MADD " + key + " a b a"), "[:1 :1 :0]");
        EXPECT_EQ(at.resp2.ask("BF.CARD " + key), ":2");
        EXPECT_EQ(at.resp2.ask("CF.EXISTS " + key + " a"), ":0");
        EXPECT_EQ(at.resp2.ask("CF.ADD " + key + " a"), wrong_type);
        EXPECT_EQ(at.resp2.ask("GET " + key), wrong_type);
    }
}

} // namespace
} // namespace bloomery::testing
