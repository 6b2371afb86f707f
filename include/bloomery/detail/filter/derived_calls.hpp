// Calls that every filter has, made of those that each defines.
#pragma once

#include <bloomery/detail/own_copy.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <cstddef>
#include <ranges>

namespace bloomery::inline v0::detail {

/// The base of a filter `Self`, which combines the bulk calls with its own by `using`. Costs and
/// exceptions are those of the calls that they are made of, and std::bad_alloc.
template <class Self>
class BLOOMERY_OWN_COPY derived_calls {
public:
    // Bulk calls that return a new bitmap.

    template <class Keys>
        requires requires(const Self& of, Keys&& keys, bitmap& maybe) {
            of.may_contain_many(keys, maybe);
        }
    [[nodiscard]] bitmap may_contain_many(Keys&& keys) const {
        bitmap maybe;
        self().may_contain_many(keys, maybe);
        return maybe;
    }
    template <class Keys>
        requires requires(Self& of, Keys&& keys, bitmap& fresh) { of.try_insert_many(keys, fresh); }
    [[nodiscard]] bitmap try_insert_many(Keys&& keys) {
        bitmap fresh;
        static_cast<Self&>(*this).try_insert_many(keys, fresh);
        return fresh;
    }
    template <class Keys>
        requires requires(Self& of, Keys&& keys, bitmap& erased) { of.erase_many(keys, erased); }
    bitmap erase_many(Keys&& keys) {
        bitmap erased;
        static_cast<Self&>(*this).erase_many(keys, erased);
        return erased;
    }

    // One number of stats() each; for several, call that.

    /// The share of bits, counters or cells that are set or in use.
    [[nodiscard]] double fill_ratio() const { return self().stats().fill_ratio; }
    /// The estimated number of distinct keys, with its standard error; an upper bound if the filter
    /// contains an intersection.
    [[nodiscard]] plan::cardinality estimated_items() const { return self().stats().items; }
    /// The current false-positive rate.
    [[nodiscard]] double expected_rate() const { return self().stats().expected_rate; }

protected:
    derived_calls() = default;

    /// Bit i of `into` becomes `ask(key i)`, one key after another.
    template <class Keys, class Ask>
    static void answer(Keys& keys, bitmap& into, Ask ask) {
        into.reset(std::ranges::size(keys));
        std::size_t at = 0;
        for (const std::ranges::range_value_t<Keys>& key : keys) {
            into.set(at++, ask(key));
        }
    }

private:
    [[nodiscard]] const Self& self() const noexcept { return static_cast<const Self&>(*this); }
};

} // namespace bloomery::inline v0::detail
