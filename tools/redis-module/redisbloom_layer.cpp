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

/// How many keys are on their way from the memory, and how many places of each.
constexpr std::size_t group = 16;
constexpr std::uint32_t most_fetched = 32;
/// Smaller arrays are in the caches anyway.
constexpr std::uint64_t worth_fetching = std::uint64_t{1} << 18U;

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

bool all_set(const redisbloom_layer& in, digest128 key) noexcept {
    redisbloom_places places(in.modulus, key);
    for (std::uint32_t i = 0; i < in.shape.hash_count; ++i) {
        if (!is_set(in.bits.data(), places.next())) return false;
    }
    return true;
}

bool set_all(redisbloom_layer& in, digest128 key) noexcept {
    redisbloom_places places(in.modulus, key);
    bool changed = false;
    for (std::uint32_t i = 0; i < in.shape.hash_count; ++i) {
        changed |= set(in.bits.data(), places.next());
    }
    return changed;
}

/// The places of a group of keys, computed once and asked of the memory, for later use.
class fetched_group {
public:
    template <bool ToWrite>
    void fetch(const redisbloom_layer& in, std::span<const digest128> keys) noexcept {
        count_ = keys.size();
        for (std::size_t i = 0; i < keys.size(); ++i) {
            redisbloom_places places(in.modulus, keys[i]);
            for (std::uint32_t k = 0; k < in.shape.hash_count; ++k) {
                places_[i][k] = places.next();
                __builtin_prefetch(in.bits.data() + places_[i][k] / 8, ToWrite ? 1 : 0);
            }
        }
    }
    [[nodiscard]] std::size_t size() const noexcept { return count_; }
    [[nodiscard]] std::span<const std::uint64_t> places(std::size_t i,
                                                        std::uint32_t count) const noexcept {
        return {places_[i].data(), count};
    }

private:
    std::size_t count_ = 0;
    std::array<std::array<std::uint64_t, most_fetched>, group> places_;
};

/// Calls `with(i, places)` for each key, a group behind the one that is being fetched.
template <bool ToWrite, class With>
void for_each_fetched(const redisbloom_layer& in, std::span<const digest128> keys, With with) {
    std::array<fetched_group, 2> groups;
    std::size_t done = 0;
    groups[0].fetch<ToWrite>(in, keys.first(std::min(group, keys.size())));
    for (std::size_t turn = 0; done < keys.size(); ++turn) {
        const fetched_group& now = groups[turn % 2];
        const std::size_t from = done + now.size();
        groups[(turn + 1) % 2].fetch<ToWrite>(
            in, keys.subspan(from, std::min(group, keys.size() - from)));
        for (std::size_t i = 0; i < now.size(); ++i) {
            with(done + i, now.places(i, in.shape.hash_count));
        }
        done = from;
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

void redisbloom_layer::ask(std::span<const digest128> keys, std::uint64_t* maybe) const noexcept {
    std::fill_n(maybe, (keys.size() + 63) / 64, 0);
    if (!worth_it(*this, keys.size())) {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (all_set(*this, keys[i])) set_bit(maybe, i);
        }
        return;
    }
    for_each_fetched<false>(*this, keys, [&](std::size_t i, std::span<const std::uint64_t> at) {
        if (std::ranges::all_of(at, [&](std::uint64_t p) { return is_set(bits.data(), p); })) {
            set_bit(maybe, i);
        }
    });
}

void redisbloom_layer::insert(std::span<const digest128> keys, std::uint64_t* fresh) noexcept {
    std::fill_n(fresh, (keys.size() + 63) / 64, 0);
    if (!worth_it(*this, keys.size())) {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (set_all(*this, keys[i])) set_bit(fresh, i);
        }
        return;
    }
    for_each_fetched<true>(*this, keys, [&](std::size_t i, std::span<const std::uint64_t> at) {
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

redisbloom_layer redisbloom_layer::copy() const { return {facts(), bits.copy()}; }

} // namespace bloomery::redis_module
