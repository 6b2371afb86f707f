// The module for Redis compared with another that has the same commands, and with plain GET: keys
// per second, interleaved, and how long one command on a large filter blocks the server.
//
// usage: bench_redis_module SOCKET [OTHER_SOCKET] [--rounds R] [--quick] [--no-stalls]
//
// bench/redis_module.sh starts the servers for it.
#include "redis_stalls.hpp"
#include "redis_wire.hpp"
#include "timing.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <exception>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace bloomery_bench;
using bloomery::redis::client;
using bloomery::redis::request;

constexpr std::size_t pipeline = 32;
constexpr std::size_t connections = 8; // enough that the server never waits for the client
constexpr std::size_t many = 100;      // keys of a BF.MADD

struct sizes {
    std::uint64_t small = 1'000'000;
    std::uint64_t big = 100'000'000;
    std::uint64_t in_big = 50'000'000; ///< keys in it when the rounds begin
    std::uint64_t cuckoo = 8'000'000;
    std::uint64_t values = 1'000'000; ///< for GET
    std::size_t singles = 100'000;    ///< keys of a turn of a command for one
    std::size_t multiples = 400'000;  ///< and of one for many
    std::uint64_t large = 800'000'000;
    int times = 3;
    int rounds = 11;
};

constexpr sizes quick{.small = 100'000,
                      .big = 5'000'000,
                      .in_big = 1'000'000,
                      .cuckoo = 1'000'000,
                      .values = 100'000,
                      .singles = 20'000,
                      .multiples = 50'000,
                      .large = 40'000'000,
                      .times = 2,
                      .rounds = 3};

/// All keys have one length, those that are in and those that are not.
std::string key_of(std::uint64_t number) {
    return "user:" + std::to_string(1'000'000'000 + number);
}
constexpr std::uint64_t absent = 5'000'000'000; // numbers from here on are never inserted

/// Commands of `each` keys, pipelined.
std::vector<wire_batch> pipelined(std::string_view name, const std::string& filter,
                                  std::size_t keys, std::size_t each,
                                  const std::function<std::uint64_t()>& next) {
    std::vector<wire_batch> made;
    for (std::size_t i = 0; i < keys; i += each) {
        if (made.empty() || made.back().commands == pipeline) made.emplace_back();
        request one((filter.empty() ? 1 : 2) + std::min(each, keys - i));
        one.add(name);
        if (!filter.empty()) one.add(filter);
        for (std::size_t j = i; j < std::min(i + each, keys); ++j) one.add(key_of(next()));
        made.back().bytes += one.bytes();
        ++made.back().commands;
    }
    return made;
}

class server {
public:
    explicit server(std::string socket_path)
        : path_(std::move(socket_path)), control_(connect(path_)) {
        for (std::size_t i = 0; i < connections; ++i) lanes_.emplace_back(path_);
    }

    client& control() noexcept { return control_; }
    const std::string& path() const noexcept { return path_; }
    wire_tally run(std::span<const wire_batch> all) { return play(lanes_, all); }

    /// The seconds that the server counted up to now: in a command, and all of its main thread.
    struct account {
        double in_command = 0;
        double worked = 0;
    };
    account counted(std::string command) {
        for (char& each : command) each = each >= 'A' && each <= 'Z' ? char(each + 32) : each;
        const std::string all = control_.run(request(2).add("INFO").add("everything")).text;
        const auto number = [&](const std::string& before, std::size_t from) {
            const std::size_t at = all.find(before, from);
            double found = 0;
            if (at < all.size())
                std::from_chars(all.data() + at + before.size(), all.data() + all.size(), found);
            return found;
        };
        const std::size_t its = all.find("\ncmdstat_" + command + ":");
        return {its == std::string::npos ? 0 : number("usec=", its) / 1e6,
                number("used_cpu_sys_main_thread:", 0) + number("used_cpu_user_main_thread:", 0)};
    }

    /// Whether BF.RESERVE has layouts. One that has none refuses the word or overlooks it, and then
    /// takes any.
    bool knows_layouts() {
        const auto takes = [&](const char* layout) {
            const std::array both{request::of("BF.RESERVE", "asked", "0.01", 9, "LAYOUT", layout),
                                  request::of("UNLINK", "asked")};
            return !control_.exchange(both).front().reply.is_error();
        };
        return takes("SPLIT") && !takes("NO-SUCH-LAYOUT");
    }

private:
    std::string path_;
    client control_;
    std::vector<wire> lanes_{};
};

/// A filter, by the number of keys that are in it: those up to `count`.
struct filter {
    std::string name;
    std::string prefix; ///< of its commands
    request reserve;
    bool first_only = false;
    std::uint64_t count = 0;
};

/// Three clocks for one turn. On a busy machine the first says least.
constexpr std::array<const char*, 3> clocks{"by the clock", "by the server's processor time",
                                            "by the time in the command itself"};
using figures = std::array<std::vector<double>, clocks.size()>; // one a round for each clock

/// A row of the tables.
struct row {
    std::string label;
    std::array<figures, 2> rates{}; ///< of the two servers
    figures to_get{};
    figures to_other{};
    std::vector<double> client{}; ///< the part of the time in which the client had to work
    std::vector<double> server{}; ///< and the server
};

double seconds(clockid_t of) {
    timespec now{};
    ::clock_gettime(of, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

class contest {
public:
    contest(std::vector<std::unique_ptr<server>>& servers, const sizes& how)
        : servers_(servers), how_(how) {}

    void fill();
    void round(int number);
    void print() const;

private:
    void reserve(filter& one);
    void insert(filter& one, std::uint64_t until);
    void turns(filter& one, int number);
    void take_turns(const std::string& label, std::string_view command, filter& one,
                    std::size_t keys, std::size_t each, int number, bool inserts);
    void measure(const std::string& label, std::string_view command, std::size_t keys,
                 std::span<const wire_batch> all, bool first_only, int number,
                 std::uint64_t least_ones);
    row& row_of(const std::string& label);

    std::vector<std::unique_ptr<server>>& servers_;
    sizes how_;
    std::vector<filter> filters_{};
    std::vector<row> rows_{};
    std::mt19937_64 draw_{1}; // NOLINT: each run measures the same
};

void contest::reserve(filter& one) {
    for (std::size_t i = 0; i < (one.first_only ? 1 : servers_.size()); ++i) {
        servers_[i]->control().run(request::of("UNLINK", one.name));
        servers_[i]->control().run(one.reserve);
    }
    one.count = 0;
}

void contest::insert(filter& one, std::uint64_t until) {
    while (one.count < until) {
        const std::size_t some = std::min<std::uint64_t>(1'000'000, until - one.count);
        const std::string name = one.prefix == "BF." ? "BF.INSERT" : "CF.INSERT";
        std::vector<wire_batch> all;
        for (std::size_t i = 0; i < some; i += 1000) {
            const std::size_t keys = std::min<std::size_t>(1000, some - i);
            request each(3 + keys);
            each.add(name).add(one.name).add("ITEMS");
            for (std::size_t j = 0; j < keys; ++j) each.add(key_of(one.count++));
            all.push_back({std::move(each.bytes()), 1});
        }
        for (std::size_t i = 0; i < (one.first_only ? 1 : servers_.size()); ++i) {
            servers_[i]->run(all);
        }
    }
}

void contest::fill() {
    std::vector<wire_batch> values;
    values.reserve(how_.values);
    for (std::uint64_t i = 0; i < how_.values; ++i) {
        values.push_back({request::of("SET", key_of(i), "a value of 24 characters").bytes(), 1});
    }
    servers_.front()->run(values);
    const auto bloom = [](const char* name, std::uint64_t capacity) {
        return filter{name, "BF.", request::of("BF.RESERVE", name, "0.01", capacity)};
    };
    filters_.push_back(bloom("small", how_.small));
    filters_.push_back(bloom("big", how_.big));
    const auto split = [](const char* name, std::uint64_t capacity) {
        return filter{name, "BF.",
                      request::of("BF.RESERVE", name, "0.01", capacity, "LAYOUT", "SPLIT"), true};
    };
    if (servers_.front()->knows_layouts()) {
        filters_.push_back(split("small-split", how_.small));
        filters_.push_back(split("big-split", how_.big));
    }
    filters_.push_back({"cuckoo", "CF.", request::of("CF.RESERVE", "cuckoo", how_.cuckoo)});
    for (filter& one : filters_) {
        reserve(one);
        if (one.name.starts_with("big")) insert(one, how_.in_big);
        if (one.prefix == "CF.") insert(one, how_.cuckoo / 8);
    }
}

row& contest::row_of(const std::string& label) {
    const auto found = std::ranges::find(rows_, label, &row::label);
    return found != rows_.end() ? *found : rows_.emplace_back(row{label});
}

void contest::measure(const std::string& label, std::string_view command, std::size_t keys,
                      std::span<const wire_batch> all, bool first_only, int number,
                      std::uint64_t least_ones) {
    row& into = row_of(label);
    const std::size_t taking_part = first_only ? 1 : servers_.size();
    for (std::size_t turn = 0; turn < taking_part; ++turn) {
        const std::size_t i = (turn + static_cast<std::size_t>(number)) % taking_part;
        const server::account before = servers_[i]->counted(std::string(command));
        const double start = seconds(CLOCK_MONOTONIC);
        const double worked = seconds(CLOCK_PROCESS_CPUTIME_ID);
        const wire_tally seen = servers_[i]->run(all);
        const double took = seconds(CLOCK_MONOTONIC) - start;
        into.client.push_back((seconds(CLOCK_PROCESS_CPUTIME_ID) - worked) / took);
        const server::account after = servers_[i]->counted(std::string(command));
        into.server.push_back((after.worked - before.worked) / took);
        if (seen.ones < least_ones) {
            throw std::runtime_error(label + ": a server answered no for keys that are in");
        }
        const std::array<double, clocks.size()> times{took, after.worked - before.worked,
                                                      after.in_command - before.in_command};
        for (std::size_t c = 0; c < clocks.size(); ++c) {
            into.rates[i][c].push_back(static_cast<double>(keys) / std::max(times[c], 1e-6));
        }
    }
    const row& get = row_of("GET");
    for (std::size_t c = 0; c < clocks.size(); ++c) {
        into.to_get[c].push_back(into.rates[0][c].back() / get.rates[0][c].back());
    }
}

void contest::take_turns(const std::string& label, std::string_view command, filter& one,
                         std::size_t keys, std::size_t each, int number, bool inserts) {
    bool present = false;
    const auto next = [&]() -> std::uint64_t {
        if (inserts) return one.count++;
        present = !present;
        return present ? draw_() % one.count : absent + draw_() % 4'000'000'000;
    };
    const std::vector<wire_batch> all = pipelined(command, one.name, keys, each, next);
    measure(label, command, keys, all, one.first_only, number, inserts ? 0 : keys / 2);
}

void contest::turns(filter& one, int number) {
    if (one.name.starts_with("small")) reserve(one);
    const auto command = [&](const char* name, std::size_t keys, std::size_t each, bool inserts) {
        take_turns(one.prefix + name + " " + one.name, one.prefix + name, one, keys, each, number,
                   inserts);
    };
    command("ADD", how_.singles, 1, true);
    if (one.prefix == "BF.") command("MADD", how_.multiples, many, true);
    command("EXISTS", how_.singles, 1, false);
    if (one.prefix == "BF.") command("MEXISTS", how_.multiples, many, false);
}

void contest::round(int number) {
    const std::vector<wire_batch> gets =
        pipelined("GET", "", how_.singles, 1, [&] { return draw_() % how_.values; });
    measure("GET", "GET", how_.singles, gets, true, number, 0);
    for (filter& one : filters_) turns(one, number);
    // Those of the first server's own layout go against the usual one of the other.
    if (servers_.size() < 2) return;
    for (row& one : rows_) {
        const std::size_t split = one.label.find("-split");
        const row& other =
            *std::ranges::find(rows_, std::string_view(one.label).substr(0, split), &row::label);
        for (std::size_t c = 0; c < clocks.size() && !other.rates[1][c].empty(); ++c) {
            one.to_other[c].push_back(one.rates[0][c].back() / other.rates[1][c].back());
        }
    }
}

void print_ratio(const std::vector<double>& of) {
    if (of.empty()) {
        std::printf("%27s", "");
        return;
    }
    std::printf("   %6.2f [%6.2f to %6.2f]", median(of), *std::ranges::min_element(of),
                *std::ranges::max_element(of));
}

void contest::print() const {
    std::printf("%zu commands in a pipeline, %zu connections, %zu keys in a command for many; "
                "medians of %d rounds [least to most]\n",
                pipeline, connections, many, how_.rounds);
    for (std::size_t c = 0; c < clocks.size(); ++c) {
        std::printf("\n%-34s %12s   %-24s   %-24s %12s\n", clocks[c], "keys/s", "times GET",
                    "times the other", "the other");
        for (const row& one : rows_) {
            std::printf("%-34s %12.0f", one.label.c_str(), median(one.rates[0][c]));
            print_ratio(one.to_get[c]);
            print_ratio(one.to_other[c]);
            if (!one.rates[1][c].empty()) std::printf(" %12.0f", median(one.rates[1][c]));
            std::printf("\n");
        }
    }
    double client = 0;
    double server = 1;
    for (const row& one : rows_) {
        client = std::max(client, median(one.client));
        server = std::min(server, median(one.server));
    }
    std::printf("\nof the time of a row, a server worked %.0f %% or more and the client %.0f %% or "
                "less\n",
                100 * server, 100 * client);
}

} // namespace

int main(int argc, char** argv) {
    try {
        const std::vector<std::string> said(argv + 1, argv + argc);
        const bool stalls = std::ranges::find(said, "--no-stalls") == said.end();
        sizes how = std::ranges::find(said, "--quick") == said.end() ? sizes{} : quick;
        std::vector<std::unique_ptr<server>> servers;
        for (std::size_t i = 0; i < said.size(); ++i) {
            if (said[i] == "--rounds" && i + 1 < said.size()) {
                how.rounds = std::max(1, std::stoi(said[++i]));
            } else if (!said[i].starts_with("--") && servers.size() < 2) {
                servers.push_back(std::make_unique<server>(said[i]));
            } else if (said[i] != "--quick" && said[i] != "--no-stalls") {
                throw std::runtime_error("what is " + said[i] + "?");
            }
        }
        if (servers.empty()) throw std::runtime_error("name the socket of a server");
        contest all(servers, how);
        all.fill();
        for (int i = 0; i < how.rounds; ++i) all.round(i);
        all.print();
        for (const auto& each : servers) {
            if (!stalls) break;
            each->control().run(request(1).add("FLUSHALL"));
            std::printf("\n%s: ", each == servers.front() ? "the module" : "the other");
            print_stalls(each->path(), how.large, how.times);
        }
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "bench_redis_module: %s\n", e.what());
        return 2;
    }
}
