// CONFIG SET and CONFIG GET of the module's settings, and what they change.
#include "exchanges.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

const std::vector<exchange> defaults{
    {"bf-error-rate", "0.01"},     {"bf-initial-size", "100"},  {"bf-expansion-factor", "2"},
    {"cf-bucket-size", "2"},       {"cf-initial-size", "1024"}, {"cf-max-iterations", "20"},
    {"cf-expansion-factor", "1"},  {"cf-max-expansions", "32"}, {"bf-memory-usage-limit", "0"},
    {"bf-max-expansions", "2048"}, {"bf-time-limit", "20"},     {"bf-merge-limit", "268435456"},
};

/// What the server says before our own sentence.
std::string refused(module_server& at, const std::string& setting, const std::string& why) {
    return "-ERR CONFIG SET failed (possibly related to argument '" + setting_name(at, setting) +
           "') - " + why;
}

TEST(ModuleSettings, HaveRedisBloomsNamesAndDefaults) {
    module_server at;
    for (const exchange& one : defaults) {
        EXPECT_EQ(config_get(at, one.asked), one.resp2) << one.asked;
    }
}

TEST(ModuleSettings, WholeNumbersInTheirRanges) {
    struct row {
        std::string setting;
        std::string least, most;
        std::string below, above;
    };
    module_server at;
    for (const row& one : std::vector<row>{
             {"bf-initial-size", "1", "1073741824", "0", "1073741825"},
             {"bf-expansion-factor", "0", "32768", "-1", "32769"},
             {"cf-bucket-size", "1", "255", "0", "256"},
             {"cf-initial-size", "510", "1073741824", "509", "1073741825"}, // 2 full buckets
             {"cf-max-iterations", "1", "65535", "0", "65536"},
             {"cf-expansion-factor", "0", "32768", "-1", "32769"},
             {"cf-max-expansions", "1", "65536", "0", "65537"},
             {"bf-max-expansions", "1", "65536", "0", "65537"},
             {"bf-time-limit", "0", "3600000", "-1", "3600001"},
         }) {
        SCOPED_TRACE(one.setting);
        const std::string range = refused(at, one.setting,
                                          "Value for `" + one.setting + "` must be in the range [" +
                                              one.least + ", " + one.most + "]");
        const std::string bad = refused(at, one.setting, "Invalid value for `" + one.setting + "`");
        for (const std::string& value : {one.least, one.most}) {
            EXPECT_EQ(config_set(at, one.setting, value), "+OK");
            EXPECT_EQ(config_get(at, one.setting), value);
        }
        for (const std::string& value : {one.below, one.above}) {
            EXPECT_EQ(config_set(at, one.setting, value), range);
        }
        for (const std::string value : {"x", "1.5", "", "18446744073709551616", "0x10"}) {
            EXPECT_EQ(config_set(at, one.setting, value), bad) << value;
        }
        EXPECT_EQ(config_get(at, one.setting), one.most) << "it stays as it was";
    }
}

TEST(ModuleSettings, BucketsAreAtMostHalfOfTheFilter) {
    module_server at;
    const auto range = [&](const std::string& setting, const std::string& of) {
        return refused(at, setting, "Value for `" + setting + "` must be in the range " + of);
    };
    EXPECT_EQ(config_set(at, "cf-initial-size", "20"), "+OK");
    EXPECT_EQ(config_set(at, "cf-bucket-size", "11"), range("cf-bucket-size", "[1, 10]"));
    EXPECT_EQ(config_set(at, "cf-bucket-size", "10"), "+OK");
    EXPECT_EQ(config_set(at, "cf-initial-size", "19"),
              range("cf-initial-size", "[20, 1073741824]"));
}

TEST(ModuleSettings, Rates) {
    module_server at;
    const std::string range = refused(
        at, "bf-error-rate", "Value for `bf-error-rate` must be in the range (0.000000, 1.000000)");
    const std::string bad = refused(at, "bf-error-rate", "Invalid value for `bf-error-rate`");
    EXPECT_EQ(config_set(at, "bf-error-rate", "0.125"), "+OK");
    for (const std::string value : {"0", "1", "-0.1", "2", "inf"}) {
        EXPECT_EQ(config_set(at, "bf-error-rate", value), range) << value;
    }
    for (const std::string value : {"x", "nan", "", "0.1 "}) {
        EXPECT_EQ(config_set(at, "bf-error-rate", value), bad) << value;
    }
    EXPECT_EQ(config_get(at, "bf-error-rate"), "0.125");
    for (const exchange& one : std::vector<exchange>{{"0.25", "0.25"},
                                                     {"0.250001", "0.25"},
                                                     {"0.999", "0.25"},
                                                     {"1e-30", "1e-30"},
                                                     {"0.0010", "0.001"}}) {
        EXPECT_EQ(config_set(at, "bf-error-rate", one.asked), "+OK") << one.asked;
        EXPECT_EQ(config_get(at, "bf-error-rate"), one.resp2) << one.asked;
    }
}

TEST(ModuleSettings, TheMemoryLimits) {
    module_server at;
    EXPECT_EQ(config_set(at, "bf-merge-limit", "1gb"), "+OK");
    EXPECT_EQ(config_get(at, "bf-merge-limit"), "1073741824");
    for (const exchange& one : std::vector<exchange>{{"1", "1"},
                                                     {"1mb", "1048576"},
                                                     {"9223372036854775807", "9223372036854775807"},
                                                     {"0", "0"}}) {
        EXPECT_EQ(config_set(at, "bf-memory-usage-limit", one.asked), "+OK") << one.asked;
        EXPECT_EQ(config_get(at, "bf-memory-usage-limit"), one.resp2) << one.asked;
    }
    for (const std::string value : {"-1", "x", "1 mb"}) {
        EXPECT_TRUE(config_set(at, "bf-memory-usage-limit", value).starts_with("-ERR CONFIG SET"))
            << value;
    }
    EXPECT_EQ(config_get(at, "bf-memory-usage-limit"), "0");
}

TEST(ModuleSettings, DecideWhatAddMakes) {
    module_server at;
    const auto made = [&](const std::string& command) {
        at.run({"DEL", "f"});
        EXPECT_NE(at.resp2.ask(command).front(), '-') << command;
        return at.run({"BF.DEBUG", "f"}).texts().at(1);
    };
    EXPECT_EQ(config_set(at, "bf-error-rate", "0.001"), "+OK");
    EXPECT_EQ(config_set(at, "bf-initial-size", "4000"), "+OK");
    EXPECT_EQ(config_set(at, "bf-expansion-factor", "5"), "+OK");
    const std::string line =
        "bytes:7912 bits:63296 hashes:11 hashwidth:64 capacity:4000 size:1 ratio:0.0005";
    for (const std::string command : {"BF.ADD f a", "BF.MADD f a", "BF.INSERT f ITEMS a"}) {
        EXPECT_EQ(made(command), line) << command;
        EXPECT_EQ(fact(at, "f", "EXPANSION"), 5) << command;
    }
    // What a command says itself comes first; the rest is configured.
    EXPECT_EQ(made("BF.INSERT f CAPACITY 100 ITEMS a"),
              "bytes:200 bits:1600 hashes:11 hashwidth:64 capacity:100 size:1 ratio:0.0005");
    EXPECT_EQ(made("BF.INSERT f ERROR 0.01 CAPACITY 100 NONSCALING ITEMS a"),
              "bytes:120 bits:960 hashes:7 hashwidth:64 capacity:100 size:1 ratio:0.01");
    EXPECT_EQ(made("BF.RESERVE f 0.01 100"),
              "bytes:144 bits:1152 hashes:8 hashwidth:64 capacity:100 size:0 ratio:0.005");
    EXPECT_EQ(fact(at, "f", "EXPANSION"), 5);
    EXPECT_EQ(made("BF.RESERVE f 0.01 100 EXPANSION 3"),
              "bytes:144 bits:1152 hashes:8 hashwidth:64 capacity:100 size:0 ratio:0.005");
    EXPECT_EQ(fact(at, "f", "EXPANSION"), 3);
}

TEST(ModuleSettings, TakesRatesAboveAQuarterAsAQuarter) {
    module_server at;
    EXPECT_EQ(config_set(at, "bf-error-rate", "0.9"), "+OK");
    EXPECT_EQ(at.resp2.ask("BF.ADD f a"), ":1");
    EXPECT_EQ(at.resp2.ask("BF.INFO f ERROR"), "[\"0.25\"]");
}

TEST(ModuleSettings, FiltersThatDoNotGrowByDefault) {
    module_server at;
    EXPECT_EQ(config_set(at, "bf-expansion-factor", "0"), "+OK");
    EXPECT_EQ(config_set(at, "bf-initial-size", "2"), "+OK");
    EXPECT_EQ(at.resp2.ask("BF.MADD f a b c"), "[:1 :1 -ERR non scaling filter is full]");
    EXPECT_EQ(at.resp2.ask("BF.RESERVE g 0.01 100"), "+OK");
    EXPECT_EQ(at.resp2.ask("BF.INSERT h ITEMS a"), "[:1]");
    for (const std::string key : {"f", "g", "h"}) {
        EXPECT_EQ(at.resp2.ask("BF.INFO " + key + " EXPANSION"), "[nil]");
        // They use the whole rate: no layer comes that would need the other half.
        EXPECT_TRUE(at.run({"BF.DEBUG", key}).texts().at(1).ends_with("ratio:0.01"));
    }
    EXPECT_EQ(at.resp2.ask("BF.INSERT i EXPANSION 3 ITEMS a"), "[:1]");
    EXPECT_EQ(at.resp2.ask("BF.RESERVE j 0.01 100 EXPANSION 4"), "+OK");
    EXPECT_EQ(fact(at, "i", "EXPANSION"), 3);
    EXPECT_EQ(fact(at, "j", "EXPANSION"), 4);
}

TEST(ModuleSettings, WhatDoesNotGrowIsTheSameEverywhere) {
    module_server at;
    const auto header = [&](const std::string& command) {
        at.run({"DEL", "f"});
        EXPECT_NE(at.resp2.ask(command).front(), '-') << command;
        return at.resp2.ask("BF.SCANDUMP f 0");
    };
    for (const std::string command :
         {"BF.RESERVE f 0.01 100 NONSCALING", "BF.INSERT f NONSCALING ITEMS a",
          "BF.INSERT f NONSCALING EXPANSION 4 ITEMS a", "BF.RESERVE f 0.01 100 EXPANSION 0"}) {
        EXPECT_EQ(config_set(at, "bf-expansion-factor", "2"), "+OK");
        const std::string usual = header(command);
        EXPECT_EQ(config_set(at, "bf-expansion-factor", "7"), "+OK");
        EXPECT_EQ(header(command), usual) << command;
    }
}

TEST(ModuleSettings, AFilterThatIsThereKeepsItsOwn) {
    module_server at;
    at.run({"BF.RESERVE", "f", "0.01", "10"});
    EXPECT_EQ(config_set(at, "bf-error-rate", "0.2"), "+OK");
    EXPECT_EQ(config_set(at, "bf-expansion-factor", "7"), "+OK");
    add_numbers(at, "f", 0, 100);
    EXPECT_EQ(at.run({"BF.DEBUG", "f"}).texts().back(),
              "bytes:160 bits:1280 hashes:11 hashwidth:64 capacity:80 size:29 ratio:0.000625");
}

TEST(ModuleSettings, AreSetTogetherOrNotAtAll) {
    module_server at;
    const std::string reply = at.resp2.ask(std::vector<std::string>{
        "CONFIG", "SET", setting_name(at, "bf-initial-size"), "500",
        setting_name(at, "bf-error-rate"), "0.1", setting_name(at, "bf-expansion-factor"), "x"});
    EXPECT_TRUE(reply.ends_with("Invalid value for `bf-expansion-factor`")) << reply;
    for (const exchange& one : defaults) {
        EXPECT_EQ(config_get(at, one.asked), one.resp2) << one.asked;
    }
    at.run({"BF.ADD", "f", "a"});
    EXPECT_EQ(fact(at, "f", "CAPACITY"), 100);
}

TEST(ModuleSettings, AreRewrittenIntoTheFile) {
    module_server at;
    EXPECT_EQ(config_set(at, "bf-error-rate", "0.2"), "+OK");
    EXPECT_EQ(config_set(at, "cf-bucket-size", "200"), "+OK");
    EXPECT_EQ(config_set(at, "cf-initial-size", "400"), "+OK");
    EXPECT_EQ(config_set(at, "bf-memory-usage-limit", "12345"), "+OK");
    at.run({"CONFIG", "REWRITE"});
    at.stop();
    at.start();
    EXPECT_EQ(config_get(at, "bf-error-rate"), "0.2");
    EXPECT_EQ(config_get(at, "cf-bucket-size"), "200");
    EXPECT_EQ(config_get(at, "cf-initial-size"), "400");
    EXPECT_EQ(config_get(at, "bf-memory-usage-limit"), "12345");
    EXPECT_EQ(config_get(at, "bf-initial-size"), "100");
}

} // namespace
} // namespace bloomery::testing
