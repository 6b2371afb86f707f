// The cases of this library: every layout, in bulk and one by one, alone and by two threads.
#pragma once

#include <bloomery/filter/filter.hpp>

#include "bench/harness.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bloomery::cli {

/// The operations, as results name them. Inserts insert keys again that are in: a filter stays as
/// full as it was made for, and each key takes the same way through the code and the memory.
inline constexpr const char* bulk_lookup = "bulk lookup";
inline constexpr const char* bulk_insert = "bulk insert";
inline constexpr const char* single_lookup = "lookup, one by one";
inline constexpr const char* single_insert = "insert, one by one";
inline constexpr const char* bulk_erase = "bulk erase";
inline constexpr const char* single_erase = "erase, one by one";

/// A filter that holds its keys, and what it is called.
struct held_filter {
    layout_kind layout;
    std::shared_ptr<filter> bits;
};

/// One filled filter of each native layout. O(n). Throws memory_refused.
[[nodiscard]] std::vector<held_filter> filled_filters(const bench_keys& keys);

/// Adds the floors, all cases of this library, and std::unordered_set, which is left out past 20
/// million keys: there it would take gigabytes. The filters' answers are checked first: throws as
/// `checked_rate` does, and memory_refused.
void add_filters(bench_cases& to, const shared_keys& keys, const std::vector<held_filter>& filters);

/// Adds the other kinds: lookups, inserts of new keys and, where a kind has them, erases of the
/// same keys, so that every round leaves the filter as it was. Filters are made for the keys that
/// they hold and those of two segments more. Throws as `checked_rate` does, and memory_refused.
void add_kinds(bench_cases& to, const shared_keys& keys);

/// One case, which looks up segments: `ask` gives the answers. Throws as `checked_rate` does.
template <class Ask>
void add_lookup(bench_cases& to, const bench_keys& keys, const char* operation,
                const std::string& subject, std::uint64_t byte_count, const Ask& ask) {
    to.push_back({operation, subject, byte_count, checked_rate(keys, subject, ask),
                  [ask, maybe = bitmap()](std::size_t segment) mutable {
                      ask(segment, maybe);
                      keep(maybe.words().data());
                  }});
}

/// Two cases, which look up and insert key by key: `ask(key)` and `insert(key)` give a bool. They
/// are inlined where this is used, with the vectors that its compiler may use. Throws as
/// `checked_rate` does.
template <class Ask, class Insert>
void add_one_by_one(bench_cases& to, const shared_keys& keys, const std::string& subject,
                    std::uint64_t byte_count, const Ask& ask, const Insert& insert) {
    const double rate_measured =
        checked_rate(*keys, subject, [&keys, &ask](std::size_t segment, bitmap& maybe) {
            maybe.reset(segment_length);
            for (std::size_t i = 0; i < segment_length; ++i) {
                maybe.set(i, ask(keys->mixed(segment)[i]));
            }
        });
    const auto over = [](std::span<const std::uint64_t> all, const auto& call) {
        std::uint64_t yes = 0;
        for (const std::uint64_t key : all) {
            yes += call(key) ? 1U : 0U;
        }
        keep(yes);
    };
    to.push_back({single_lookup, subject, byte_count, rate_measured,
                  [=](std::size_t segment) { over(keys->mixed(segment), ask); }});
    to.push_back({single_insert, subject, byte_count, {}, [=](std::size_t segment) {
                      over(keys->members(segment), insert);
                  }});
}

/// The same for a filter of any type.
template <class Filter>
void add_one_by_one(bench_cases& to, const shared_keys& keys, const std::string& subject,
                    const std::shared_ptr<Filter>& bits) {
    add_one_by_one(
        to, keys, subject, bits->byte_count(),
        [bits](std::uint64_t key) { return bits->may_contain(key); },
        [bits](std::uint64_t key) { return bool(bits->try_insert(key)); });
}

} // namespace bloomery::cli
