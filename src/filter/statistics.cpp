#include <bloomery/detail/hash/hash_id.hpp>
#include <bloomery/detail/plan/digest_floor.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/redis.hpp>

#include <cmath>

namespace bloomery::inline v0 {

std::string_view plural_of(place_unit unit) noexcept {
    switch (unit) {
    case place_unit::counter:
        return "counters";
    case place_unit::cell:
        return "cells";
    case place_unit::first_level_bit:
        return "first-level bits";
    case place_unit::bit:
        break;
    }
    return "bits";
}

statistics statistics_of(const plan::shape& shape, std::uint64_t bits_set) {
    if (shape.bit_count == 0) {
        return {}; // a filter that was moved from
    }
    statistics now;
    now.bit_count = shape.bit_count;
    now.bits_set = bits_set;
    now.fill_ratio = static_cast<double>(bits_set) / static_cast<double>(shape.bit_count);
    now.items = plan::estimate_items(shape, bits_set);
    if (shape.layout == layout_kind::classic || now.items.saturated) {
        now.expected_rate =
            plan::rate_of_fill(bits{shape.bit_count}, hashes{shape.hash_count}, bits_set);
    } else {
        now.expected_rate = plan::expected_rate(shape, now.items.items);
    }
    return now;
}

statistics statistics_of(const spec& what, std::uint64_t bits_set) {
    statistics now = statistics_of(what.shape, bits_set);
    if (what.scheme == layout::scheme_id::redisson_split && !now.items.saturated) {
        const std::uint64_t shards = what.parameters[0];
        const plan::split_shape split{shards, shards == 0 ? 0 : what.shape.bit_count / shards,
                                      what.shape.hash_count};
        const auto keys = static_cast<std::uint64_t>(std::llround(now.items.items));
        now.expected_rate = plan::split_rate(split, {keys});
    }
    now.expected_rate =
        plan::with_collisions(now.expected_rate, now.items.items, hash::digest_bits(what.hash));
    return now;
}

double measured_rate::standard_error() const noexcept {
    return queries == 0 ? 0 : std::sqrt(value() * (1 - value()) / static_cast<double>(queries));
}

} // namespace bloomery::inline v0
