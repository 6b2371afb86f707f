// RocksDB's filter is not among the peers: since version 7 the installed headers only declare the
// classes that build and read one (FilterBitsBuilder, FilterBitsReader).
#include "peers.hpp"

#include "bench/filters.hpp"

#ifdef BLOOMERY_BENCH_LIBBLOOM
#include <bloom.h>
#endif

#include <cstdint>
#include <memory>
#include <new>

namespace bloomery::cli {

#ifdef BLOOMERY_BENCH_LIBBLOOM

namespace {

/// libbloom 1.6: the classic layout with double hashing of Murmur2.
class libbloom {
public:
    libbloom(std::uint64_t item_count, double rate) {
        if (bloom_init(&filter_, static_cast<int>(item_count), rate) != 0) throw std::bad_alloc();
    }
    libbloom(const libbloom&) = delete;
    libbloom& operator=(const libbloom&) = delete;
    ~libbloom() { bloom_free(&filter_); }

    bool try_insert(std::uint64_t key) { return bloom_add(&filter_, &key, sizeof key) == 0; }
    [[nodiscard]] bool may_contain(std::uint64_t key) {
        return bloom_check(&filter_, &key, sizeof key) != 0;
    }
    [[nodiscard]] std::uint64_t byte_count() const {
        return static_cast<std::uint64_t>(filter_.bytes);
    }

private:
    bloom filter_{};
};

// It counts bits in an int, and a key takes ten.
constexpr std::uint64_t most_for_libbloom = 200'000'000;

void add_libbloom(bench_cases& to, const shared_keys& keys) {
    if (keys->item_count() > most_for_libbloom) return;
    const auto bits = std::make_shared<libbloom>(keys->item_count(), bench_rate);
    keys->each_held([&](std::span<const std::uint64_t> some) {
        for (const std::uint64_t key : some) (void)bits->try_insert(key);
    });
    add_one_by_one(to, keys, "libbloom", bits);
}

} // namespace

void add_peers(bench_cases& to, const shared_keys& keys) { add_libbloom(to, keys); }

#else

void add_peers(bench_cases& /*to*/, const shared_keys& /*keys*/) {}

#endif

} // namespace bloomery::cli
