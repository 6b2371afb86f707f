// What the files of the commands CF.* share.
#pragma once

#include "call.hpp"
#include "cuckoo_filter.hpp"
#include "time_limit.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace bloomery::redis_module {

/// Calls `each(item, hash)` for all items in order, or `late(item)` for those that are left when
/// the command took too long. Those of a slice are hashed first, so that the memory brings the
/// buckets of many while one is looked at. An item reads at most `steps` buckets besides those of
/// each sub-filter.
template <class Each, class Late>
void for_each_item(const call& of, const cuckoo_filter& in, std::span<text* const> items,
                   std::uint64_t steps, Each each, Late late) {
    constexpr std::uint64_t buckets_in_a_slice = std::uint64_t{1} << 12U; // each in a new page
    if (items.size() == 1) return each(items[0], cuckoo_filter::hash(key_bytes(items[0])));
    std::array<std::uint64_t, longest_run> hashes;
    const auto slice = [&] { return slice_of(2 * in.filters() + steps, buckets_in_a_slice); };
    time_limit time(of, items.size(), slice());
    while (!items.empty() && !time.is_over(in.filters())) {
        const auto run = items.first(std::min(items.size(), slice()));
        for (std::size_t i = 0; i < run.size(); ++i) {
            hashes[i] = cuckoo_filter::hash(key_bytes(run[i]));
            in.prefetch(hashes[i]);
        }
        for (std::size_t i = 0; i < run.size(); ++i) each(run[i], hashes[i]);
        items = items.subspan(run.size());
    }
    for (text* const item : items) late(item);
}

/// The error of a filter that would take too many bytes: of the setting or, if that is not why, the
/// one given.
const char* cuckoo_over_limit(const char* no_memory) noexcept;

/// For commands that make a key: it holds a filter already, or something else.
[[noreturn]] void refuse_existing(const open_key& key);

/// Makes the type and the commands CF.*. Returns `failed` if the server refuses one.
int register_cuckoo(context* in);

// The commands that make filters and add items: cuckoo_insert.cpp.
void cuckoo_reserve(const call& of);
void cuckoo_add(const call& of);
void cuckoo_add_if_absent(const call& of);
void cuckoo_insert(const call& of);
void cuckoo_insert_if_absent(const call& of);

} // namespace bloomery::redis_module
