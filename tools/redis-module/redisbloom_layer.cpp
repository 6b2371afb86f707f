#include "redisbloom_layer.hpp"

#include <bloomery/error.hpp>

#include "bloom_chain.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace bloomery::redis_module {

namespace {

constexpr double tightening = 0.5; // the error of a layer, as a part of that of the one below

/// How many keys are on their way from the memory, and how many places of each at most.
constexpr std::size_t ahead = 12;
constexpr std::uint32_t most_fetched = 32;
/// Of a key that is not in, the first places almost always tell.
constexpr std::uint32_t first_places = 2;
/// Smaller arrays are in the caches anyway.
constexpr std::uint64_t worth_fetching = std::uint64_t{1} << 22U;

bool is_set(const std::byte* bits, std::uint64_t place) noexcept {
    return (std::to_integer<unsigned>(bits[place / 8]) >> (place % 8) & 1U) != 0;
}

/// Sets a bit; true if it was clear.
bool set(std::byte* bits, std::uint64_t place) noexcept {
    const auto mask = static_cast<std::byte>(1U << (place % 8));
    const std::byte before = bits[place / 8];
    bits[place / 8] = before | mask;
    return (before & mask) == std::byte{0};
}

using place_span = std::span<const std::uint64_t>;

/// Calls `with(i, places)` for each key in turn, with its places from `first` up to `last`, which
/// were asked of the memory some keys before.
template <bool ToWrite, class With>
void for_each_fetched(const redisbloom_layer& in, std::span<const digest128> keys,
                      std::uint32_t first, std::uint32_t last, With with) {
    std::array<std::array<std::uint64_t, most_fetched>, ahead> on_their_way;
    for (std::size_t i = 0; i < keys.size() + ahead; ++i) {
        auto& slot = on_their_way[i % ahead];
        if (i >= ahead) with(i - ahead, place_span(slot.data(), last - first));
        if (i >= keys.size()) continue;
        redisbloom_places places(in.modulus, keys[i]);
        for (std::uint32_t k = 0; k < first; ++k) (void)places.next();
        for (std::uint32_t k = first; k < last; ++k) {
            const std::uint64_t place = places.next();
            slot[k - first] = place;
            __builtin_prefetch(in.bits.data() + place / 8, ToWrite ? 1 : 0);
        }
    }
}

bool worth_it(const redisbloom_layer& in, std::size_t keys) noexcept {
    return keys > 1 && in.bits.size() >= worth_fetching && in.shape.hash_count <= most_fetched;
}

} // namespace

filter_layer first_redisbloom_layer(std::uint64_t capacity, double rate,
                                    const redisbloom_rules& rules) {
    const double error = rules.grows() ? rate * tightening : rate;
    return {plan::redisbloom_shape(items{capacity}, bloomery::rate{error}, rules.options), error,
            0};
}

filter_layer next_redisbloom_layer(const filter_layer& below, const redisbloom_rules& rules) {
    if (rules.growth != 0 &&
        below.shape.entries > std::numeric_limits<std::uint64_t>::max() / rules.growth) {
        throw bad_argument("a layer cannot have so many keys");
    }
    const double error = below.error * tightening;
    return {plan::redisbloom_shape(items{below.shape.entries * rules.growth}, rate{error},
                                   rules.options),
            error, 0};
}

redisbloom_layer::redisbloom_layer(const filter_layer& of)
    : redisbloom_layer(of, server_bytes(of.shape.byte_count)) {}

redisbloom_layer::redisbloom_layer(const filter_layer& of, server_bytes filled) noexcept
    : shape(of.shape), error(of.error), size(of.size), modulus(of.modulus()),
      bits(std::move(filled)) {}

bool redisbloom_layer::has(digest128 key) const noexcept {
    redisbloom_places places(modulus, key);
    for (std::uint32_t i = 0; i < shape.hash_count; ++i) {
        if (!is_set(bits.data(), places.next())) return false;
    }
    return true;
}

bool redisbloom_layer::insert(digest128 key) noexcept {
    redisbloom_places places(modulus, key);
    bool changed = false;
    for (std::uint32_t i = 0; i < shape.hash_count; ++i) {
        changed |= set(bits.data(), places.next());
    }
    return changed;
}

void redisbloom_layer::ask(std::span<const digest128> keys, std::uint64_t* maybe) const noexcept {
    std::fill_n(maybe, (keys.size() + 63) / 64, 0);
    if (!worth_it(*this, keys.size())) {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (has(keys[i])) set_bit(maybe, i);
        }
        return;
    }
    const auto are_set = [&](place_span at) {
        return std::ranges::all_of(at, [&](std::uint64_t p) { return is_set(bits.data(), p); });
    };
    const std::uint32_t first = std::min(first_places, shape.hash_count);
    std::array<digest128, longest_run> left;
    std::array<std::uint16_t, longest_run> number;
    std::size_t n = 0;
    for_each_fetched<false>(*this, keys, 0, first, [&](std::size_t i, place_span at) {
        if (!are_set(at)) return;
        left[n] = keys[i];
        number[n++] = static_cast<std::uint16_t>(i);
    });
    for_each_fetched<false>(*this, {left.data(), n}, first, shape.hash_count,
                            [&](std::size_t i, place_span at) {
                                if (are_set(at)) set_bit(maybe, number[i]);
                            });
}

void redisbloom_layer::insert(std::span<const digest128> keys, std::uint64_t* fresh) noexcept {
    std::fill_n(fresh, (keys.size() + 63) / 64, 0);
    if (!worth_it(*this, keys.size())) {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (insert(keys[i])) set_bit(fresh, i);
        }
        return;
    }
    for_each_fetched<true>(*this, keys, 0, shape.hash_count, [&](std::size_t i, place_span at) {
        bool changed = false;
        for (const std::uint64_t place : at) changed |= set(bits.data(), place);
        if (changed) set_bit(fresh, i);
    });
}

std::uint64_t redisbloom_layer::bytes_of_next(const redisbloom_rules& by) const {
    return next_redisbloom_layer(facts(), by).shape.byte_count;
}

redisbloom_layer redisbloom_layer::next(const redisbloom_rules& by) const {
    return redisbloom_layer(next_redisbloom_layer(facts(), by));
}

bool redisbloom_layer::is_below(const redisbloom_layer& other,
                                const redisbloom_rules& by) const noexcept {
    return other.shape.entries == shape.entries * by.growth && other.error == error * tightening;
}

redisbloom_layer redisbloom_layer::copy() const { return {facts(), bits.copy()}; }

} // namespace bloomery::redis_module
