// The filter most people want, and the two ways to fill one from a stream of keys.
#pragma once

#include <bloomery/filter/basic_filter.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/layout/blocked.hpp>
#include <bloomery/layout/classic.hpp>

#include <cstddef>
#include <iterator>
#include <memory_resource>
#include <ranges>

namespace bloomery {

/// The native filter: the planner's shape, the native hash, memory of its own.
using filter = basic_filter<layout::classic<>, native_hash>;

/// The same with one cache line a key: faster where it is larger than the cache, for more memory.
using blocked_filter = basic_filter<layout::blocked, native_hash>;

/// The classic one over bits that somebody else keeps: shared memory, an array at hand.
using borrowed_filter = basic_filter<layout::classic<>, native_hash, storage::borrowed_words>;

namespace pmr {
/// The same with memory from a polymorphic resource.
using filter = basic_filter<layout::classic<>, native_hash,
                            storage::heap_words<std::pmr::polymorphic_allocator<std::uint64_t>>>;
} // namespace pmr

/// An output iterator that inserts what is assigned to it: `std::ranges::copy(keys, inserter(f))`.
template <class Filter>
class filter_inserter {
public:
    using difference_type = std::ptrdiff_t;

    explicit filter_inserter(Filter& target) noexcept : target_(&target) {}

    template <class Key>
        requires(!std::same_as<Key, filter_inserter>)
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
