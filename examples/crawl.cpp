// A crawler that visits every page once.
//
// The web here is made of numbers: page i links to a few others, and every page is linked to from
// many places. The crawler keeps a queue of pages to visit and a filter of those that it has met.
#include <bloomery/bloomery.hpp>

#include <cstdint>
#include <cstdio>
#include <deque>
#include <string>
#include <vector>

namespace {

constexpr std::uint64_t pages = 200'000;

std::string url_of(std::uint64_t page) {
    return "https://example.org/page/" + std::to_string(page);
}

/// What a download would give: the links on a page.
std::vector<std::uint64_t> links_of(std::uint64_t page) {
    return {(page * 2 + 1) % pages, (page * 2 + 2) % pages, (page * 7 + 3) % pages, page / 2, 0};
}

} // namespace

int main() {
    // One page in a million is taken for one that was met before, and never visited.
    bloomery::filter met{bloomery::items{pages}, bloomery::rate{1e-6}};
    std::deque<std::uint64_t> queue{0};
    met.insert(url_of(0));

    std::uint64_t visited = 0;
    std::uint64_t links = 0;
    while (!queue.empty()) {
        const std::uint64_t page = queue.front();
        queue.pop_front();
        ++visited;
        for (const std::uint64_t next : links_of(page)) {
            ++links;
            if (met.try_insert(url_of(next))) { // true: surely not met before
                queue.push_back(next);
            }
        }
    }

    std::printf("visited %llu of %llu pages and met %llu links, with %llu bytes of memory\n",
                static_cast<unsigned long long>(visited), static_cast<unsigned long long>(pages),
                static_cast<unsigned long long>(links),
                static_cast<unsigned long long>(met.byte_count()));
    // No page is visited twice, and hardly any is lost.
    return visited <= pages && visited >= pages - 10 ? 0 : 1;
}
