// BF.LOADCHUNK and CF.LOADCHUNK accept the first piece of a dump from anyone. Whatever it claims,
// the server survives.
#include "hostile.hpp"
#include "module_server.hpp"
#include "sample_filters.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bloomery::testing {
namespace {

/// The first piece of a filter, and the command that takes it.
struct first_piece {
    std::string command;
    std::string bytes;
};

std::vector<first_piece> sound_headers(redis_server& at) {
    std::vector<first_piece> all;
    for (const sample_filter& one : make_samples(at, false)) {
        const redis_value told = at.run({one.family + ".SCANDUMP", one.key, "0"});
        all.push_back({one.family + ".LOADCHUNK", told.elements.at(1).text});
    }
    for (const words& small : {words{"BF.RESERVE", "s", "0.01", "30"},
                               words{"BF.RESERVE", "s", "0.2", "100", "LAYOUT", "SPLIT"},
                               words{"CF.RESERVE", "s", "64"}}) {
        const std::string family = small[0].substr(0, 3);
        at.run({"DEL", "s"});
        at.run(small);
        at.run({family + "ADD", "s", "a"});
        all.push_back(
            {family + "LOADCHUNK", at.run({family + "SCANDUMP", "s", "0"}).elements.at(1).text});
    }
    at.run({"FLUSHALL"});
    return all;
}

class header_mutator {
public:
    header_mutator(std::uint64_t seed, std::vector<first_piece> sound)
        : random_(seed), sound_(std::move(sound)) {}

    first_piece next() {
        // Half of them are small, where each field is hit often.
        const std::size_t small = sound_.size() - 1 - random_.below(3);
        first_piece made = sound_[random_.below(2) == 0 ? small : random_.below(sound_.size())];
        for (std::uint64_t n = 1 + random_.below(3); n > 0; --n) change(made.bytes);
        return made;
    }

private:
    void change(std::string& bytes) {
        if (bytes.empty()) return;
        const std::size_t at = random_.below(bytes.size());
        switch (random_.below(10)) {
        case 0:
            bytes.resize(at);
            break;
        case 1:
            bytes.insert(at, random_.bytes(random_.below(60)));
            break;
        case 2:
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << random_.below(8)));
            break;
        default:
            overwrite(bytes, at, std::size_t{1} << random_.below(4));
        }
    }
    /// A little-endian number of that many bytes.
    void overwrite(std::string& bytes, std::size_t at, std::size_t width) {
        constexpr std::array<std::uint64_t, 10> all{
            0, 1, 2, 255, 65'535, 1U << 20U, 1U << 31U, 0xffff'ffff, 1ULL << 40U, 1ULL << 62U};
        std::uint64_t number = random_.below(2) == 0 ? all[random_.below(all.size())]
                                                     : random_.next() >> random_.below(64);
        for (std::size_t i = at; i < at + width && i < bytes.size(); ++i, number >>= 8U) {
            bytes[i] = static_cast<char>(number);
        }
    }

    random_source random_;
    std::vector<first_piece> sound_;
};

bool is_header(const words& command) { return command.size() == 4 && command[2] == "1"; }

TEST(ModuleHeaders, NoHeaderEndsAServer) {
    constexpr std::uint64_t seed = 8'080;
    constexpr std::size_t batch = 100;
    const std::size_t rounds = is_sanitized() ? 30 : 200;
    module_server at({tells_slow_commands()}, "bf-memory-usage-limit 1000000");
    header_mutator headers(seed, sound_headers(at));
    random_commands commands(seed);
    random_source random(seed);
    const auto key = [&] { return 'k' + std::to_string(random.below(40)); };
    std::size_t taken = 0;
    for (std::size_t round = 0; round < rounds; ++round) {
        const std::string where =
            "seed " + std::to_string(seed) + ", round " + std::to_string(round);
        SCOPED_TRACE(where);
        std::vector<words> sent;
        for (std::size_t i = 0; i < batch; ++i) {
            const std::string into = key();
            const first_piece header = headers.next();
            sent.push_back({"UNLINK", into});
            sent.push_back({header.command, into, "1", header.bytes});
            for (int n = 0; n < 3; ++n) {
                const std::string bytes = random.bytes(random.below(300));
                const std::size_t end = bytes.size() + 1 + (n == 0 ? 0 : random.below(2000));
                sent.push_back({header.command, into, std::to_string(end), bytes});
                sent.push_back(commands.next(into, key()));
            }
        }
        taken += exchange_all(at, sent, is_header, where);
    }
    EXPECT_GT(taken, rounds * batch / 20);
    EXPECT_LT(taken, rounds * batch * 19 / 20);
    expect_no_slow_commands(at);
    at.run({"DEBUG", "RELOAD"});
    EXPECT_GT(at.run({"DBSIZE"}).integer, 10);
}

TEST(ModuleHeaders, WhatAHeaderPromisesTakesNoMemoryUntilItComes) {
    constexpr std::uint64_t seed = 8'081;
    constexpr std::size_t batch = 50;
    const std::size_t rounds = is_sanitized() ? 10 : 100;
    module_server at({tells_slow_commands()});
    header_mutator headers(seed, sound_headers(at));
    random_source random(seed);
    for (std::size_t round = 0; round < rounds; ++round) {
        const std::string where =
            "seed " + std::to_string(seed) + ", round " + std::to_string(round);
        SCOPED_TRACE(where);
        std::vector<words> sent;
        for (std::size_t i = 0; i < batch; ++i) {
            const first_piece header = headers.next();
            const std::string family = header.command.substr(0, 3);
            const std::string item = std::to_string(random.below(1000));
            // None of these needs to look at all of a filter.
            for (const words& command :
                 {words{header.command, "k", "1", header.bytes},
                  words{family + "EXISTS", "k", item}, words{family + "ADD", "k", item},
                  words{family + "INFO", "k"}, words{family + "SCANDUMP", "k", "0"},
                  words{header.command, "k", "200", random.bytes(100)},
                  words{"MEMORY", "USAGE", "k"}, words{"UNLINK", "k"}}) {
                sent.push_back(command);
            }
        }
        (void)exchange_all(at, sent, is_header, where);
    }
    expect_no_slow_commands(at);
    EXPECT_LT(most_resident(at), is_sanitized() ? 3'000'000U : 500'000U);
}

} // namespace
} // namespace bloomery::testing
