// RedisBloom's own dumps, bits and answers, in a server that has our module instead.
#include "foreign_manifest.hpp"
#include "module_server.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

using nlohmann::json;

constexpr unsigned no_scaling = 8;
/// What BF.RESERVE makes: bits are neither rounded to powers of two nor hashed in 32 bits.
constexpr unsigned made_today = 5;
/// Larger ones are taken as this.
constexpr double largest_rate = 0.25;

json all_cases() {
    return load_manifest(foreign_data() / "redisbloom" / "manifest.json").at("cases");
}

std::string header_of(const json& one) {
    return foreign_file("redisbloom", text_of(one.at("header_file")));
}
std::string bits_of(const json& one) {
    return foreign_file("redisbloom", text_of(one.at("bits_file")));
}

std::vector<std::string> words_of(const json& hex, std::vector<std::string> before) {
    for (const json& one : hex) before.push_back(from_hex(text_of(one)));
    return before;
}

std::string answers_of(redis_server& at, const json& one) {
    std::string all;
    const redis_value told = at.run(words_of(one.at("probes"), {"BF.MEXISTS", "f"}));
    for (const redis_value& answer : told.elements) all += std::to_string(answer.integer);
    return all;
}

/// Loads the pieces that RedisBloom sent, of the sizes in which it sent them.
void golden_redisbloom_load(redis_server& at, const json& one) {
    at.run({"BF.LOADCHUNK", "f", "1", header_of(one)});
    const std::string bits = bits_of(one);
    std::size_t sent = 0;
    for (const json& piece : one.at("chunks_iter_len")) {
        const auto size = piece.at(1).get<std::size_t>();
        at.run({"BF.LOADCHUNK", "f", std::to_string(piece.at(0).get<std::size_t>()),
                bits.substr(sent, size)});
        sent += size;
    }
    ASSERT_EQ(sent, bits.size());
}

void expect_dump(redis_server& at, const json& one) {
    redis_value piece = at.run({"BF.SCANDUMP", "f", "0"});
    EXPECT_EQ(to_hex(piece.elements.at(1).text), to_hex(header_of(one)));
    std::string bits;
    while (piece.elements.at(0).integer != 0) {
        piece = at.run({"BF.SCANDUMP", "f", std::to_string(piece.elements.at(0).integer)});
        bits += piece.elements.at(1).text;
    }
    EXPECT_EQ(to_hex(bits), to_hex(bits_of(one)));
}

TEST(ModuleGolden, DumpsOfRedisBloomAnswerAsTheyDidThere) {
    module_server at({"appendonly yes", "appendfsync always", "aof-use-rdb-preamble no"});
    for (const json& one : all_cases()) {
        SCOPED_TRACE(one.at("id"));
        at.run({"FLUSHALL"});
        golden_redisbloom_load(at, one);
        EXPECT_EQ(answers_of(at, one), text_of(one.at("answers")));
        EXPECT_EQ(at.run({"BF.CARD", "f"}).integer, one.at("size").get<int>());
        const std::string digest = at.run({"DEBUG", "DIGEST"}).text;
        at.run({"DEBUG", "RELOAD"});
        EXPECT_EQ(at.run({"DEBUG", "DIGEST"}).text, digest);
        at.run({"DEBUG", "LOADAOF"});
        EXPECT_EQ(at.run({"DEBUG", "DIGEST"}).text, digest);
        expect_dump(at, one);
    }
}

/// The reply of BF.ADD as RedisBloom's own function returns it.
int added(const redis_value& told) { return told.is_error() ? -2 : static_cast<int>(told.integer); }

TEST(ModuleGolden, TheSameKeysGiveTheSameBytes) {
    module_server at;
    int compared = 0;
    for (const json& one : all_cases()) {
        SCOPED_TRACE(one.at("id"));
        const auto options = one.at("options").get<unsigned>();
        const auto rate = one.at("error_rate").get<double>();
        if ((options & ~no_scaling) != made_today || rate > largest_rate) continue;
        ++compared;
        at.run({"FLUSHALL"});
        std::vector<std::string> reserve{"BF.RESERVE", "f", std::to_string(rate),
                                         std::to_string(one.at("capacity").get<int>())};
        if ((options & no_scaling) != 0) {
            reserve.emplace_back("NONSCALING");
        } else {
            reserve.insert(reserve.end(),
                           {"EXPANSION", std::to_string(one.at("growth").get<int>())});
        }
        at.run(reserve);
        const std::vector<std::string> keys = words_of(one.at("keys"), {});
        for (std::size_t i = 0; i < keys.size(); ++i) {
            EXPECT_EQ(added(at.command({"BF.ADD", "f", keys[i]})),
                      one.at("add_returned").at(i).get<int>())
                << "key " << i;
        }
        expect_dump(at, one);
        EXPECT_EQ(answers_of(at, one), text_of(one.at("answers")));
        // The same again in one command.
        at.run({"DEL", "f"});
        at.run(reserve);
        at.run(words_of(one.at("keys"), {"BF.MADD", "f"}));
        expect_dump(at, one);
    }
    EXPECT_GE(compared, 5);
}

TEST(ModuleGolden, ADumpFromThereGrowsAsItWouldHaveThere) {
    module_server at;
    for (const json& one : all_cases()) {
        const auto options = one.at("options").get<unsigned>();
        if (options != made_today || one.at("error_rate").get<double>() > largest_rate) continue;
        SCOPED_TRACE(one.at("id"));
        at.run({"FLUSHALL"});
        golden_redisbloom_load(at, one);
        at.run({"BF.RESERVE", "fresh", std::to_string(one.at("error_rate").get<double>()),
                std::to_string(one.at("capacity").get<int>()), "EXPANSION",
                std::to_string(one.at("growth").get<int>())});
        at.run(words_of(one.at("keys"), {"BF.MADD", "fresh"}));
        for (int i = 0; i < 3000; ++i) {
            const std::string item = "more-" + std::to_string(i);
            ASSERT_EQ(at.run({"BF.ADD", "f", item}).integer,
                      at.run({"BF.ADD", "fresh", item}).integer);
        }
        const auto digests = at.run({"DEBUG", "DIGEST-VALUE", "f", "fresh"}).texts();
        EXPECT_EQ(digests.at(0), digests.at(1));
    }
}

} // namespace
} // namespace bloomery::testing
