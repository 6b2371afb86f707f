#include "bench/filters.hpp"

#include <bloomery/plan/sizing.hpp>

#include "bench/floors.hpp"
#include "bench/partner.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>
#include <unordered_set>

namespace bloomery::cli {

namespace {

constexpr std::array layouts{layout_kind::split_8x32, layout_kind::split_8x64,
                             layout_kind::split_16x32, layout_kind::blocked_512,
                             layout_kind::classic};
constexpr std::uint64_t largest_set = 20'000'000;

std::shared_ptr<filter> empty_filter(const bench_keys& keys, layout_kind layout) {
    const std::uint64_t n = keys.item_count();
    return std::make_shared<filter>(plan::for_rate(items{n}, rate{bench_rate}, layout),
                                    native_hash{}, design{n, bench_rate});
}

std::string filter_name(const held_filter& of) { return std::string(plan::name_of(of.layout)); }

/// The two layouts that are measured in every way.
bool is_usual(const held_filter& of) {
    return of.layout == layout_kind::split_8x32 || of.layout == layout_kind::split_8x64;
}

/// A case of a filter that asks for nothing.
template <class Run>
void add_work(bench_cases& to, const char* operation, const held_filter& of, Run run) {
    to.push_back({operation, filter_name(of), of.bits->byte_count(), {}, std::move(run)});
}

void add_bulk_lookup(bench_cases& to, const shared_keys& keys, const held_filter& of) {
    add_lookup(to, *keys, bulk_lookup, filter_name(of), of.bits->byte_count(),
               [keys, bits = of.bits](std::size_t segment, bitmap& maybe) {
                   bits->may_contain_many(keys->mixed(segment), maybe);
               });
}

void add_bulk_insert(bench_cases& to, const shared_keys& keys, const held_filter& of) {
    add_work(to, bulk_insert, of, [keys, bits = of.bits](std::size_t segment) {
        bits->insert_many(keys->members(segment));
        keep(bits->words().data());
    });
}

void add_bulk_try_insert(bench_cases& to, const shared_keys& keys, const held_filter& of) {
    if (of.bits->try_insert_many(keys->members(0)).count() != 0) {
        throw std::logic_error(filter_name(of) + " reports a key that it holds as new");
    }
    add_work(to, "bulk try_insert", of,
             [keys, bits = of.bits, fresh = bitmap()](std::size_t segment) mutable {
                 bits->try_insert_many(keys->members(segment), fresh);
                 keep(fresh.words().data());
             });
}

void add_bulk_lookup_of_urls(bench_cases& to, const shared_keys& keys, const held_filter& of) {
    const auto bits = empty_filter(*keys, of.layout);
    url_arena arena;
    keys->each_held([&](std::span<const std::uint64_t> some) {
        arena.assign(some);
        bits->insert_many(arena.urls());
    });
    add_lookup(to, *keys, "bulk lookup of URLs", filter_name(of), bits->byte_count(),
               [keys, bits](std::size_t segment, bitmap& maybe) {
                   bits->may_contain_many(keys->urls(segment), maybe);
               });
}

void add_two_threads(bench_cases& to, const shared_keys& keys, const held_filter& of,
                     const std::shared_ptr<partner>& other) {
    add_work(to, "bulk insert, 2 threads", of, [keys, bits = of.bits, other](std::size_t segment) {
        const auto view = bits->shared();
        const std::span all = keys->members(segment);
        const std::size_t half = all.size() / 2;
        other->run_both([&] { view.insert_many(all.first(half)); },
                        [&] { view.insert_many(all.subspan(half)); });
        keep(bits->words().data());
    });
}

void add_set(bench_cases& to, const shared_keys& keys) {
    const auto set = std::make_shared<std::unordered_set<std::uint64_t>>();
    set->reserve(keys->item_count());
    keys->each_held(
        [&](std::span<const std::uint64_t> some) { set->insert(some.begin(), some.end()); });
    // A bucket is a pointer; a node is a pointer, a key, and what malloc rounds up to.
    const std::uint64_t byte_count = set->bucket_count() * 8 + set->size() * 32;
    add_one_by_one(
        to, keys, "std::unordered_set", byte_count,
        [set](std::uint64_t key) { return set->contains(key); },
        [set](std::uint64_t key) { return set->insert(key).second; });
}

} // namespace

std::vector<held_filter> filled_filters(const bench_keys& keys) {
    std::vector<held_filter> filters;
    for (const layout_kind layout : layouts) {
        filters.push_back({layout, empty_filter(keys, layout)});
        keys.each_held(
            [&](std::span<const std::uint64_t> some) { filters.back().bits->insert_many(some); });
    }
    return filters;
}

void add_filters(bench_cases& to, const shared_keys& keys,
                 const std::vector<held_filter>& filters) {
    const auto usual = std::ranges::find(filters, layout_kind::split_8x64, &held_filter::layout);
    add_floors(to, keys, usual->bits->byte_count());
    for (const held_filter& each : filters) add_bulk_lookup(to, keys, each);
    for (const held_filter& each : filters) add_bulk_insert(to, keys, each);
    const auto other = std::make_shared<partner>();
    const auto add_usual = [&](const auto& add) {
        for (const held_filter& each : filters) {
            if (is_usual(each)) add(each);
        }
    };
    add_usual([&](const held_filter& f) { add_bulk_try_insert(to, keys, f); });
    add_usual([&](const held_filter& f) { add_two_threads(to, keys, f, other); });
    add_usual([&](const held_filter& f) { add_bulk_lookup_of_urls(to, keys, f); });
    add_usual([&](const held_filter& f) { add_one_by_one(to, keys, filter_name(f), f.bits); });
    if (keys->item_count() <= largest_set) add_set(to, keys);
}

} // namespace bloomery::cli
