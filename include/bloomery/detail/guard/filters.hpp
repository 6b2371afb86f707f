// Which filters a guard can use.
#pragma once

#include <bloomery/filter/accurate.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/counting.hpp>
#include <bloomery/filter/dleft.hpp>
#include <bloomery/filter/dynamic_count.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/scalable.hpp>

#include <concepts>
#include <functional>

namespace bloomery::inline v0 {

/// Filters that never forget a key by themselves, and that a file can hold. `filter` takes the
/// least memory and is mapped; the counting ones remove keys that are erased; `scalable_filter`
/// grows.
template <class Filter>
concept guard_filter =
    std::same_as<Filter, filter> || std::same_as<Filter, counting_filter> ||
    std::same_as<Filter, dynamic_count_filter> || std::same_as<Filter, dleft_filter> ||
    std::same_as<Filter, accurate_filter> || std::same_as<Filter, scalable_filter>;

namespace detail {

/// A type of filter, as seen by the compiled part of a guard.
struct filter_maker {
    std::function<any_filter(items, rate, const native_hash&)> make;
    bool maps;   ///< changed in place in its file; the others are saved
    bool erases; ///< supports erase
};

template <guard_filter Filter>
[[nodiscard]] filter_maker maker_of() {
    constexpr bool plain = std::same_as<Filter, filter>;
    constexpr bool erases = requires(Filter& of, digest128 key) { of.erase(key); };
    return {[](items n, rate p, const native_hash& hash) -> any_filter {
                if constexpr (plain) {
                    return filter(n, p, hash);
                } else {
                    return Filter(n, p, {}, hash);
                }
            },
            plain, erases};
}

} // namespace detail

} // namespace bloomery::inline v0
