#include <bloomery/gpu/filter.hpp>

#include "backend.hpp"
#include "work.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>

namespace bloomery::inline v0::gpu::detail {

namespace {

/// Sorting reads and writes every key once more, so it pays for many keys only.
constexpr std::uint64_t least_keys = std::uint64_t{1} << 22U;
/// A range is worked on by one multiprocessor, and all of them should have some.
constexpr unsigned least_shared_bits = 8;
constexpr unsigned least_bits = 6;
constexpr std::uint64_t least_shared_range = std::uint64_t{32} << 10U;
/// A range in the second-level cache, next to what streams through it; and the most bits for which
/// tiles are small.
constexpr std::uint64_t cached_range = std::uint64_t{8} << 20U;
constexpr unsigned most_cached_bits = 8;
constexpr std::uint64_t usual_scratch = std::uint64_t{1} << 30U;

unsigned bits_for(std::uint64_t bytes, std::uint64_t range) {
    return static_cast<unsigned>(std::bit_width((bytes - 1) / range));
}

/// Each range gets a random share of the keys: the mean, and six standard deviations.
std::uint32_t room_for(std::uint64_t keys, unsigned bits) {
    const double mean = std::ldexp(static_cast<double>(keys), -static_cast<int>(bits));
    const auto room = static_cast<std::uint64_t>(mean + 6 * std::sqrt(mean)) + 64;
    return static_cast<std::uint32_t>((room + 31) / 32 * 32);
}

/// Ranges that fit in the memory of a multiprocessor if that takes few enough of them, or else in
/// the second-level cache.
void choose_ranges(sort_plan& how, std::uint64_t bytes, purpose why, const limits& device) {
    if (why == purpose::insert) {
        how.bits = std::max(bits_for(bytes, device.shared_bytes), least_shared_bits);
        how.shared = how.bits <= device.most_bits;
    }
    if (!how.shared) {
        how.bits = std::clamp(bits_for(bytes, std::min(cached_range, device.cache_bytes / 2)),
                              least_bits, most_cached_bits);
    }
}

/// Whether the filter is large enough for ranges, and the batch for one more pass over its keys.
bool may_pay(const target& of, std::uint64_t count, purpose why, const limits& device) {
    if (!device.sorts || count < least_keys) {
        return false;
    }
    if (why == purpose::insert) {
        return of.byte_count() >= least_shared_range << least_shared_bits;
    }
    // A key reads 64 bytes of slow memory in any case, but only what it needs of the cache.
    const bool is_large = plan::facts_of(of.layout).block_bits == 512;
    return of.byte_count() > device.cache_bytes * (is_large ? 4 : 1) * 5 / 4;
}

/// Ranges are read and written in whole, so most blocks should have a key.
bool pays(const target& of, std::uint64_t in_round, purpose why) {
    return in_round >= (why == purpose::insert ? of.blocks / 2 : of.blocks);
}

} // namespace

sort_plan plan_sort(const target& of, std::uint64_t count, std::uint64_t entry_bytes, purpose why,
                    const limits& device, std::optional<way> forced,
                    std::optional<std::uint64_t> scratch_bytes,
                    const std::function<std::uint64_t()>& free_bytes) {
    sort_plan how;
    if (count == 0 || entry_bytes > device.most_entry_bytes || forced == way::direct ||
        (!forced && !may_pay(of, count, why, device))) {
        return how;
    }
    const std::uint64_t bytes = of.byte_count();
    choose_ranges(how, bytes, why, device);

    const std::uint64_t most =
        scratch_bytes.value_or(std::min(std::max(2 * bytes, usual_scratch), free_bytes() / 2));
    const std::uint64_t per_key = entry_bytes + (why == purpose::ask ? 5 : 0);
    // Ranges have room for more than their share. Slots are numbers of 32 bits.
    std::uint64_t rounds_of = std::min(most / per_key, std::uint64_t{1} << 31U);
    while (rounds_of != 0 &&
           (std::uint64_t{room_for(rounds_of, how.bits)} << how.bits) * per_key > most) {
        rounds_of -= rounds_of / 16 + 1;
    }
    if (rounds_of < count) {
        rounds_of = rounds_of / 64 * 64;
        if (rounds_of < std::uint64_t{64} << how.bits) {
            return how; // so little memory that most of it would be the rooms' spare
        }
    }
    const std::uint64_t rounds = (count + rounds_of - 1) / rounds_of;
    how.keys = ((count + rounds - 1) / rounds + 63) / 64 * 64;
    how.room = room_for(std::min(how.keys, count), how.bits);
    how.sorts = forced == way::sorted || pays(of, std::min(count, how.keys), why);
    return how;
}

} // namespace bloomery::inline v0::gpu::detail
