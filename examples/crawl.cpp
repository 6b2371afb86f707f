// A crawler that visits every page once.
//
// The web here is simulated: page i links to a few others, and every page is linked from many
// places. The crawler keeps a queue of pages to visit and a filter of the pages it has seen.
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

/// The links on a page, as a download would return them.
std::vector<std::uint64_t> links_of(std::uint64_t page) {
    return {(page * 2 + 1) % pages, (page * 2 + 2) % pages, (page * 7 + 3) % pages, page / 2, 0};
}

} // namespace

int main() {
    // One page in a million is mistaken for one seen before, and never visited.
    bloomery::filter seen{bloomery::items{pages}, bloomery::rate{1e-6}};
    std::deque<std::uint64_t> queue{0};
    seen.insert(url_of(0));

    std::uint64_t visited = 0;
    std::uint64_t links = 0;
    while (!queue.empty()) {
        const std::uint64_t page = queue.front();
        queue.pop_front();
        ++visited;
        for (const std::uint64_t next : links_of(page)) {
            ++links;
            if (seen.try_insert(url_of(next))) { // true: definitely not seen before
                queue.push_back(next);
            }
        }
    }

    std::printf("visited %llu of %llu pages, found %llu links; the filter takes %llu bytes\n",
                static_cast<unsigned long long>(visited), static_cast<unsigned long long>(pages),
                static_cast<unsigned long long>(links),
                static_cast<unsigned long long>(seen.byte_count()));
    // No page is visited twice, and hardly any page is missed.
    return visited <= pages && visited >= pages - 10 ? 0 : 1;
}
