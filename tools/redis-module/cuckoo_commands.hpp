// What the files of the commands CF.* share.
#pragma once

#include "call.hpp"
#include "cuckoo_filter.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace bloomery::redis_module {

/// Calls `each(item, hash)` for all items in order. Those of a run are hashed first, so that the
/// memory brings the buckets of many while one is looked at.
template <class Each>
void for_each_item(const cuckoo_filter& in, std::span<text* const> items, Each each) {
    std::array<std::uint64_t, longest_run> hashes;
    while (!items.empty()) {
        const auto run = items.first(std::min(items.size(), longest_run));
        for (std::size_t i = 0; i < run.size(); ++i) {
            hashes[i] = cuckoo_filter::hash(key_bytes(run[i]));
            in.prefetch(hashes[i]);
        }
        for (std::size_t i = 0; i < run.size(); ++i) each(run[i], hashes[i]);
        items = items.subspan(run.size());
    }
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
