// What one key costs: insert and ask, one at a time and in bulk, in and out of the caches.
//
// Keys are 64-bit integers and URL-like strings. Half of the keys asked for are in the filter.
// Sizes are chosen so that the array lies in L1/L2, in L3 and in memory. Compare only figures of
// one run.
#include <bloomery/filter/filter.hpp>
#include <bloomery/hash/bits.hpp>
#include <bloomery/hash/mix.hpp>

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

namespace {

using bloomery::items;
using bloomery::rate;

constexpr std::size_t batch = 1U << 17U;

std::vector<std::uint64_t> numbers(std::uint64_t n) {
    std::vector<std::uint64_t> keys(batch);
    for (std::size_t i = 0; i < batch; ++i) {
        const std::uint64_t dice = bloomery::hash::mix64(i, 7);
        keys[i] = bloomery::hash::mix64(bloomery::hash::fastrange(dice, 2 * n), 9); // half are in
    }
    return keys;
}

std::vector<std::string> texts(std::uint64_t n) {
    std::vector<std::string> keys;
    for (const std::uint64_t key : numbers(n)) {
        keys.push_back("https://example.org/" + std::to_string(key));
    }
    return keys;
}

template <class Filter>
Filter filled(std::uint64_t n) {
    Filter f(items{n}, rate{0.01});
    for (std::uint64_t i = 0; i < n; ++i) {
        f.insert(bloomery::hash::mix64(i, 9));
    }
    return f;
}

template <class Filter>
void ask_one_at_a_time(benchmark::State& state) {
    const auto n = static_cast<std::uint64_t>(state.range(0));
    const Filter f = filled<Filter>(n);
    const auto keys = numbers(n);
    for ([[maybe_unused]] auto _ : state) {
        std::uint64_t found = 0;
        for (const std::uint64_t key : keys) {
            found += f.may_contain(key) ? 1U : 0U;
        }
        benchmark::DoNotOptimize(found);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(batch));
}

template <class Filter, class Keys>
void ask_all_in_bulk(benchmark::State& state, std::uint64_t n, const Keys& keys) {
    const Filter f = filled<Filter>(n);
    bloomery::bitmap maybe;
    for ([[maybe_unused]] auto _ : state) {
        f.may_contain_many(keys, maybe);
        benchmark::DoNotOptimize(maybe.words().data());
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(batch));
}

template <class Filter>
void ask_in_bulk(benchmark::State& state) {
    const auto n = static_cast<std::uint64_t>(state.range(0));
    ask_all_in_bulk<Filter>(state, n, numbers(n));
}

template <class Filter>
void ask_texts_in_bulk(benchmark::State& state) {
    const auto n = static_cast<std::uint64_t>(state.range(0));
    ask_all_in_bulk<Filter>(state, n, texts(n));
}

template <class Filter>
void insert_in_bulk(benchmark::State& state) {
    const auto n = static_cast<std::uint64_t>(state.range(0));
    Filter f = filled<Filter>(n);
    const auto keys = numbers(n);
    for ([[maybe_unused]] auto _ : state) {
        f.insert_many(keys);
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(batch));
}

void ask_unordered_set(benchmark::State& state) {
    const auto n = static_cast<std::uint64_t>(state.range(0));
    std::unordered_set<std::uint64_t> set;
    for (std::uint64_t i = 0; i < n; ++i) {
        set.insert(bloomery::hash::mix64(i, 9));
    }
    const auto keys = numbers(n);
    for ([[maybe_unused]] auto _ : state) {
        std::uint64_t found = 0;
        for (const std::uint64_t key : keys) {
            found += set.count(key);
        }
        benchmark::DoNotOptimize(found);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(batch));
}

void sizes(benchmark::internal::Benchmark* b) {
    for (const std::int64_t n : {10'000, 1'000'000, 20'000'000}) {
        b->Arg(n);
    }
}

BENCHMARK_TEMPLATE(ask_one_at_a_time, bloomery::filter)->Apply(sizes);
BENCHMARK_TEMPLATE(ask_one_at_a_time, bloomery::blocked_filter)->Apply(sizes);
BENCHMARK_TEMPLATE(ask_in_bulk, bloomery::filter)->Apply(sizes);
BENCHMARK_TEMPLATE(ask_in_bulk, bloomery::blocked_filter)->Apply(sizes);
BENCHMARK_TEMPLATE(ask_texts_in_bulk, bloomery::filter)->Apply(sizes);
BENCHMARK_TEMPLATE(ask_texts_in_bulk, bloomery::blocked_filter)->Apply(sizes);
BENCHMARK_TEMPLATE(insert_in_bulk, bloomery::filter)->Apply(sizes);
BENCHMARK_TEMPLATE(insert_in_bulk, bloomery::blocked_filter)->Apply(sizes);
BENCHMARK(ask_unordered_set)->Apply(sizes);

} // namespace

BENCHMARK_MAIN();
