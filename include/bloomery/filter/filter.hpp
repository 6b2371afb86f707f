// The filter that most people need, and two ways to fill one from a stream of keys.
#pragma once

#include <bloomery/detail/layout/native.hpp>
#include <bloomery/filter/basic_filter.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/hash/xxh3.hpp>

#include <cstddef>
#include <iterator>
#include <ranges>

namespace bloomery::inline v0 {

/// The default filter: the planner chooses the layout, and the kernel is chosen at run time.
using filter = basic_filter<layout::native, native_hash>;

/// A filter over bits that someone else owns, such as shared memory or a static array.
using borrowed_filter = basic_filter<layout::native, native_hash, storage::borrowed_words>;

/// The same over const bits: it can be queried and copied, and has no verb that changes it.
using filter_view = basic_filter<layout::native, native_hash, storage::viewed_words>;

// Filters with a layout chosen at compile time: no dispatch, everything is inlined with the vector
// instructions that your compiler may use (-march). They have the same bits as `filter`, except for
// more than a billion keys or rates under 1e-9, where `filter` uses a 128-bit hash and these do
// not.

/// k bits anywhere: the smallest and slowest.
using classic_filter = basic_filter<layout::classic<>, hash::xxh3_64>;
/// k bits in one cache line.
using blocked_filter = basic_filter<layout::blocked, hash::xxh3_64>;
/// 8 lanes of 32 bits: the fastest in cache; a twentieth more memory than 8x64 at 1 %.
using fast_filter = basic_filter<layout::split_8x32, hash::xxh3_64>;
/// 8 lanes of 64 bits, one cache line: what the planner usually chooses.
using line_filter = basic_filter<layout::split_8x64, hash::xxh3_64>;
/// 16 lanes of 32 bits, one cache line: for rates of one in ten thousand and below.
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

} // namespace bloomery::inline v0
