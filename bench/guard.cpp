// Queries for absent keys through a guard and directly to the source, interleaved in one run:
// SQLite in this process, and a PostgreSQL on loopback that this program starts.
//
// usage: bench_guard [--rows N] [--keys N] [--rounds R] [--no-postgres]
#include <bloomery/guard/guard.hpp>
#include <bloomery/guard/postgres.hpp>
#include <bloomery/guard/sqlite.hpp>
#include <bloomery/guard/store.hpp>

#include "servers/local_postgres.hpp"
#include "timing.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace bloomery;

struct wish {
    std::size_t rows = 1'000'000;
    std::size_t keys = 200'000;
    int rounds = 7;
    bool postgres = true;
};

std::vector<std::string> names(std::string_view prefix, std::size_t count) {
    std::vector<std::string> made;
    std::mt19937_64 draw(7);
    for (std::size_t i = 0; i < count; ++i) {
        made.push_back(std::string(prefix).append(std::to_string(draw() % 1'000'000'007 + i)));
    }
    return made;
}

template <class Source>
void fill(Source& into, std::size_t rows) {
    constexpr std::size_t at_once = 100'000;
    std::vector<std::string> keys;
    std::vector<store::entry> entries;
    for (std::size_t i = 0; i < rows; i += at_once) {
        keys.clear();
        entries.clear();
        for (std::size_t j = i; j < std::min(rows, i + at_once); ++j) {
            keys.push_back(std::string("user:").append(std::to_string(j)));
        }
        for (const std::string& key : keys) {
            entries.push_back({key, "a value of 24 characters"});
        }
        into.load(entries);
    }
}

/// Keys a second of one way to ask, a figure for each round.
struct way {
    const char* name;
    std::size_t keys;
    std::function<void(std::span<const std::string_view>)> ask;
    std::vector<double> per_second{};
};

template <class Source>
void compare(const char* what, Source source, const wish& how, std::size_t asked_of_source) {
    fill(source, how.rows);
    guard<filter, store::no_cache, Source> guarded(store::no_cache{}, source);
    const std::vector<std::string> absent = names("nobody:", how.keys * 2);
    const std::vector<std::string_view> keys(absent.begin(), absent.end());
    (void)guarded.get_many(keys); // the filter's mistakes are known from here on
    const auto one_by_one = [](auto& of) {
        return [&of](std::span<const std::string_view> some) {
            for (const std::string_view key : some) {
                if (of.get(key)) std::abort();
            }
        };
    };
    const auto together = [](auto& of) {
        return [&of](std::span<const std::string_view> some) {
            for (; !some.empty(); some = some.subspan(std::min<std::size_t>(1000, some.size()))) {
                (void)of.get_many(some.first(std::min<std::size_t>(1000, some.size())));
            }
        };
    };
    std::vector<way> ways{{"source, get", asked_of_source, one_by_one(source)},
                          {"guard,  get", how.keys, one_by_one(guarded)},
                          {"source, get_many of 1000", asked_of_source, together(source)},
                          {"guard,  get_many of 1000", how.keys, together(guarded)}};
    std::mt19937_64 draw(11);
    for (int round = 0; round < how.rounds; ++round) {
        for (way& one : ways) {
            const std::size_t from = draw() % (keys.size() - one.keys);
            const double time = seconds([&] { one.ask(std::span(keys).subspan(from, one.keys)); });
            one.per_second.push_back(static_cast<double>(one.keys) / time);
        }
    }
    std::printf("%s, %zu rows, absent keys, medians of %d rounds\n", what, how.rows, how.rounds);
    for (const way& one : ways) {
        std::printf("  %-26s %12.0f keys/s\n", one.name, median(one.per_second));
    }
    for (std::size_t i = 0; i < ways.size(); i += 2) {
        std::vector<double> ratios;
        for (std::size_t r = 0; r < ways[i].per_second.size(); ++r) {
            ratios.push_back(ways[i + 1].per_second[r] / ways[i].per_second[r]);
        }
        std::ranges::sort(ratios);
        std::printf("  guard / %-18s %12.1f  [%.1f - %.1f]\n", ways[i].name, median(ratios),
                    ratios.front(), ratios.back());
    }
}

wish read(std::span<char*> words) {
    wish how;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string_view name = words[i];
        if (name == "--no-postgres") {
            how.postgres = false;
        } else if (i + 1 < words.size() && name == "--rows") {
            how.rows = std::strtoull(words[++i], nullptr, 10);
        } else if (i + 1 < words.size() && name == "--keys") {
            how.keys = std::strtoull(words[++i], nullptr, 10);
        } else if (i + 1 < words.size() && name == "--rounds") {
            how.rounds = std::max(1, std::atoi(words[++i])); // NOLINT: what is not a number is 1
        } else {
            throw bad_argument("usage: bench_guard [--rows N] [--keys N] [--rounds R] "
                               "[--no-postgres]");
        }
    }
    return how;
}

} // namespace

int main(int count, char** words) {
    try {
        const wish how = read(std::span(words, static_cast<std::size_t>(count)));
        std::string name = (std::filesystem::temp_directory_path() / "bench-guard-XXXXXX").string();
        const std::filesystem::path folder = ::mkdtemp(name.data());
        compare("SQLite", store::sqlite(folder / "rows.db", {"rows", "key", "value"}), how,
                how.keys);
        std::filesystem::remove_all(folder);
        if (how.postgres) {
            bloomery::cli::local_postgres server;
            compare("PostgreSQL on loopback",
                    store::postgres(server.url(), {"rows", "key", "value"}, {.create = true}), how,
                    std::min<std::size_t>(how.keys, 20'000));
        }
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "bench_guard: %s\n", e.what());
        return 2;
    }
}
