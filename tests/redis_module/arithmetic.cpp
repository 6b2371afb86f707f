// RedisBloom's arithmetic, to the last bit and byte: the numbers are those of RedisBloom.
#include "exchanges.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

/// A line of BF.DEBUG.
struct layer {
    std::uint64_t bytes;
    unsigned hashes;
    std::uint64_t capacity;
    std::uint64_t size;
    std::string ratio;

    [[nodiscard]] std::string line() const {
        std::ostringstream text;
        text << "bytes:" << bytes << " bits:" << 8 * bytes << " hashes:" << hashes
             << " hashwidth:64 capacity:" << capacity << " size:" << size << " ratio:" << ratio;
        return text.str();
    }
};

struct chain {
    std::string reserved;
    std::size_t added; ///< the numbers from 0
    std::vector<layer> layers;
};

void expect_chain(module_server& at, const chain& wanted) {
    SCOPED_TRACE(wanted.reserved + ", " + std::to_string(wanted.added) + " items");
    at.run({"DEL", "f"});
    ASSERT_EQ(at.resp2.ask("BF.RESERVE f " + wanted.reserved), "+OK");
    if (wanted.added != 0) add_numbers(at, "f", 0, wanted.added);
    std::uint64_t size = 0;
    std::uint64_t capacity = 0;
    std::uint64_t bytes = 32; // of RedisBloom's own structures
    std::vector<std::string> lines{""};
    for (const layer& one : wanted.layers) {
        size += one.size;
        capacity += one.capacity;
        bytes += 64 + one.bytes;
        lines.push_back(one.line());
    }
    lines[0] = "size:" + std::to_string(size);
    EXPECT_EQ(at.run({"BF.DEBUG", "f"}).texts(), lines);
    EXPECT_EQ(at.run({"BF.CARD", "f"}).integer, static_cast<std::int64_t>(size));
    EXPECT_EQ(fact(at, "f", "ITEMS"), static_cast<std::int64_t>(size));
    EXPECT_EQ(fact(at, "f", "CAPACITY"), static_cast<std::int64_t>(capacity));
    EXPECT_EQ(fact(at, "f", "FILTERS"), static_cast<std::int64_t>(wanted.layers.size()));
    EXPECT_EQ(fact(at, "f", "SIZE"), static_cast<std::int64_t>(bytes));
    if (wanted.added != 0) {
        EXPECT_EQ(count_numbers(at, "f", 0, wanted.added), wanted.added);
    }
}

TEST(BloomArithmetic, FirstLayers) {
    module_server at;
    for (const chain& one : std::vector<chain>{
             {"0.01 100", 0, {{144, 8, 100, 0, "0.005"}}},
             {"0.01 100 NONSCALING", 0, {{120, 7, 100, 0, "0.01"}}},
             {"0.01 100 EXPANSION 0", 0, {{120, 7, 100, 0, "0.01"}}},
             {"0.001 100", 0, {{200, 11, 100, 0, "0.0005"}}},
             {"0.05 1000", 0, {{960, 6, 1000, 0, "0.025"}}},
             {"0.0001 12345 NONSCALING", 0, {{29584, 14, 12345, 0, "0.0001"}}},
             {"0.001 50000", 0, {{98880, 11, 50000, 0, "0.0005"}}},
             {"0.01 1000000", 0, {{1378472, 8, 1000000, 0, "0.005"}}},
             // The smallest.
             {"0.25 1", 0, {{8, 4, 1, 0, "0.125"}}},
             {"1e-9 1", 0, {{8, 31, 1, 0, "5e-10"}}},
             {"1e-300 10", 0, {{1800, 998, 10, 0, "5e-301"}}},
             {"1e-320 1", 0, {{192, 1065, 1, 0, "4.99994e-321"}}},
             // Rates above 0.25 are 0.25.
             {"0.24 100", 0, {{56, 4, 100, 0, "0.12"}}},
             {"0.25 100", 0, {{56, 4, 100, 0, "0.125"}}},
             {"0.2500001 100", 0, {{56, 4, 100, 0, "0.125"}}},
             {"0.999999 100", 0, {{56, 4, 100, 0, "0.125"}}},
             {"0.9 10 NONSCALING", 0, {{8, 3, 10, 0, "0.25"}}},
         }) {
        expect_chain(at, one);
    }
    // The largest. Nobody touches its pages.
    expect_chain(at, {"0.5 1073741824 NONSCALING", 2, {{387270504, 3, 1073741824, 2, "0.25"}}});
}

TEST(BloomArithmetic, GrownChains) {
    module_server at;
    for (const chain& one : std::vector<chain>{
             {"0.01 10",
              100,
              {{16, 8, 10, 10, "0.005"},
               {32, 9, 20, 20, "0.0025"},
               {72, 10, 40, 40, "0.00125"},
               {160, 11, 80, 29, "0.000625"}}},
             {"0.001 100",
              4000,
              {{200, 11, 100, 100, "0.0005"},
               {432, 12, 200, 200, "0.00025"},
               {936, 13, 400, 400, "0.000125"},
               {2016, 14, 800, 800, "6.25e-05"},
               {4320, 15, 1600, 1600, "3.125e-05"},
               {9216, 16, 3200, 897, "1.5625e-05"}}},
             {"0.01 4",
              100,
              {{8, 8, 4, 4, "0.005"},
               {16, 9, 8, 8, "0.0025"},
               {32, 10, 16, 16, "0.00125"},
               {64, 11, 32, 32, "0.000625"},
               {136, 12, 64, 36, "0.0003125"}}},
             {"0.01 4 EXPANSION 4",
              100,
              {{8, 8, 4, 4, "0.005"},
               {32, 9, 16, 16, "0.0025"},
               {112, 10, 64, 64, "0.00125"},
               {496, 11, 256, 13, "0.000625"}}},
             {"0.05 7 EXPANSION 3",
              500,
              {{8, 6, 7, 7, "0.025"},
               {24, 7, 21, 21, "0.0125"},
               {88, 8, 63, 63, "0.00625"},
               {288, 9, 189, 189, "0.003125"},
               {960, 10, 567, 189, "0.0015625"}}},
             {"0.25 10",
              1000,
              {{8, 4, 10, 10, "0.125"},
               {16, 5, 20, 20, "0.0625"},
               {40, 6, 40, 40, "0.03125"},
               {88, 7, 80, 80, "0.015625"},
               {208, 8, 160, 160, "0.0078125"},
               {464, 9, 320, 320, "0.00390625"},
               {1040, 10, 640, 213, "0.00195312"}}},
             {"0.01 2 EXPANSION 32768",
              3,
              {{8, 8, 2, 2, "0.005"}, {102160, 9, 65536, 1, "0.0025"}}},
         }) {
        expect_chain(at, one);
    }
}

TEST(BloomArithmetic, LayersThatDoNotGetLarger) {
    module_server at;
    ASSERT_EQ(at.resp2.ask("BF.RESERVE f 0.01 4 EXPANSION 1"), "+OK");
    add_numbers(at, "f", 0, 100);
    EXPECT_EQ(fact(at, "f", "FILTERS"), 23);
    EXPECT_EQ(fact(at, "f", "ITEMS"), 92);
    EXPECT_EQ(fact(at, "f", "CAPACITY"), 92);
    EXPECT_EQ(fact(at, "f", "SIZE"), 1904);
    EXPECT_EQ(at.run({"BF.DEBUG", "f"}).texts().back(),
              (layer{24, 30, 4, 4, "1.19209e-09"}).line());
}

TEST(BloomArithmetic, OneByOneOrTogetherIsTheSame) {
    module_server at;
    for (const std::string layout : {"", " LAYOUT SPLIT"}) {
        at.run({"FLUSHALL"});
        for (const char* const key : {"one", "many"}) {
            ASSERT_EQ(at.resp2.ask("BF.RESERVE " + std::string(key) + " 0.1 10" + layout), "+OK");
        }
        std::size_t fresh = 0;
        for (int i = 0; i < 700; ++i) {
            const std::string item = std::to_string(i * 7 % 500);
            fresh += at.resp2.ask("BF.ADD one " + item) == ":1" ? 1U : 0U;
        }
        std::vector<std::string> all{"BF.MADD", "many"};
        for (int i = 0; i < 700; ++i) all.push_back(std::to_string(i * 7 % 500));
        EXPECT_EQ(count_of(":1", at.resp2.ask(all)), fresh);
        const auto digests = at.run({"DEBUG", "DIGEST-VALUE", "one", "many"}).texts();
        EXPECT_EQ(digests.at(0), digests.at(1)) << layout;
    }
}

TEST(BloomArithmetic, MemoryUsageIsTheSizeAndTheKey) {
    module_server at;
    std::vector<std::int64_t> of_keys;
    for (const std::string reserved :
         {"0.05 1000", "0.001 100", "0.01 1 NONSCALING", "0.01 100000", "0.01 100 LAYOUT SPLIT"}) {
        at.run({"DEL", "bf"});
        ASSERT_EQ(at.resp2.ask("BF.RESERVE bf " + reserved), "+OK");
        for (int round = 0; round < 2; ++round) {
            of_keys.push_back(at.run({"MEMORY", "USAGE", "bf"}).integer - fact(at, "bf", "SIZE"));
            if (reserved.find("NONSCALING") == std::string::npos) add_numbers(at, "bf", 0, 5000);
        }
    }
    for (const std::int64_t one : of_keys) EXPECT_EQ(one, of_keys[0]);
    EXPECT_GT(of_keys[0], 0);
    EXPECT_LT(of_keys[0], 200);
}

} // namespace
} // namespace bloomery::testing
