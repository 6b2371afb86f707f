// Several processes crawl the same list of URLs, and no page is visited twice.
//
// usage: crawl_together URL [PROCESSES]     URL of a Redis: redis://127.0.0.1:6379
//
// Each process goes through the whole list, starting at its own position. They share a filter in
// Redis: the process that inserts a URL first visits it.
#include <bloomery/redis/filter.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace {

using namespace bloomery;

constexpr std::uint64_t pages = 20'000;
constexpr std::uint64_t batch = 500;

std::string url_of(std::uint64_t page) {
    return "https://example.org/page/" + std::to_string(page % pages);
}

/// The work of one process. Returns how many pages it visited.
std::uint64_t crawl(const std::string& server, std::uint64_t start) {
    redis::client client(redis::parse_url(server));
    // One page in a million is mistaken for one seen before, and never visited.
    auto seen = redis::redis_filter::open_or_create(client, "seen", items{pages}, rate{1e-6});
    std::uint64_t visited = 0;
    bitmap fresh;
    bitmap doubtful;
    for (std::uint64_t i = 0; i < pages; i += batch) {
        std::vector<std::string> urls;
        for (std::uint64_t j = i; j < i + batch; ++j) urls.push_back(url_of(start + j));
        seen.try_insert_many(urls, fresh, doubtful); // one round trip
        for (std::size_t j = 0; j < urls.size(); ++j) {
            // Doubtful keys are rare: the connection broke, and the answer was lost. Better to
            // visit them twice than never.
            if (fresh[j] || doubtful[j]) ++visited; // here a crawler would fetch urls[j]
        }
    }
    return visited;
}

/// Runs `crawl` in a new process, which writes its result to a pipe.
void start_crawler(const std::string& server, std::uint64_t start, int into) {
    if (::fork() != 0) return;
    try {
        const std::uint64_t visited = crawl(server, start);
        std::printf("crawler %d visited %llu pages\n", static_cast<int>(::getpid()),
                    static_cast<unsigned long long>(visited));
        std::fflush(stdout);
        ::_exit(::write(into, &visited, sizeof visited) == sizeof visited ? 0 : 1);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "crawler: %s\n", e.what());
        ::_exit(1);
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: crawl_together redis://127.0.0.1:6379 [PROCESSES]\n");
        return 2;
    }
    const std::string server = argv[1];
    const std::uint64_t processes = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 4;
    try {
        redis::redis_filter::drop(redis::client(redis::parse_url(server)), "seen");
    } catch (const std::exception& e) {
        std::fprintf(stderr, "crawl_together: %s\n", e.what());
        return 2;
    }
    int ends[2]; // NOLINT: pipe() takes an array
    if (::pipe(ends) != 0) return 2;
    for (std::uint64_t i = 0; i < processes; ++i) {
        start_crawler(server, i * pages / processes, ends[1]);
    }
    ::close(ends[1]);
    std::uint64_t visited = 0;
    for (std::uint64_t one = 0; ::read(ends[0], &one, sizeof one) == sizeof one;) visited += one;
    bool all_well = true;
    for (int status = 0; ::wait(&status) > 0;) all_well = all_well && status == 0;
    std::printf("together they visited %llu of %llu pages\n",
                static_cast<unsigned long long>(visited), static_cast<unsigned long long>(pages));
    return all_well && visited <= pages && visited >= pages - 10 ? 0 : 1;
}
