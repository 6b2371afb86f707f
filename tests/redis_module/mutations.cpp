// No payload of RESTORE, however invalid, crashes a server or keeps it busy.
#include "hostile.hpp"
#include "module_server.hpp"
#include "payload_mutator.hpp"
#include "sample_filters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

/// As versions of RedisBloom wrote it before they saved growth, options and bits.
std::string as_saved_before(const std::string& dumped, unsigned version) {
    saved_value value = value_in(body_of(dumped));
    std::vector<saved_field>& fields = value.fields;
    value.set_version(version);
    if (version < 4) fields.erase(fields.begin() + 3);
    if (version < 2) fields.erase(fields.begin() + 2);
    if (version == 0) { // bits follow from entries: 8 of them with 16 bits each
        fields = {saved_field::of(3),
                  saved_field::of(1),
                  saved_field::of(8),
                  saved_field::of_real(0.0005),
                  saved_field::of(12),
                  saved_field::of_real(16),
                  saved_field::of_bytes(std::string(16, '\x5a')),
                  saved_field::of(3)};
    }
    return sealed(body_of(value), dumped);
}

std::string cuckoo_as_saved_before(const std::string& dumped) {
    saved_value value = value_in(body_of(dumped));
    std::vector<saved_field> fields(value.fields.begin(), value.fields.begin() + 3);
    for (std::size_t i = 8; i < value.fields.size(); i += 2) fields.push_back(value.fields[i]);
    value.fields = fields;
    value.set_version(3);
    return sealed(body_of(value), dumped);
}

/// Dumps of filters of all kinds, small and in between, and of what older versions saved.
words sound_payloads(redis_server& at) {
    words all;
    const auto add = [&](const std::string& payload) {
        at.run({"RESTORE", "seed", "0", payload, "REPLACE"});
        all.push_back(payload);
    };
    for (const sample_filter& one : make_samples(at, false)) {
        add(at.run({"DUMP", one.key}).text);
        at.run({"DEL", one.key});
    }
    for (const words& small :
         {words{"BF.RESERVE", "s", "0.01", "3"}, words{"BF.RESERVE", "s", "0.2", "1", "NONSCALING"},
          words{"BF.RESERVE", "s", "0.01", "3", "LAYOUT", "SPLIT"},
          words{"CF.RESERVE", "s", "4", "BUCKETSIZE", "1"},
          words{"CF.RESERVE", "s", "8", "MAXITERATIONS", "500", "EXPANSION", "32768"}}) {
        at.run({"DEL", "s"});
        at.run(small);
        for (int round = 0; round < 3; ++round) {
            add(at.run({"DUMP", "s"}).text);
            at.command({small[0].substr(0, 3) + "ADD", "s", std::to_string(round)});
        }
    }
    at.run({"DEL", "s"});
    at.run({"BF.MADD", "s", "a", "b", "c"});
    for (unsigned version = 0; version < 4; ++version) {
        add(as_saved_before(at.run({"DUMP", "s"}).text, version));
    }
    at.run({"DEL", "s"});
    at.run({"CF.INSERT", "s", "CAPACITY", "50", "ITEMS", "a", "b", "c"});
    add(cuckoo_as_saved_before(at.run({"DUMP", "s"}).text));
    at.run({"DEL", "s", "seed"});
    return all;
}

/// What was taken can be saved and loaded again.
void expect_it_lasts(redis_server& at, const std::string& key) {
    const redis_value dumped = at.run({"DUMP", key});
    if (dumped.is == redis_value::type::nil) return;
    at.run({"RESTORE", "again", "0", dumped.text, "REPLACE"});
    EXPECT_EQ(digest_of(at, "again"), digest_of(at, key));
}

bool is_restore(const words& command) { return command[0] == "RESTORE"; }

TEST(ModuleMutations, NoPayloadEndsAServer) {
    constexpr std::uint64_t seed = 20'260'801;
    constexpr std::size_t batch = 100;
    const std::size_t rounds = is_sanitized() ? 100 : 1000;
    module_server at({"rdbcompression no", tells_slow_commands()}, "bf-memory-usage-limit 1000000");
    payload_mutator payloads(seed, sound_payloads(at));
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
            sent.push_back({"RESTORE", into, "0", payloads.next(), "REPLACE"});
            for (int n = 0; n < 6; ++n) sent.push_back(commands.next(into, key()));
        }
        taken += exchange_all(at, sent, is_restore, where);
        expect_it_lasts(at, key());
    }
    EXPECT_GT(taken, rounds * batch / 20);
    EXPECT_LT(taken, rounds * batch * 19 / 20);
    expect_no_slow_commands(at);
    EXPECT_LT(std::stoull(at.info("memory", "used_memory")), 200'000'000U);
    at.run({"DEBUG", "RELOAD"});
    EXPECT_GT(at.run({"DBSIZE"}).integer, 20);
}

/// Nothing is allocated for a number alone, and no loop runs as often as one says.
TEST(ModuleMutations, EveryNumberMayLie) {
    module_server at({"rdbcompression no", tells_slow_commands()});
    std::size_t taken = 0;
    for (const std::string& payload : sound_payloads(at)) {
        const saved_value sound = value_in(body_of(payload));
        std::vector<words> sent;
        for (std::size_t i = 0; i < std::min<std::size_t>(sound.fields.size(), 24); ++i) {
            if (sound.fields[i].is != saved_field::type::number) continue;
            for (const unsigned power : {8U, 16U, 31U, 32U, 40U, 62U, 63U, 64U}) {
                saved_value lie = sound;
                lie.fields[i].number = power == 64 ? 0 : std::uint64_t{1} << power;
                for (int less = 0; less < 2; ++less, --lie.fields[i].number) {
                    sent.push_back({"RESTORE", "k", "0", sealed(body_of(lie), payload), "REPLACE"});
                    for (const std::string family : {"BF.", "CF."}) {
                        sent.push_back({family + "EXISTS", "k", "item"});
                        sent.push_back({family + "ADD", "k", "item"});
                        sent.push_back({family + "INFO", "k"});
                    }
                    sent.push_back({"UNLINK", "k"});
                }
            }
        }
        taken += exchange_all(at, sent, is_restore, "numbers that lie");
    }
    EXPECT_GT(taken, 500U);
    expect_no_slow_commands(at);
    EXPECT_LT(most_resident(at), is_sanitized() ? 3'000'000U : 500'000U);
}

} // namespace
} // namespace bloomery::testing
