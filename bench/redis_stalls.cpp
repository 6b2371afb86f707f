#include "redis_stalls.hpp"

#include "redis_wire.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <vector>

namespace bloomery_bench {

namespace {

using bloomery::redis::client;
using bloomery::redis::reply;
using bloomery::redis::request;
using clock = std::chrono::steady_clock;

constexpr const char* key = "stall";
constexpr std::size_t chunk_bytes = std::size_t{16} << 20U;

double milliseconds(clock::duration time) {
    return std::chrono::duration<double, std::milli>(time).count();
}

/// What a command cost, once for each time it was watched, in milliseconds.
struct costs {
    std::vector<double> slowlog{};
    std::vector<double> ping{};
};

class watcher {
public:
    explicit watcher(const std::string& socket_path)
        : control_(connect(socket_path)), commands_(socket_path), pings_(socket_path) {
        configure("slowlog-max-len", "1000000"); // the pings are in it, too
        configure("slowlog-log-slower-than", "0");
    }

    client& control() noexcept { return control_; }

    /// The longest PING of half a second in which nothing else happens.
    double longest_idle_ping() {
        double longest = 0;
        for (const auto start = clock::now();
             clock::now() - start < std::chrono::milliseconds(500);)
            longest = std::max(longest, ping());
        return longest;
    }

    /// Runs it, pings until it has answered and a while longer, since memory may be given back
    /// later. Its reply is read last: a large one takes the client's time and not the server's.
    void watch(const char* name, const request& command) {
        forget();
        commands_.send(command.bytes());
        double longest = 0;
        for (clock::time_point answered{}; answered == clock::time_point{} ||
                                           clock::now() - answered < std::chrono::milliseconds(200);
             longest = std::max(longest, ping())) {
            if (answered == clock::time_point{} && commands_.readable()) answered = clock::now();
        }
        wire_tally ignored;
        commands_.receive(1, ignored);
        all_[name].ping.push_back(longest);
        all_[name].slowlog.push_back(slowest(name));
    }

    void forget() { control_.run(request(2).add("SLOWLOG").add("RESET")); }

    void note(const char* name) { all_[name].slowlog.push_back(slowest(name)); }

    [[nodiscard]] const std::map<std::string, costs>& all() const noexcept { return all_; }

private:
    double ping() {
        const auto start = clock::now();
        wire_tally ignored;
        pings_.send("*1\r\n$4\r\nPING\r\n");
        pings_.receive(1, ignored);
        return milliseconds(clock::now() - start);
    }

    double slowest(const char* name) {
        std::int64_t longest = -1;
        for (const reply& each :
             control_.run(request(3).add("SLOWLOG").add("GET").add(-1)).elements) {
            if (each.elements[3].elements[0].text == name)
                longest = std::max(longest, each.elements[2].integer);
        }
        if (longest < 0) throw std::runtime_error(std::string("SLOWLOG has no ") + name);
        return static_cast<double>(longest) / 1000;
    }

    void configure(const char* name, const char* value) {
        control_.run(request(4).add("CONFIG").add("SET").add(name).add(value));
    }

    client control_;
    wire commands_;
    wire pings_;
    std::map<std::string, costs> all_{};
};

/// The bytes of the filter's bits: the header of its dump says it, after 20 bytes of its own.
std::uint64_t bytes_of_bits(client& via) {
    const reply dump = via.run(request::of("BF.SCANDUMP", key, 0));
    const std::string& header = dump.elements.at(1).text;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        bytes |= std::uint64_t{static_cast<unsigned char>(header.at(20 + i))} << (8 * i);
    }
    return bytes;
}

/// Writes every page. A chunk goes by the position after it, and the first bit has position 1.
void fill(client& via, std::uint64_t bytes) {
    std::string chunk(chunk_bytes, 0);
    std::uint64_t state = 1;
    for (char& each : chunk) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        each = static_cast<char>(state >> 60U);
    }
    for (std::uint64_t at = 0; at < bytes; at += chunk_bytes) {
        const std::string_view some = std::string_view(chunk).substr(0, bytes - at);
        via.run(request::of("BF.LOADCHUNK", key, 1 + at + some.size(), some));
    }
}

} // namespace

client connect(const std::string& socket_path) {
    return client(bloomery::redis::parse_url("unix://" + socket_path));
}

void print_stalls(const std::string& socket_path, std::uint64_t capacity, int times) {
    watcher at(socket_path);
    client& via = at.control();
    std::uint64_t bytes = 0;
    for (int i = 0; i < times; ++i) {
        at.watch("BF.RESERVE", request::of("BF.RESERVE", key, "0.01", capacity));
        bytes = bytes_of_bits(via);
        at.forget();
        fill(via, bytes);
        at.note("BF.LOADCHUNK");
        at.watch("BF.SCANDUMP", request::of("BF.SCANDUMP", key, 1));
        at.watch("UNLINK", request(2).add("UNLINK").add(key));
    }
    std::printf("a filter of %.0f MB, %d times; milliseconds; the longest PING of an idle server "
                "took %.2f\n",
                static_cast<double>(bytes) / 1e6, times, at.longest_idle_ping());
    for (const auto& [name, cost] : at.all()) {
        std::printf("  %-14s SLOWLOG", name.c_str());
        for (const double each : cost.slowlog) std::printf(" %9.3f", each);
        if (!cost.ping.empty()) std::printf("   longest PING");
        for (const double each : cost.ping) std::printf(" %9.2f", each);
        std::printf("\n");
    }
}

} // namespace bloomery_bench
