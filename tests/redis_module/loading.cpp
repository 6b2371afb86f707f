// Loading the module: its arguments, and when it refuses.
#include "exchanges.hpp"
#include "test_paths.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

std::string log_of(const redis_server& of) {
    std::ifstream file(of.socket().parent_path() / "log");
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A server that loads nothing, and lets clients do so.
struct bare_server : redis_server {
    bare_server() : redis_server({.lines = {"enable-module-command yes"}}) {}

    redis_value load(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"MODULE", "LOAD", module_file()});
        return command(arguments);
    }
    /// How many modules have our name. Some servers bring modules of their own.
    int count_loaded() {
        int found = 0;
        for (const redis_value& one : run({"MODULE", "LIST"}).elements) {
            found += one.elements.at(1).text == "bf" ? 1 : 0;
        }
        return found;
    }
};

TEST(ModuleLoading, ArgumentsAreSettings) {
    module_server at({}, "bf-error-rate 0.05 bf-initial-size 500 bf-expansion-factor 3 "
                         "cf-initial-size 2048 cf-bucket-size 4 cf-max-iterations 30 "
                         "cf-expansion-factor 2 cf-max-expansions 64 bf-memory-usage-limit 100000");
    for (const exchange& one : std::vector<exchange>{{"bf-error-rate", "0.05"},
                                                     {"bf-initial-size", "500"},
                                                     {"bf-expansion-factor", "3"},
                                                     {"cf-initial-size", "2048"},
                                                     {"cf-bucket-size", "4"},
                                                     {"cf-max-iterations", "30"},
                                                     {"cf-expansion-factor", "2"},
                                                     {"cf-max-expansions", "64"},
                                                     {"bf-memory-usage-limit", "100000"}}) {
        EXPECT_EQ(config_get(at, one.asked), one.resp2) << one.asked;
    }
    at.run({"BF.ADD", "f", "a"});
    EXPECT_EQ(fact(at, "f", "CAPACITY"), 500);
    EXPECT_EQ(fact(at, "f", "EXPANSION"), 3);
    EXPECT_EQ(at.resp2.ask("BF.INFO f ERROR"), "[\"0.05\"]");
    EXPECT_EQ(at.resp2.ask("BF.RESERVE g 0.01 1000000"),
              "-ERR operation exceeds bloom object memory limit");
}

TEST(ModuleLoading, FormerNamesAndAnyCase) {
    module_server at({}, "ERROR_RATE 0.9 INITIAL_SIZE 400 CF_MAX_EXPANSIONS 16");
    EXPECT_EQ(config_get(at, "bf-error-rate"), "0.25");
    EXPECT_EQ(config_get(at, "bf-initial-size"), "400");
    EXPECT_EQ(config_get(at, "cf-max-expansions"), "16");
    module_server other({}, "error_rate 0.02 Initial_Size 7 BF-EXPANSION-FACTOR 9");
    EXPECT_EQ(config_get(other, "bf-error-rate"), "0.02");
    EXPECT_EQ(config_get(other, "bf-initial-size"), "7");
    EXPECT_EQ(config_get(other, "bf-expansion-factor"), "9");
}

TEST(ModuleLoading, LinesOfTheConfigurationAreSettingsToo) {
    std::string name;
    {
        module_server asked;
        name = setting_name(asked, "bf-initial-size");
    }
    module_server at({name + " 700"}, "bf-error-rate 0.05");
    EXPECT_EQ(config_get(at, "bf-initial-size"), "700");
    EXPECT_EQ(config_get(at, "bf-error-rate"), "0.05");
    at.run({"BF.ADD", "f", "a"});
    EXPECT_EQ(fact(at, "f", "CAPACITY"), 700);
}

TEST(ModuleLoading, RefusesBadArgumentsWithASentence) {
    const std::vector<exchange> all{
        {"SOMETHING 1", "Unrecognized option `SOMETHING`"},
        {"bf-error-rate", "Module arguments come in pairs: a name and its value"},
        {"bf-error-rate 0", "`bf-error-rate` must be in the range (0.000000, 1.000000)"},
        {"ERROR_RATE 1", "`bf-error-rate` must be in the range (0.000000, 1.000000)"},
        {"bf-error-rate x", "Invalid value for `bf-error-rate`"},
        {"bf-initial-size 0", "`bf-initial-size` must be in the range [1, 1073741824]"},
        {"INITIAL_SIZE 1073741825", "`bf-initial-size` must be in the range [1, 1073741824]"},
        {"bf-initial-size many", "Invalid value for `bf-initial-size`"},
        {"bf-expansion-factor 32769", "`bf-expansion-factor` must be in the range [0, 32768]"},
        {"cf-bucket-size 0", "`cf-bucket-size` must be in the range [1, 255]"},
        {"cf-initial-size 3", "`cf-initial-size` must be in the range [4, 1073741824]"},
        {"cf-max-iterations 65536", "`cf-max-iterations` must be in the range [1, 65535]"},
        {"cf-expansion-factor -1", "`cf-expansion-factor` must be in the range [0, 32768]"},
        {"CF_MAX_EXPANSIONS 0", "`cf-max-expansions` must be in the range [1, 65536]"},
        {"bf-memory-usage-limit -1", "bf-memory-usage-limit must be a number of bytes"},
        {"bf-memory-usage-limit lots", "bf-memory-usage-limit must be a number of bytes"},
        {"bf-initial-size 500 SOMETHING 1", "Unrecognized option `SOMETHING`"},
    };
    bare_server at;
    std::size_t logged = 0;
    for (const exchange& one : all) {
        std::vector<std::string> words{"MODULE", "LOAD", module_file()};
        std::istringstream text(one.asked);
        for (std::string word; text >> word;) words.push_back(word);
        EXPECT_TRUE(at.command(words).is_error()) << one.asked;
        const std::string log = log_of(at);
        EXPECT_NE(log.find(one.resp2, logged), std::string::npos) << one.asked << '\n' << log;
        logged = log.size();
    }
    EXPECT_EQ(at.count_loaded(), 0);
    // Nothing of them is left.
    EXPECT_FALSE(at.load({}).is_error());
    EXPECT_EQ(config_get(at, "bf-initial-size"), "100");
    EXPECT_EQ(config_get(at, "bf-error-rate"), "0.01");
    EXPECT_EQ(at.run({"BF.ADD", "f", "a"}).integer, 1);
}

TEST(ModuleLoading, AServerDoesNotStartWithBadArguments) {
    try {
        const module_server at({}, "bf-error-rate 7");
        FAIL() << "it started";
    } catch (const std::runtime_error& why) {
        const std::string log = why.what();
        EXPECT_NE(log.find("Value for `bf-error-rate` must be in the range (0.000000, 1.000000)"),
                  std::string::npos)
            << log;
    }
}

TEST(ModuleLoading, AnEmptyArgumentIsNone) {
    bare_server at;
    EXPECT_FALSE(at.load({""}).is_error());
    EXPECT_EQ(config_get(at, "bf-initial-size"), "100");
}

TEST(ModuleLoading, OnlyOnce) {
    bare_server at;
    ASSERT_FALSE(at.load({}).is_error());
    at.run({"BF.ADD", "f", "a"});
    EXPECT_TRUE(at.load({}).is_error());
    EXPECT_TRUE(at.load({"bf-initial-size", "7"}).is_error());
    EXPECT_NE(log_of(at).find("A module named bf is already loaded"), std::string::npos);
    // The first one is as it was.
    EXPECT_EQ(at.count_loaded(), 1);
    EXPECT_EQ(config_get(at, "bf-initial-size"), "100");
    EXPECT_EQ(at.run({"BF.ADD", "f", "b"}).integer, 1);
    EXPECT_EQ(at.run({"BF.CARD", "f"}).integer, 2);
    EXPECT_EQ(at.run({"BF.ADD", "g", "b"}).integer, 1);
    EXPECT_EQ(at.run({"BF.INFO", "g", "CAPACITY"}).elements.at(0).integer, 100);
}

TEST(ModuleLoading, ItsNameIsRedisBlooms) {
    bare_server at;
    EXPECT_EQ(at.count_loaded(), 0);
    ASSERT_FALSE(at.load({}).is_error());
    EXPECT_EQ(at.count_loaded(), 1);
    EXPECT_NE(at.run({"INFO", "modules"}).text.find("module:name=bf,"), std::string::npos);
    EXPECT_NE(log_of(at).find("bloomery "), std::string::npos);
}

} // namespace
} // namespace bloomery::testing
