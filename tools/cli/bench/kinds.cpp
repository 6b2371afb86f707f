// The cases of the other kinds of filter: those that delete, count, grow and forget.
#include <bloomery/filter/accurate.hpp>
#include <bloomery/filter/counting.hpp>
#include <bloomery/filter/dleft.hpp>
#include <bloomery/filter/dynamic_count.hpp>
#include <bloomery/filter/scalable.hpp>
#include <bloomery/filter/spectral.hpp>
#include <bloomery/filter/window.hpp>

#include "bench/filters.hpp"

#include <memory>
#include <string>
#include <vector>

namespace bloomery::cli {

namespace {

/// Keys that are not in, a segment for each segment of those that are.
using new_keys = std::shared_ptr<const std::vector<std::vector<std::uint64_t>>>;

new_keys made_new(const bench_keys& keys) {
    auto made = std::make_shared<std::vector<std::vector<std::uint64_t>>>();
    // Far past the numbers of those that are in and of those that are asked for.
    std::uint64_t next = std::uint64_t{1} << 60U;
    for (std::size_t segment = 0; segment < keys.segment_count(); ++segment) {
        std::vector<std::uint64_t>& some = made->emplace_back();
        for (std::size_t i = 0; i < segment_length; ++i) {
            some.push_back(splitmix64(next++));
        }
    }
    return made;
}

template <class Kind>
void add_lookups(bench_cases& to, const shared_keys& keys, const std::string& name,
                 const std::shared_ptr<Kind>& made) {
    add_lookup(to, *keys, bulk_lookup, name, made->byte_count(),
               [keys, made](std::size_t segment, bitmap& maybe) {
                   made->may_contain_many(keys->mixed(segment), maybe);
               });
    to.push_back({single_lookup, name, made->byte_count(), to.back().rate_measured,
                  [keys, made](std::size_t segment) {
                      std::uint64_t yes = 0;
                      for (const std::uint64_t key : keys->mixed(segment)) {
                          yes += made->may_contain(key) ? 1U : 0U;
                      }
                      keep(yes);
                  }});
}

/// An insert and the erase that undoes it, which therefore must follow it in the list of cases.
template <class Kind>
void add_changes(bench_cases& to, const new_keys& fresh, const std::string& name,
                 const std::shared_ptr<Kind>& made) {
    const auto add = [&](const char* operation, auto run) {
        to.push_back({operation, name, made->byte_count(), {}, std::move(run)});
    };
    add(bulk_insert, [fresh, made](std::size_t segment) { made->insert_many((*fresh)[segment]); });
    add(bulk_erase, [fresh, made, erased = bitmap()](std::size_t segment) mutable {
        made->erase_many((*fresh)[segment], erased);
        keep(erased.words().data());
    });
    add(single_insert, [fresh, made](std::size_t segment) {
        for (const std::uint64_t key : (*fresh)[segment]) keep(made->try_insert(key).fresh);
    });
    add(single_erase, [fresh, made](std::size_t segment) {
        for (const std::uint64_t key : (*fresh)[segment]) {
            keep(made->erase(key) == bloomery::status::ok);
        }
    });
}

/// Makes and fills one, and adds its cases.
template <class Kind, class Options>
void add_kind(bench_cases& to, const shared_keys& keys, const new_keys& fresh,
              const std::string& name, const Options& options) {
    const items room{keys->item_count() + 2 * segment_length};
    const auto made = std::make_shared<Kind>(room, rate{bench_rate}, options);
    keys->each_held([&](std::span<const std::uint64_t> some) { made->insert_many(some); });
    add_lookups(to, keys, name, made);
    if constexpr (requires(bitmap& erased) { made->erase_many((*fresh)[0], erased); }) {
        add_changes(to, fresh, name, made);
    } else {
        to.push_back({bulk_insert, name, made->byte_count(), {}, [keys, made](std::size_t segment) {
                          made->insert_many(keys->members(segment));
                      }});
    }
}

} // namespace

void add_kinds(bench_cases& to, const shared_keys& keys) {
    const new_keys fresh = made_new(*keys);
    using lines = counting_options;
    add_kind<counting_filter>(to, keys, fresh, "counting", lines{});
    add_kind<counting_filter>(to, keys, fresh, "counting, blocked",
                              lines{.counter_bits = 4, .layout = counter_layout::blocked});
    add_kind<spectral_filter>(to, keys, fresh, "spectral", spectral_options{});
    add_kind<minimal_increase_filter>(to, keys, fresh, "minimal increase", spectral_options{});
    add_kind<dynamic_count_filter>(to, keys, fresh, "dynamic-count", dynamic_count_options{});
    add_kind<dleft_filter>(to, keys, fresh, "dleft", dleft_options{});
    add_kind<accurate_filter>(to, keys, fresh, "accurate, 512",
                              accurate_options{.block_bits = 512});
    add_kind<accurate_filter>(to, keys, fresh, "accurate, 2048",
                              accurate_options{.block_bits = 2048});
    add_kind<scalable_filter>(to, keys, fresh, "scalable", scalable_options{});
    add_kind<window_filter>(to, keys, fresh, "window", window_options{});
}

} // namespace bloomery::cli
