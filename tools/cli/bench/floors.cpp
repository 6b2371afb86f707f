#include "bench/floors.hpp"

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/hash/xxh3.hpp>
#include <bloomery/kernel/kernel.hpp>
#include <bloomery/storage/words.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <string_view>

namespace bloomery::cli {

namespace {

constexpr const char* integer_subject = "integers (mix64)";
constexpr std::uint64_t words_a_line = 8;
constexpr std::size_t lookahead = 128;
constexpr std::uint64_t seed = hash::mixed_seed(0);

std::uint64_t hash_one_by_one(std::span<const std::uint64_t> keys) {
    std::uint64_t sum = 0;
    for (const std::uint64_t key : keys) {
        sum += hash::mix64_with(key, seed);
    }
    return sum;
}

#if defined(__x86_64__)
/// The same sum. A compiler makes vectors of it if the wide product is spelled in halves; with
/// AVX-512 that takes two thirds of the time, with AVX2 it takes longer than no vectors at all.
[[gnu::target("avx512f,avx512dq")]] std::uint64_t
hash_in_vectors(std::span<const std::uint64_t> keys) {
    const std::uint64_t* const first = keys.data();
    const std::size_t count = keys.size();
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const hash::product128 product =
            hash::detail::multiply_halves(first[i], hash::detail::fold_factor);
        sum += (product.low ^ product.high ^ seed) * hash::detail::spread_factor;
    }
    return sum;
}
#endif

std::uint64_t hash_all(std::span<const std::uint64_t> keys) {
#if defined(__x86_64__)
    if (kernel::active() >= kernel::id::avx512) return hash_in_vectors(keys);
#endif
    return hash_one_by_one(keys);
}

std::uint64_t hash_all(std::span<const std::string_view> keys) {
    std::uint64_t sum = 0;
    for (const std::string_view key : keys) {
        sum += XXH3_64bits_withSeed(key.data(), key.size(), 0);
    }
    return sum;
}

/// An array of whole cache lines, in memory of the kind that filters have.
class lines {
public:
    explicit lines(std::uint64_t byte_count)
        : count_(std::max<std::uint64_t>(1, byte_count / (8 * words_a_line))),
          words_(count_ * words_a_line) {
        // A page that nobody wrote is the one page of zeros, which is always in the cache.
        std::fill_n(words_.data(), words_.word_count(), std::uint64_t{1});
    }

    [[nodiscard]] std::uint64_t gather(std::span<const std::uint64_t> keys) const {
        std::uint64_t sum = 0;
        for (const std::uint64_t key : keys) {
            sum += *line_of(key);
        }
        return sum;
    }

    [[nodiscard]] std::uint64_t gather_ahead(std::span<const std::uint64_t> keys) const {
        const std::size_t asked = keys.size() - std::min(keys.size(), lookahead);
        std::uint64_t sum = 0;
        for (const std::uint64_t key : keys.first(keys.size() - asked)) {
            __builtin_prefetch(line_of(key), 0, 2);
        }
        for (std::size_t i = 0; i < asked; ++i) {
            __builtin_prefetch(line_of(keys[i + lookahead]), 0, 2);
            sum += *line_of(keys[i]);
        }
        return sum + gather(keys.subspan(asked));
    }

private:
    [[nodiscard]] const std::uint64_t* line_of(std::uint64_t key) const {
        return words_.data() + words_a_line * hash::fastrange(key, count_); // keys are random bits
    }

    std::uint64_t count_;
    storage::heap_words<> words_;
};

} // namespace

void add_floors(bench_cases& to, const shared_keys& keys, std::uint64_t byte_count) {
    to.push_back({hash_operation, integer_subject, 0, {}, [keys](std::size_t segment) {
                      keep(hash_all(keys->mixed(segment)));
                  }});
    to.push_back({hash_operation, "URLs (XXH3)", 0, {}, [keys](std::size_t segment) {
                      keep(hash_all(keys->urls(segment)));
                  }});
    const auto array = std::make_shared<const lines>(byte_count);
    to.push_back(
        {gather_operation, "cache lines", byte_count, {}, [keys, array](std::size_t segment) {
             keep(array->gather(keys->mixed(segment)));
         }});
    to.push_back(
        {gather_operation, "... prefetched", byte_count, {}, [keys, array](std::size_t segment) {
             keep(array->gather_ahead(keys->mixed(segment)));
         }});
}

lookup_floor floor_of(std::span<const bench_result> results, std::uint64_t item_count) {
    lookup_floor hash;
    lookup_floor gather{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
    for (const bench_result& each : results) {
        if (each.item_count != item_count) continue;
        if (each.subject == integer_subject) {
            hash = {each.least_ns, each.median_ns};
        } else if (each.operation == gather_operation) {
            gather = {std::min(gather.least_ns, each.least_ns),
                      std::min(gather.median_ns, each.median_ns)};
        }
    }
    return {std::max(hash.least_ns, gather.least_ns), std::max(hash.median_ns, gather.median_ns)};
}

} // namespace bloomery::cli
