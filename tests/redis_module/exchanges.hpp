// Commands and what a server answers to them, in tables.
#pragma once

#include "module_server.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::testing {

/// A command, as words without spaces in them, and its reply as resp_client shows it.
struct exchange {
    std::string asked;
    std::string resp2;
    std::string resp3{}; ///< empty: the same
};

/// Runs all in order: in an empty server with RESP2, and in an empty one with RESP3.
inline void expect_replies(module_server& at, const std::vector<exchange>& all) {
    at.run({"FLUSHALL"});
    for (const exchange& one : all) EXPECT_EQ(at.resp2.ask(one.asked), one.resp2) << one.asked;
    at.run({"FLUSHALL"});
    for (const exchange& one : all) {
        EXPECT_EQ(at.resp3.ask(one.asked), one.resp3.empty() ? one.resp2 : one.resp3) << one.asked;
    }
}

inline constexpr const char* wrong_type =
    "-WRONGTYPE Operation against a key holding the wrong kind of value";

inline std::string wrong_arity_of(const std::string& command) {
    return "-ERR wrong number of arguments for '" + command + "' command";
}

/// The decimal numbers of [first, last) after other words.
inline std::vector<std::string> and_numbers(std::vector<std::string> words, std::size_t first,
                                            std::size_t last) {
    for (std::size_t i = first; i < last; ++i) words.push_back(std::to_string(i));
    return words;
}

/// How often a part occurs in a reply.
inline std::size_t count_of(std::string_view part, std::string_view reply) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = reply.find(part, at)) != std::string_view::npos; ++at) ++found;
    return found;
}

/// Adds numbers; returns how many of them were new.
inline std::size_t add_numbers(module_server& at, const std::string& key, std::size_t first,
                               std::size_t last) {
    return count_of(":1", at.resp2.ask(and_numbers({"BF.MADD", key}, first, last)));
}

/// How many of the numbers a filter says it may have.
inline std::size_t count_numbers(module_server& at, const std::string& key, std::size_t first,
                                 std::size_t last) {
    return count_of(":1", at.resp2.ask(and_numbers({"BF.MEXISTS", key}, first, last)));
}

/// A fact of BF.INFO that is a number.
inline std::int64_t fact(module_server& at, const std::string& key, const std::string& field) {
    return at.run({"BF.INFO", key, field}).elements.at(0).integer;
}

/// What a setting of the module is called here: Redis 8 lets modules have names without a prefix.
inline std::string setting_name(redis_server& at, const std::string& setting) {
    return at.run({"CONFIG", "GET", setting}).elements.empty() ? "bf." + setting : setting;
}

/// CONFIG SET; the reply.
inline std::string config_set(module_server& at, const std::string& setting,
                              const std::string& to) {
    return at.resp2.ask(std::vector<std::string>{"CONFIG", "SET", setting_name(at, setting), to});
}

/// The value that CONFIG GET shows.
inline std::string config_get(redis_server& at, const std::string& setting) {
    return at.run({"CONFIG", "GET", setting_name(at, setting)}).elements.at(1).text;
}

} // namespace bloomery::testing
