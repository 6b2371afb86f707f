// One batch and several threads: nanoseconds of wall time per key, all ways interleaved.
//
//     bench_threads [KEYS [ROUNDS [THREADS]]]
//
// A filter for all keys at 1 %, whose memory was used before, is cleared and filled. Each line has
// the least and the median wall time, the least processor time of the busiest thread, and both
// least times divided by those of one thread. If other programs keep the processors busy, threads
// wait for each other, and only the processor time says what an idle machine would take.
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/parallel.hpp>

#include "timing.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace bloomery;

/// The processor time of this thread so far.
double processor_time() {
    std::timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Threads that add up, over all calls of `run`, the processor time of the busiest.
class timed_threads {
public:
    explicit timed_threads(std::size_t count) : count_(count) {}

    [[nodiscard]] std::size_t count() const { return count_; }
    void run(const part_task& task) const {
        std::vector<double> used(count_);
        threads{count_}.run([&](std::size_t part) {
            const double before = processor_time();
            task(part);
            used[part] = processor_time() - before;
        });
        busiest_ += *std::ranges::max_element(used);
    }
    [[nodiscard]] double take_busiest() const { return std::exchange(busiest_, 0); }

private:
    std::size_t count_;
    mutable double busiest_ = 0;
};

struct bench_case {
    std::string name;
    std::function<void()> before; ///< not timed
    std::function<void()> run;
    std::vector<double> wall{};
    std::vector<double> busiest{};
};

std::vector<std::uint64_t> numbers(std::size_t count) {
    std::vector<std::uint64_t> made(count);
    std::uint64_t state = 0;
    for (std::uint64_t& each : made) {
        each = hash::fmix64(state += 0x9e3779b97f4a7c15);
    }
    return made;
}

/// Texts like URLs, of 23 to 40 bytes.
std::vector<std::string> texts(const std::vector<std::uint64_t>& from) {
    std::vector<std::string> made;
    made.reserve(from.size());
    for (const std::uint64_t number : from) {
        std::string text = "https://example.org/" + std::to_string(number);
        text.resize(std::min<std::size_t>(text.size(), 23 + number % 18), 'x');
        made.push_back(std::move(text));
    }
    return made;
}

void print(const std::vector<bench_case>& cases, std::size_t keys) {
    const double wall = *std::ranges::min_element(cases.front().wall);
    const double busiest = *std::ranges::min_element(cases.front().busiest);
    for (const bench_case& each : cases) {
        const double least = *std::ranges::min_element(each.wall);
        const double most = *std::ranges::min_element(each.busiest);
        const double per_key = 1e9 / static_cast<double>(keys);
        std::printf("  %-44s %7.2f %7.2f %7.2f %9.2f %7.2f\n", each.name.c_str(), least * per_key,
                    median(each.wall) * per_key, least / wall, most * per_key, most / busiest);
    }
}

void measure(std::vector<bench_case>& cases, const timed_threads& by, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        for (bench_case& each : cases) {
            each.before();
            const double before = processor_time();
            each.wall.push_back(seconds(each.run));
            const double used = processor_time() - before;
            const double busiest = by.take_busiest();
            each.busiest.push_back(busiest != 0 ? busiest : used);
        }
    }
}

template <class Keys>
void compare(layout_kind layout, const Keys& keys, std::string_view what, int rounds,
             std::size_t thread_count) {
    const timed_threads by(thread_count);
    filter f(plan::for_rate(items{keys.size()}, rate{0.01}, layout), {}, {});
    bitmap answers;
    const auto clear = [&] { f.clear(); };
    const auto nothing = [] {};
    storage::heap_words<> words(f.words().size());
    const auto in_way = [&](parallel_way way) {
        insert_in_parallel(f.layout(), f.hash(), words.data(), keys, by, way);
    };
    const auto clear_words = [&] { std::fill_n(words.data(), words.word_count(), 0); };
    const auto by_view = [&] {
        const auto view = f.shared();
        by.run([&](std::size_t part) {
            view.insert_many(std::span(keys).subspan(keys.size() / thread_count * part,
                                                     keys.size() / thread_count));
        });
    };
    std::vector<bench_case> cases{
        {"insert_many, one thread", clear, [&] { f.insert_many(keys); }},
        {"... threads, the way chosen", clear, [&] { f.insert_many(keys, by); }},
        {"... ranges", clear_words, [&] { in_way(parallel_way::ranges); }},
        {"... merged", clear_words, [&] { in_way(parallel_way::merged); }},
        {"... shared", clear_words, [&] { in_way(parallel_way::shared); }},
        {"shared().insert_many from threads, new keys", clear, by_view},
        {"... keys that are in", nothing, by_view},
        {"may_contain_many, one thread", nothing, [&] { f.may_contain_many(keys, answers); }},
        {"... threads", nothing, [&] { f.may_contain_many(keys, answers, by); }}};
    measure(cases, by, rounds);
    std::printf("%s, %zu %s, %zu threads%14s wall median   ratio   busiest   ratio\n",
                std::string(plan::name_of(layout)).c_str(), keys.size(), std::string(what).c_str(),
                thread_count, "");
    print(cases, keys.size());
}

} // namespace

int main(int argc, char** argv) {
    const auto number = [&](int at, std::size_t otherwise) {
        return argc > at ? std::strtoull(argv[at], nullptr, 10) : otherwise;
    };
    const std::vector<std::uint64_t> keys = numbers(number(1, 1'000'000));
    const int rounds = static_cast<int>(number(2, 31));
    const std::size_t thread_count = number(3, 2);
    for (const layout_kind layout : {layout_kind::split_8x32, layout_kind::split_8x64}) {
        compare(layout, keys, "integers", rounds, thread_count);
    }
    if (keys.size() <= 10'000'000) {
        compare(layout_kind::split_8x64, texts(keys), "texts", rounds, thread_count);
    }
}
