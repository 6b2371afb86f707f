// Two ways to fill a filter with several threads.
//
// If you have one batch, pass it to insert_many with `threads` or your own thread pool. If threads
// find keys as they run, let each insert through a shared view. Both make, bit for bit, the same
// filter as a single thread.
#include <bloomery/bloomery.hpp>

#include <cstdint>
#include <cstdio>
#include <numeric>
#include <ranges>
#include <thread>
#include <vector>

int main() {
    constexpr std::uint64_t keys = 1'000'000;
    constexpr std::uint64_t workers = 4;
    const bloomery::filter empty{bloomery::items{keys}, bloomery::rate{0.001}};

    std::vector<std::uint64_t> batch(keys);
    std::iota(batch.begin(), batch.end(), 0);

    bloomery::filter alone = empty;
    alone.insert_many(batch);

    bloomery::filter batched = empty;
    batched.insert_many(batch, bloomery::threads{workers});

    bloomery::filter shared = empty;
    {
        const auto view = shared.shared(); // do not use the filter itself meanwhile
        std::vector<std::jthread> threads;
        threads.reserve(workers);
        for (std::uint64_t w = 0; w < workers; ++w) {
            threads.emplace_back([view, w] {
                // In bulk here; the view also has single-key inserts and queries.
                view.insert_many(std::views::iota(w * keys / workers, (w + 1) * keys / workers));
            });
        }
    } // the threads are joined: it is an ordinary filter again

    const bool equal = batched == alone && shared == alone;
    std::printf("%llu threads and one thread make %s filters, with about %.0f keys\n",
                static_cast<unsigned long long>(workers), equal ? "equal" : "different",
                shared.estimated_items().items);
    return equal ? 0 : 1;
}
