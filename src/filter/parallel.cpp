#include <bloomery/filter/parallel.hpp>
#include <bloomery/kernel/kernel.hpp>

#include <algorithm>
#include <exception>
#include <vector>

#if !defined(__wasm__) // where a program has one thread
#include <mutex>
#include <thread>
#endif

namespace bloomery::inline v0 {

namespace {

// Nanoseconds, on two virtual cores of a Zen 4 or Zen 5 server. What matters is their order of
// magnitude.
constexpr double start = 60'000;    ///< to start threads and wait for them, once
constexpr double locked_word = 2.4; ///< one atomic or
constexpr double byte_of_copy = 1;  ///< to take a byte of fresh memory, clear it and merge it
constexpr double probe = 1;         ///< a bit of the classic layout, from the caches
constexpr double small_block = 0.8; ///< a block of 32 bytes, from the caches
constexpr double block = 1.2;       ///< a block of 64 bytes
constexpr double missed = 4;        ///< a cache line from memory, many at once
constexpr double look = 0.3;        ///< to see whether a key is in a range
constexpr double one_hash = 6;      ///< a key that must be hashed alone
constexpr double one_digest = 1;    ///< a digest written and read by another thread
constexpr std::uint64_t shared_cache = 32U << 20U;

/// The most memory that copies may take: the system overcommits memory, and kills programs that use
/// too much.
constexpr std::uint64_t most_copied = std::uint64_t{1} << 30U;

/// What one digest costs one thread: the work, and the cache lines that it waits for.
double one_insert(const plan::shape& of, std::uint64_t byte_count) noexcept {
    const bool classic = of.layout == layout_kind::classic;
    const double one_block = of.layout == layout_kind::split_8x32 ? small_block : block;
    const double work = classic ? probe * of.hash_count : one_block;
    const double lines = classic ? of.hash_count : 1;
    if (byte_count <= 2 * kernel::cache_byte_count()) {
        return work;
    }
    return work + lines * missed * (byte_count <= shared_cache ? 0.3 : 1);
}

double locked_words(const plan::shape& of) noexcept {
    const plan::layout_facts& facts = plan::facts_of(of.layout);
    return facts.fixed_hashes != 0 ? facts.block_bits / 64.0 : of.hash_count;
}

} // namespace

#if defined(__wasm__)

threads::threads() noexcept : count_(1) {}

void threads::run(const part_task& task) const {
    for (std::size_t part = 0; part < count_; ++part) {
        task(part);
    }
}

#else

threads::threads() noexcept : count_(std::max(1U, std::thread::hardware_concurrency())) {}

void threads::run(const part_task& task) const {
    std::exception_ptr failure;
    std::mutex guard;
    const auto attempt = [&](std::size_t part) {
        try {
            task(part);
        } catch (...) {
            const std::lock_guard held(guard);
            failure = failure ? failure : std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t part = 1; part < count_; ++part) {
            try {
                others.emplace_back(attempt, part);
            } catch (const std::exception&) { // no thread, or no memory for one
                attempt(part);
            }
        }
        attempt(0);
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
}

#endif

parallel_way best_way(const plan::shape& of, std::uint64_t keys, std::size_t threads,
                      bool hashed) noexcept {
    const auto n = static_cast<double>(keys);
    const auto t = static_cast<double>(std::max<std::size_t>(1, threads));
    const double key = hashed ? one_hash : 0;
    const double alone = n * (key + one_insert(of, of.byte_count()));
    if (of.layout != layout_kind::classic) {
        // A thread's range may fit into a cache that the array does not fit into.
        const double range =
            n * one_insert(of, of.byte_count() / std::max<std::size_t>(1, threads)) / t;
        const double rounds = n / static_cast<double>(detail::hashed_together) + 1;
        const double ranges = hashed
                                  ? n * (key / t + one_digest + look) + range + 2 * rounds * start
                                  : n * look + range + start;
        return threads > 1 && ranges < alone ? parallel_way::ranges : parallel_way::alone;
    }
    const double merged =
        alone / t + static_cast<double>(of.byte_count()) * byte_of_copy + 2 * start;
    const double shared = (alone + n * locked_words(of) * locked_word) / t + start;
    if (alone <= merged && alone <= shared) {
        return parallel_way::alone;
    }
    const bool small = static_cast<double>(of.byte_count()) * (t - 1) <= most_copied;
    if (alone <= shared && !small) {
        return parallel_way::alone;
    }
    return small && merged <= shared ? parallel_way::merged : parallel_way::shared;
}

} // namespace bloomery::inline v0
