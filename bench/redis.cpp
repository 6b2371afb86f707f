// Filters in a Redis on this machine: keys per second compared with plain GET, interleaved in one
// run; and the longest command of the server while a large filter is built.
//
// usage: bench_redis URL [--keys N] [--shards S] [--rounds R]     throughput
//        bench_redis URL --build BYTES [--keys N]                 the longest command
//
// bench/redis.sh starts a server for it.
#include <bloomery/redis/filter.hpp>

#include "timing.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace bloomery;
using redis::redis_filter;
using redis::request;

constexpr std::size_t batch = 1000;
constexpr std::uint32_t probes = 7;

/// So many keys of the form user:N, N random below `below`: every second or third comes twice.
std::vector<std::string> random_keys(std::size_t count, std::uint64_t below) {
    std::mt19937_64 draw(1);
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < count; ++i)
        keys.push_back("user:" + std::to_string(draw() % below));
    return keys;
}

template <class Work>
void in_batches(std::span<const std::string> keys, Work work) {
    for (std::size_t i = 0; i < keys.size(); i += batch) {
        work(keys.subspan(i, std::min(batch, keys.size() - i)));
    }
}

/// All keys with a value, so that GET finds something.
void store_values(redis::client& via, std::size_t count) {
    for (std::size_t i = 0; i < count; i += batch) {
        std::vector<request> some;
        for (std::size_t j = i; j < std::min(i + batch, count); ++j) {
            some.push_back(
                request::of("SET", "user:" + std::to_string(j), "a value of 24 characters"));
        }
        static_cast<void>(via.run(some));
    }
}

void throughput(redis::client& via, std::size_t count, std::uint64_t shards, int rounds) {
    const std::vector<std::string> keys = random_keys(count, count);
    redis_filter::drop(via, "bench");
    const std::uint64_t bits = count * 959 / 100 / shards | 1U;
    redis_filter filter =
        redis_filter::create(via, "bench", plan::split_shape{shards, bits, probes}, {count, 0.01});
    store_values(via, count);
    bitmap maybe;
    // A round trip for each bit takes so long that few keys must do.
    const std::size_t few = std::max<std::size_t>(batch, count / 200);
    const auto setbit = [&] {
        for (const std::string& key : std::span(keys).first(few)) {
            std::vector<std::uint64_t> places;
            redis::probing(layout::scheme_id::redisson)
                .append({1, bits, probes}, filter.digest(key), places);
            for (const std::uint64_t place : places) {
                via.run(request::of("SETBIT", "bench-setbit", place, 1).writes());
            }
        }
    };
    struct contest {
        const char* name;
        std::size_t keys;
        std::function<void()> run;
        std::vector<double> rates{};
        std::vector<double> ratios{};
    };
    std::vector<contest> all{
        {"GET", count,
         [&] {
             in_batches(keys, [&](auto some) {
                 std::vector<request> gets;
                 for (const std::string& key : some) gets.push_back(request::of("GET", key));
                 static_cast<void>(via.run(gets));
             });
         }},
        {"insert_many", count,
         [&] { in_batches(keys, [&](auto some) { filter.insert_many(some); }); }},
        {"may_contain_many", count,
         [&] { in_batches(keys, [&](auto some) { filter.may_contain_many(some, maybe); }); }},
        {"seven SETBITs, each a round trip", few, setbit}};
    for (int round = 0; round < rounds; ++round) {
        for (contest& each : all) {
            each.rates.push_back(static_cast<double>(each.keys) / seconds(each.run));
            each.ratios.push_back(each.rates.back() / all.front().rates.back());
        }
    }
    std::printf("%zu keys, %llu shards, k = %u, batches of %zu; medians of %d rounds\n", count,
                static_cast<unsigned long long>(shards), probes, batch, rounds);
    for (const contest& each : all) {
        std::printf("%-34s %10.0f keys/s  %6.3f x GET [%.3f to %.3f]\n", each.name,
                    median(each.rates), median(each.ratios), *std::ranges::min_element(each.ratios),
                    *std::ranges::max_element(each.ratios));
    }
    filter.drop();
    via.run(request(1).add("FLUSHALL"));
}

void configure(redis::client& via, const char* name, const char* value) {
    via.run(request(4).add("CONFIG").add("SET").add(name).add(value));
}

void longest_command(redis::client& via, std::uint64_t byte_count, std::size_t count) {
    configure(via, "slowlog-log-slower-than", "1000");
    configure(via, "slowlog-max-len", "100000");
    configure(via, "latency-monitor-threshold", "1");
    redis_filter::drop(via, "bench");
    via.run(request(2).add("SLOWLOG").add("RESET"));
    via.run(request(2).add("LATENCY").add("RESET"));
    const std::uint64_t shard_bytes = std::uint64_t{8} << 20U;
    const plan::split_shape shape{byte_count / shard_bytes, shard_bytes * 8 - 5, probes};
    std::printf("a filter of %llu shards of 8 MiB, %zu keys in batches of %zu\n",
                static_cast<unsigned long long>(shape.shard_count), count, batch);
    const double making =
        seconds([&] { static_cast<void>(redis_filter::create(via, "bench", shape, {})); });
    redis_filter filter = redis_filter::open(via, "bench");
    const std::vector<std::string> keys = random_keys(count, ~std::uint64_t{0});
    const double filling =
        seconds([&] { in_batches(keys, [&](auto some) { filter.insert_many(some); }); });
    const double counting = seconds([&] { static_cast<void>(filter.stats()); });
    const double dropping = seconds([&] { filter.drop(); });
    std::printf("made in %.1f s, filled in %.1f s, counted in %.1f s, dropped in %.1f s\n", making,
                filling, counting, dropping);
    std::map<std::string, std::vector<std::int64_t>> slow;
    for (const redis::reply& each :
         via.run(request(3).add("SLOWLOG").add("GET").add(100000)).elements) {
        slow[each.elements[3].elements[0].text].push_back(each.elements[2].integer);
    }
    std::printf("commands of 1 ms or more, by SLOWLOG:%s\n", slow.empty() ? " none" : "");
    for (auto& [name, times] : slow) {
        std::ranges::sort(times);
        std::printf("  %-12s %6zu, the longest %.1f ms\n", name.c_str(), times.size(),
                    static_cast<double>(times.back()) / 1000);
    }
    std::printf("events of 1 ms or more, by LATENCY LATEST:\n");
    for (const redis::reply& each : via.run(request(2).add("LATENCY").add("LATEST")).elements) {
        std::printf("  %-24s the longest %lld ms\n", each.elements[0].text.c_str(),
                    static_cast<long long>(each.elements[3].integer));
    }
}

} // namespace

int main(int argc, char** argv) {
    try {
        const std::vector<std::string> said(argv + 1, argv + argc);
        const auto option = [&](const char* name, std::uint64_t otherwise) {
            const auto at = std::ranges::find(said, name);
            return at == said.end() || at + 1 == said.end() ? otherwise : std::stoull(*(at + 1));
        };
        if (said.empty()) throw bad_argument("name the server: redis://127.0.0.1:6379");
        redis::client via(redis::parse_url(said.front()));
        if (const std::uint64_t size = option("--build", 0)) {
            longest_command(via, size, option("--keys", 5'000'000));
        } else {
            throughput(via, option("--keys", 1'000'000), option("--shards", 1),
                       static_cast<int>(option("--rounds", 11)));
        }
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "bench_redis: %s\n", e.what());
        return 2;
    }
}
