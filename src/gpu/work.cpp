#include "work.hpp"

#include <bloomery/error.hpp>
#include <bloomery/gpu/filter.hpp>

#include "backend.hpp"
#include "key_kinds.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace bloomery::inline v0::gpu {

namespace {

using detail::borrowed;
using detail::source;

/// Strings are hashed so many at a time. If the filter is in the second-level cache, their digests
/// stay there too until they are used; if it is not, there are enough of them for sorting to pay.
std::uint64_t strings_at_a_time(const detail::target& bits, const detail::limits& device) {
    return std::uint64_t{1} << (bits.byte_count() <= device.cache_bytes ? 21U : 25U);
}

source::form form_of(keys::kind what) {
    switch (what) {
    case keys::kind::u32:
        return source::form::u32;
    case keys::kind::i32:
        return source::form::i32;
    case keys::kind::digest:
        return source::form::digest;
    default:
        return source::form::u64;
    }
}

std::uint64_t mean_bytes(const keys& strings) {
    return strings.what() == keys::kind::record ? strings.width()
                                                : strings.width() / strings.count() + 1;
}

/// Some of the keys on a device that are byte strings.
keys strings_of(const keys& all, std::uint64_t from, std::uint64_t count) {
    const auto* const data = static_cast<const std::byte*>(all.data());
    const auto* const offsets = static_cast<const std::byte*>(all.offsets());
    const std::uint64_t of_offset = detail::offset_bytes(all.what());
    return {all.what(),
            of_offset == 0 ? data + from * all.width() : data,
            of_offset == 0 ? nullptr : offsets + from * of_offset,
            static_cast<std::size_t>(count),
            all.width(),
            true};
}

constexpr std::uint64_t aligned(std::uint64_t bytes) { return (bytes + 255) / 256 * 256; }

} // namespace

filter::work::work(const filter& of, stream on)
    : of_(of), device_(*of.where().backend_), on_(on),
      bits_{of.words(), of.shape_.block_count(), of.shape_.layout}, mix_(of.mixer()) {}

void filter::work::each_part(const keys& some, const step& act) const {
    if (some.count() == 0) {
        return;
    }
    if (some.is_on_device()) {
        act({some, 0, 0}, on_);
    } else {
        stream_in(some, act);
    }
}

detail::sort_plan filter::work::plan(std::uint64_t count, std::uint64_t entry_bytes,
                                     detail::purpose why) const {
    return detail::plan_sort(bits_, count, entry_bytes, why, device_.limits(),
                             why == detail::purpose::insert ? of_.tuning_.insert : of_.tuning_.ask,
                             of_.tuning_.scratch_bytes,
                             [&] { return device_.memory().free_bytes; });
}

bool filter::work::at_once(const part& of, detail::purpose why) const {
    if (!detail::is_string(of.some.what()) || mix_.wide) {
        return false;
    }
    const std::optional<way>& forced =
        why == detail::purpose::insert ? of_.tuning_.insert : of_.tuning_.ask;
    if (forced) {
        return *forced == way::direct;
    }
    // Hashing takes so long that random accesses to memory can be hidden behind it: all queries,
    // but not inserts, which are slower.
    return why == detail::purpose::ask || bits_.byte_count() <= device_.limits().cache_bytes ||
           !plan(of.some.count(), 8, why).sorts;
}

template <class With>
void filter::work::each_source(const part& of, stream on, With with) const {
    const keys& some = of.some;
    if (!detail::is_string(some.what())) {
        with(source{some.data(), some.count(), form_of(some.what()), mix_}, of.first);
        return;
    }
    const std::uint64_t at_a_time =
        std::min<std::uint64_t>(some.count(), strings_at_a_time(bits_, device_.limits()));
    const borrowed digests(device_, at_a_time * (mix_.wide ? 16 : 8), on);
    const source::form form = mix_.wide ? source::form::digest : source::form::hashed;
    for (std::uint64_t from = 0; from < some.count(); from += at_a_time) {
        const std::uint64_t count = std::min(at_a_time, some.count() - from);
        device_.hash(strings_of(some, from, count), of.base, mean_bytes(some), mix_, digests.data(),
                     on);
        with(source{digests.data(), count, form, mix_}, of.first + from);
    }
}

void filter::work::insert(const part& of, stream on) const {
    if (at_once(of, detail::purpose::insert)) {
        device_.insert_strings(bits_, of.some, of.base, mean_bytes(of.some), mix_, on);
        return;
    }
    each_source(of, on, [&](const source& keys, std::uint64_t /*first*/) { insert(keys, on); });
}

void filter::work::ask(const part& of, std::uint64_t* maybe, stream on) const {
    if (at_once(of, detail::purpose::ask)) {
        device_.ask_strings(bits_, of.some, of.base, mean_bytes(of.some), mix_,
                            maybe + of.first / 64, on);
        return;
    }
    each_source(of, on, [&](const source& keys, std::uint64_t first) {
        ask(keys, maybe + first / 64, on);
    });
}

void filter::work::try_insert(const part& of, std::uint64_t* fresh, stream on) const {
    each_source(of, on, [&](const source& keys, std::uint64_t first) {
        device_.try_insert(bits_, keys, fresh + first / 64, on);
    });
}

template <class Do>
bool filter::work::has_memory_for(Do act) {
    try {
        act();
        return true;
    } catch (const memory_refused&) { // somebody else has taken what was free
        return false;
    }
}

void filter::work::insert(const source& keys, stream on) const {
    const detail::sort_plan how = plan(keys.count, keys.entry_bytes(), detail::purpose::insert);
    if (!how.sorts || !has_memory_for([&] { insert_sorted(keys, how, on); })) {
        device_.insert(bits_, keys, on); // also the keys that are in: nothing changes for them
    }
}

void filter::work::insert_sorted(const source& keys, const detail::sort_plan& how,
                                 stream on) const {
    const std::uint64_t counts = aligned(std::uint64_t{4} << how.bits);
    const borrowed memory(device_,
                          counts + (std::uint64_t{how.room} << how.bits) * keys.entry_bytes(), on);
    const detail::sorting by{how.bits, how.room, memory.data() + counts,
                             memory.at<std::uint32_t>(0), nullptr};
    for (std::uint64_t from = 0; from < keys.count; from += how.keys) {
        const source round = keys.part(from, std::min(how.keys, keys.count - from));
        device_.zero(by.counts, counts, on);
        device_.sort(bits_, round, by, on);
        device_.insert_sorted(bits_, by, keys.wide(), how.shared, on);
    }
}

void filter::work::ask(const source& keys, std::uint64_t* maybe, stream on) const {
    const detail::sort_plan how = plan(keys.count, keys.entry_bytes(), detail::purpose::ask);
    if (!how.sorts || !has_memory_for([&] { ask_sorted(keys, how, maybe, on); })) {
        device_.ask(bits_, keys, maybe, on);
    }
}

void filter::work::ask_sorted(const source& keys, const detail::sort_plan& how,
                              std::uint64_t* maybe, stream on) const {
    const std::uint64_t counts = aligned(std::uint64_t{4} << how.bits);
    const std::uint64_t slots = aligned(std::min(how.keys, keys.count) * 4);
    const std::uint64_t places = std::uint64_t{how.room} << how.bits;
    const std::uint64_t answers = aligned(places / 8);
    const borrowed memory(device_, counts + slots + answers + places * keys.entry_bytes(), on);
    const detail::sorting by{how.bits, how.room, memory.data() + counts + slots + answers,
                             memory.at<std::uint32_t>(0), memory.at<std::uint32_t>(counts)};
    auto* const bits = memory.at<std::uint32_t>(counts + slots);
    for (std::uint64_t from = 0; from < keys.count; from += how.keys) {
        const source round = keys.part(from, std::min(how.keys, keys.count - from));
        device_.zero(by.counts, counts, on);
        device_.sort(bits_, round, by, on);
        device_.ask_sorted(bits_, by, keys.wide(), bits, on);
        device_.collect(bits_, round, by, bits, maybe + from / 64, on);
    }
}

} // namespace bloomery::inline v0::gpu
