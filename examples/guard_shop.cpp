// A shop looks up articles in its database; most requests are for articles that do not exist.
//
// usage: guard_shop [ARTICLES]
//
// The articles are in SQLite, in a temporary folder. Some threads query while one adds articles.
// Then the shop is opened again, and loads the filter from its file.
#include <bloomery/guard/guard.hpp>
#include <bloomery/guard/sqlite.hpp>
#include <bloomery/guard/store.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace bloomery;
using shop = guard<filter, store::memory_cache, store::sqlite>;

constexpr std::uint64_t requests = 100'000;
constexpr std::uint64_t clients = 4;

std::string article(std::uint64_t number) { return "article-" + std::to_string(number); }

void stock(store::sqlite& with, std::uint64_t articles) {
    std::vector<std::string> names;
    std::vector<store::entry> rows;
    for (std::uint64_t i = 0; i < articles; ++i) names.push_back(article(i));
    for (const std::string& name : names) rows.push_back({name, "in stock"});
    with.load(rows); // bypasses the guard, which is created afterwards
}

/// One request in twenty is for an existing article. Returns how many answers were wrong.
std::uint64_t ask(shop& at, std::uint64_t client, std::uint64_t articles) {
    std::uint64_t wrong = 0;
    for (std::uint64_t i = client; i < requests; i += clients) {
        const bool is_there = i / clients % 20 == 0;
        const auto found = at.get(is_there ? article(i % articles) : "none-" + std::to_string(i));
        wrong += found.has_value() == is_there ? 0U : 1U;
    }
    return wrong;
}

std::uint64_t open_for_a_day(shop& at, std::uint64_t articles) {
    std::atomic<std::uint64_t> wrong = 0;
    std::vector<std::thread> all;
    for (std::uint64_t me = 0; me < clients; ++me) {
        all.emplace_back([&, me] { wrong += ask(at, me, articles); });
    }
    all.emplace_back([&] {
        for (std::uint64_t i = articles; i < articles + 200; ++i) {
            at.put(article(i), "new"); // the filter first, then the database
            wrong += at.get(article(i)) == "new" ? 0U : 1U;
        }
    });
    for (std::thread& one : all) one.join();
    return wrong;
}

void report(const guard_numbers& now) {
    const auto show = [](const char* what, std::uint64_t count) {
        std::printf("%-28s %8llu\n", what, static_cast<unsigned long long>(count));
    };
    show("requests", now.asked);
    show("refused by the filter", now.refused);
    show("answered by the cache", now.cache_hits);
    show("looked up in the database", now.source_hits + now.false_positives);
    show("... of them not found", now.false_positives);
}

bool run(const std::filesystem::path& folder, std::uint64_t articles) {
    store::sqlite database(folder / "shop.db", {"articles", "name", "text"});
    stock(database, articles);
    guard_options how;
    how.file = folder / "articles.bloom";
    how.only_writer = true;
    std::uint64_t wrong = 0;
    {
        shop today(store::memory_cache(10'000), database, how);
        wrong += open_for_a_day(today, articles);
        report(today.numbers());
        wrong += today.numbers().false_positives > requests / 50 ? 1U : 0U;
    }
    shop tomorrow(store::memory_cache(10'000), database, how);
    wrong += tomorrow.get(article(articles)) == "new" ? 0U : 1U;
    wrong += tomorrow.numbers().rebuilds; // should be zero: the file has everything
    std::printf("wrong answers: %llu\n", static_cast<unsigned long long>(wrong));
    return wrong == 0;
}

} // namespace

int main(int argc, char** argv) {
    const std::uint64_t articles = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20'000;
    std::string name = (std::filesystem::temp_directory_path() / "guard-shop-XXXXXX").string();
    if (articles == 0 || ::mkdtemp(name.data()) == nullptr) {
        std::fprintf(stderr, "usage: guard_shop [ARTICLES]\n");
        return 2;
    }
    bool all_well = false;
    try {
        all_well = run(name, articles);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "guard_shop: %s\n", e.what());
    }
    std::filesystem::remove_all(name);
    return all_well ? 0 : 1;
}
