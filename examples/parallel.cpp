// Filling a filter with several threads, in the two ways that there are.
//
// One batch that is at hand: hand it over, with `threads` or a pool of your own. Threads that meet
// keys as they go: let each work through a shared view. Both give, bit for bit, the filter that one
// thread would have made.
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

    bloomery::filter handed_over = empty;
    handed_over.insert_many(batch, bloomery::threads{workers});

    bloomery::filter shared = empty;
    {
        const auto view = shared.shared(); // the filter itself must rest meanwhile
        std::vector<std::jthread> threads;
        threads.reserve(workers);
        for (std::uint64_t w = 0; w < workers; ++w) {
            threads.emplace_back([view, w] {
                // In bulk here; single keys and questions may go through the view as well.
                view.insert_many(std::views::iota(w * keys / workers, (w + 1) * keys / workers));
            });
        }
    } // joined: now it is an ordinary filter again

    const bool equal = handed_over == alone && shared == alone;
    std::printf("%llu threads and one thread make %s filters; it holds about %.0f keys\n",
                static_cast<unsigned long long>(workers), equal ? "equal" : "different",
                shared.estimated_items().items);
    return equal ? 0 : 1;
}
