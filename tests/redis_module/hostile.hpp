// What tests of hostile bytes have in common: commands that use whatever a server accepted, and a
// check of the server afterwards.
#pragma once

#include "pipeline.hpp"
#include "random.hpp"
#include "redis_server.hpp"
#include "sample_filters.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace bloomery::testing {

/// Whether the server carries AddressSanitizer, and so is slow.
inline bool is_sanitized() {
    return std::getenv("BLOOMERY_SERVER_PRELOAD") != nullptr; // NOLINT(concurrency-mt-unsafe)
}

/// A line of configuration: the server remembers commands that took longer than they may, a second.
inline std::string tells_slow_commands() {
    return is_sanitized() ? "slowlog-log-slower-than 10000000" : "slowlog-log-slower-than 1000000";
}
inline void expect_no_slow_commands(redis_server& at) {
    for (const redis_value& slow : at.run({"SLOWLOG", "GET", "10"}).elements) {
        ADD_FAILURE() << slow.elements.at(3).texts().at(0) << " took " << slow.elements[2].integer
                      << " microseconds";
    }
}

/// What the server wrote last, for one that ended.
inline std::string last_words(const redis_server& of) {
    std::ifstream file(of.socket().parent_path() / "log");
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    return all.substr(all.size() > 6000 ? all.size() - 6000 : 0);
}

/// Sends all and reads all replies. Returns how many commands of a kind met no error. Throws where
/// a server ended, with its log.
template <class Kind>
std::size_t exchange_all(redis_server& at, const std::vector<words>& commands, Kind is_counted,
                         const std::string& where) {
    pipeline to(at);
    std::size_t taken = 0;
    for (const words& command : commands) to.send(command);
    for (const words& command : commands) {
        const pipeline::reply told = to.next();
        if (told == pipeline::reply::none) {
            throw std::runtime_error(command[0] + " ended the server, " + where + ":\n" +
                                     last_words(at));
        }
        if (told == pipeline::reply::other && is_counted(command)) ++taken;
    }
    return taken;
}

/// The most memory that the server ever had, in KiB.
inline std::uint64_t most_resident(redis_server& at) {
    std::ifstream status("/proc/" + at.info("server", "process_id") + "/status");
    for (std::string word; status >> word;) {
        std::uint64_t kib = 0;
        if (word == "VmHWM:" && status >> kib) return kib;
    }
    throw std::runtime_error("the system does not tell how much memory a process has");
}

/// Random commands on a key, and now and then on another one.
class random_commands {
public:
    explicit random_commands(std::uint64_t seed) : random_(seed) {}

    words next(const std::string& key, const std::string& other) {
        const std::string family = random_.below(3) == 0 ? "CF" : "BF";
        switch (random_.below(16)) {
        case 0:
            return {family + ".ADD", key, item()};
        case 1:
            return many({"BF.MADD", key});
        case 2:
            return many({pick({"CF.INSERT", "CF.INSERTNX", "BF.INSERT"}), key, "ITEMS"});
        case 3:
            return many({family + ".MEXISTS", key});
        case 4:
            return {family + ".INFO", key};
        case 5:
            return {family + ".DEBUG", key};
        case 6:
            return {family + ".SCANDUMP", key, iterator()};
        case 7:
            return {family + ".LOADCHUNK", key, iterator(), random_.bytes(random_.below(99))};
        case 8:
            return {pick({"BF.MERGE", "BF.INTERSECT"}), key, other};
        case 9:
            return {"CF.DEL", key, item()};
        case 10:
            return {pick({"CF.COMPACT", "BF.CLEAR", "BF.CARD"}), key};
        case 11:
            return {pick({"CF.COUNT", "CF.ADDNX", "CF.EXISTS", "BF.EXISTS"}), key, item()};
        case 12:
            return {"DEBUG", "DIGEST-VALUE", key};
        case 13:
            return {pick({"DUMP", "UNLINK"}), key};
        case 14:
            return {"COPY", key, other, "REPLACE"};
        default:
            return {"MEMORY", "USAGE", key};
        }
    }

private:
    std::string pick(const words& from) { return from[random_.below(from.size())]; }
    std::string item() { return std::to_string(random_.below(500)); }
    std::string iterator() {
        return random_.below(4) == 0 ? pick({"0", "1", "2", "-1", "9223372036854775807"})
                                     : std::to_string(random_.below(3000));
    }
    words many(words before) {
        for (std::uint64_t n = 1 + random_.below(60); n > 0; --n) before.push_back(item());
        return before;
    }

    random_source random_;
};

} // namespace bloomery::testing
