// How long any command keeps a server, whatever a client sends: a measurement, by SLOWLOG. It
// prints a table, the one in docs/redis-module.md. The limits themselves are tested in
// limits_of_time.cpp; here, only what no busy machine explains fails.
#include "headers.hpp"
#include "hostile.hpp"
#include "module_server.hpp"
#include "random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

constexpr std::int64_t most_microseconds = 1'000'000;

/// Random commands as an attacker would choose them: the largest filters that a few bytes make, the
/// most costly items, and what works on whole filters.
class attacks {
public:
    explicit attacks(std::uint64_t seed) : random_(seed) {}

    words next() {
        switch (random_.below(8)) {
        case 0:
            return header();
        case 1:
            return reservation();
        case 2:
        case 3:
            return piece();
        case 4:
            return on_whole();
        case 5:
            return on_one_item();
        default:
            return on_items();
        }
    }

private:
    std::uint64_t power(std::uint64_t most) { return std::uint64_t{1} << random_.below(most); }
    std::string pick(const words& from) { return from[random_.below(from.size())]; }
    std::string key(const std::string& family) { return family + std::to_string(random_.below(6)); }
    std::string item() {
        return std::to_string(random_.below(2) == 0 ? random_.below(50) : random_.next());
    }

    words header() {
        if (random_.below(2) == 0) {
            const std::uint64_t layers = random_.below(3) == 0 ? 2048 : 1 + random_.below(5000);
            return {"BF.LOADCHUNK", key("BF"), "1",
                    costly_bloom_header(layers, 8 * (1 + random_.below(200)))};
        }
        return {"CF.LOADCHUNK", key("CF"), "1",
                cuckoo_header({.buckets = power(34),
                               .deletes = random_.below(2),
                               .filters = random_.below(2) == 0 ? 1 + random_.below(2000)
                                                                : 1 + random_.below(4),
                               .bucket_size = static_cast<std::uint16_t>(1 + random_.below(255)),
                               .iterations = static_cast<std::uint16_t>(power(16)),
                               .expansion = static_cast<std::uint16_t>(power(3))})};
    }
    words reservation() {
        const std::string capacity = std::to_string(power(31));
        switch (random_.below(3)) {
        case 0:
            return {"BF.RESERVE", key("BF"),   pick({"0.2", "0.01", "1e-9", "1e-300"}),
                    capacity,     "EXPANSION", pick({"1", "2", "32768"})};
        case 1:
            return {"BF.RESERVE", key("BF"), "0.01",      capacity,
                    "LAYOUT",     "SPLIT",   "EXPANSION", pick({"1", "2", "32768"})};
        default:
            return {"CF.RESERVE",
                    key("CF"),
                    capacity,
                    "BUCKETSIZE",
                    pick({"1", "2", "255"}),
                    "MAXITERATIONS",
                    "65535",
                    "EXPANSION",
                    pick({"0", "1", "2", "32768"})};
        }
    }
    /// Mostly ones: full buckets, and bits that deny late.
    words piece() {
        std::string bytes(1 + random_.below(60'000), random_.below(3) == 0 ? '\x7f' : '\xff');
        if (random_.below(4) == 0) bytes = random_.bytes(bytes.size());
        const std::string family = pick({"BF", "CF"});
        return {family + ".LOADCHUNK", key(family),
                std::to_string(1 + bytes.size() + random_.below(random_.below(2) == 0 ? 9 : 99999)),
                bytes};
    }
    words on_items() {
        const std::string family = pick({"BF", "CF"});
        words made = family == "BF" ? words{pick({"BF.MADD", "BF.MEXISTS"}), key("BF")}
                                    : words{"CF.MEXISTS", key("CF")};
        if (family == "CF" && random_.below(3) != 0) {
            made = {pick({"CF.INSERT", "CF.INSERTNX"}), key("CF"), "ITEMS"};
        }
        const bool same = random_.below(4) == 0;
        for (std::uint64_t n = 1 + random_.below(1000); n > 0; --n) {
            made.push_back(same ? "x" : item());
        }
        return made;
    }
    words on_one_item() {
        const std::string command = pick({"BF.ADD", "BF.EXISTS", "CF.ADD", "CF.ADDNX", "CF.EXISTS",
                                          "CF.COUNT", "CF.DEL", "CF.DEL"});
        return {command, key(command.substr(0, 2)), item()};
    }
    words on_whole() {
        switch (random_.below(4)) {
        case 0:
            return {pick({"BF.MERGE", "BF.INTERSECT"}), key("BF"), key("BF"), key("BF")};
        case 1:
            return {pick({"BF.CLEAR", "BF.INFO", "BF.DEBUG", "BF.CARD"}), key("BF")};
        case 2:
            return {pick({"CF.COMPACT", "CF.INFO", "CF.DEBUG"}), key("CF")};
        default: {
            const std::string family = pick({"BF", "CF"});
            if (random_.below(2) == 0) return {"UNLINK", key(family)};
            return {family + ".SCANDUMP", key(family), std::to_string(random_.below(99'999))};
        }
        }
    }

    random_source random_;
};

/// The longest time of each command, in microseconds.
using longest_times = std::map<std::string, std::int64_t>;

void take_slow(redis_server& at, longest_times& longest) {
    for (const redis_value& slow : at.run({"SLOWLOG", "GET", "-1"}).elements) {
        std::int64_t& most = longest[slow.elements.at(3).texts().at(0)];
        most = std::max(most, slow.elements[2].integer);
    }
    at.run({"SLOWLOG", "RESET"});
}

std::size_t inputs() {
    const char* const wanted = std::getenv("BLOOMERY_HOSTILE_INPUTS"); // NOLINT: one thread
    if (wanted != nullptr) return std::stoul(wanted);
    return is_sanitized() ? 500 : 3000;
}

TEST(ModuleLongestCommands, AreShortWhateverAClientSends) {
    constexpr std::uint64_t seed = 20'261'119;
    constexpr std::size_t batch = 50;
    // Clearing takes time in proportion to the memory in use.
    module_server at({"slowlog-log-slower-than 0", "slowlog-max-len 1000", "save \"\""},
                     "bf-memory-usage-limit 1gb");
    attacks random(seed);
    longest_times longest;
    std::map<std::string, std::size_t> counts;
    for (std::size_t done = 0; done < inputs(); done += batch) {
        std::vector<words> sent;
        for (std::size_t i = 0; i < batch; ++i) {
            sent.push_back(random.next());
            ++counts[sent.back()[0]];
        }
        exchange_all(
            at, sent, [](const words&) { return true; },
            "seed " + std::to_string(seed) + ", input " + std::to_string(done));
        take_slow(at, longest);
    }
    std::printf("| command | inputs | longest, ms |\n|---|---|---|\n");
    for (const auto& [command, count] : counts) {
        std::printf("| `%s` | %zu | %.1f |\n", command.c_str(), count,
                    static_cast<double>(longest[command]) / 1000);
        EXPECT_LT(longest[command], is_sanitized() ? 10 * most_microseconds : most_microseconds)
            << command;
    }
}

} // namespace
} // namespace bloomery::testing
