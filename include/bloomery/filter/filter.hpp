// The filter most people want, and the two ways to fill one from a stream of keys.
#pragma once

#include <bloomery/filter/basic_filter.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/hash/xxh3.hpp>
#include <bloomery/layout/native.hpp>

#include <cstddef>
#include <iterator>
#include <ranges>

namespace bloomery {

/// The filter to take: the planner chooses the layout, the kernel is chosen at run time.
using filter = basic_filter<layout::native, native_hash>;

/// The same over bits that somebody else keeps: shared memory, an array at hand.
using borrowed_filter = basic_filter<layout::native, native_hash, storage::borrowed_words>;

// The layout chosen by you, at compile time: nothing is looked up, everything is inlined with the
// vectors that your compiler may use (-march). They hold the bits that `filter` holds, but for more
// than a billion keys or rates under 1e-9, where `filter` takes a hash of 128 bits and these do
// not.

/// k bits anywhere: the least memory, the most work.
using classic_filter = basic_filter<layout::classic<>, hash::xxh3_64>;
/// k bits in one cache line.
using blocked_filter = basic_filter<layout::blocked, hash::xxh3_64>;
/// 8 lanes of 32 bits: the fastest in the caches; a twentieth more memory than 8x64 at 1 %.
using fast_filter = basic_filter<layout::split_8x32, hash::xxh3_64>;
/// 8 lanes of 64 bits, one cache line: the usual choice of the planner.
using line_filter = basic_filter<layout::split_8x64, hash::xxh3_64>;
/// 16 lanes of 32 bits, one cache line: for rates of one in ten thousand and less.
using deep_filter = basic_filter<layout::split_16x32, hash::xxh3_64>;

/// An output iterator that inserts what is assigned to it: `std::ranges::copy(keys, inserter(f))`.
template <class Filter>
class filter_inserter {
public:
    using difference_type = std::ptrdiff_t;

    explicit filter_inserter(Filter& target) noexcept : target_(&target) {}

    template <class Key>
        requires(!std::same_as<Key, filter_inserter>) &&
                requires(Filter& into, const Key& key) { into.insert(key); }
    filter_inserter& operator=(const Key& key) {
        target_->insert(key);
        return *this;
    }
    filter_inserter& operator*() noexcept { return *this; }
    filter_inserter& operator++() noexcept { return *this; }
    filter_inserter operator++(int) noexcept { return *this; }

private:
    Filter* target_;
};

/// An output iterator into a filter, which must outlive it. O(1), never throws.
template <class Filter>
[[nodiscard]] filter_inserter<Filter> inserter(Filter& target) noexcept {
    return filter_inserter<Filter>(target);
}

/// Collects a range of unknown length into a filter sized for n keys at a rate of p. O(n k). Throws
/// bad_argument, memory_refused, and what the range throws.
template <class Filter = filter, std::ranges::input_range Keys>
[[nodiscard]] Filter collect(Keys&& keys, items n, rate p) {
    Filter made(n, p);
    for (auto&& key : keys) {
        made.insert(key);
    }
    return made;
}

} // namespace bloomery
