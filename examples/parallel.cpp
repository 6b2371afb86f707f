// Filling a filter with several threads: each fills one of its own, and at the end they are merged.
//
// A call that changes a filter must be alone, so threads do not share one. Merging gives, bit for
// bit, the filter that one thread would have made.
#include <bloomery/bloomery.hpp>

#include <cstdint>
#include <cstdio>
#include <ranges>
#include <thread>
#include <vector>

int main() {
    constexpr std::uint64_t keys = 1'000'000;
    constexpr std::uint64_t workers = 4;
    // All parts are sized for all keys: only filters of one shape can be merged.
    const bloomery::blocked_filter empty{bloomery::items{keys}, bloomery::rate{0.001}};

    std::vector<bloomery::blocked_filter> parts(workers, empty);
    std::vector<std::thread> threads;
    threads.reserve(workers);
    for (std::uint64_t w = 0; w < workers; ++w) {
        threads.emplace_back([&part = parts[w], w] {
            part.insert_many(std::views::iota(w * keys / workers, (w + 1) * keys / workers));
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }

    bloomery::blocked_filter all = empty;
    for (const bloomery::blocked_filter& part : parts) {
        all.merge(part);
    }

    bloomery::blocked_filter alone = empty;
    alone.insert_many(std::views::iota(std::uint64_t{0}, keys));
    std::printf("%llu threads and one thread make %s filters; it holds about %.0f keys\n",
                static_cast<unsigned long long>(workers), all == alone ? "equal" : "different",
                all.estimated_items().items);
    return all == alone ? 0 : 1;
}
