#include "verbs/build_cascade.hpp"

#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>

#include "verbs/exact.hpp"
#include "wording.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace bloomery::cli {

namespace {

std::uint64_t expected_others(const cascade_inputs& from, std::uint64_t stored) {
    if (const auto counted = count_records(from.out, from.keys.format.delimiter)) return *counted;
    constexpr std::uint64_t for_each_stored = 10;
    return from.others ? from.others->value : for_each_stored * stored;
}

} // namespace

cascade build_cascade_of(const cascade_inputs& from, const native_hash& hash) {
    const any_filter hasher = make_filter({layout_kind::classic, 64, 1}, hash.widened());
    cascade_builder builder({hash});
    std::uint64_t stored = 0;
    for_each_batch(from.in, from.keys, "cascade, in", hasher, [&](const record_batch& batch) {
        for (const digest128 key : batch.keys.digests()) builder.store(key);
        stored += batch.records.size();
        return true;
    });
    builder.begin_others(items{expected_others(from, stored)});
    for_each_batch(from.out, from.keys, "cascade, out", hasher, [&](const record_batch& batch) {
        const any_filter::digests keys = batch.keys.digests();
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (builder.exclude(keys[i])) continue;
            throw bad_argument(fmt::format("{} is both in {} and in {}; remove it from one of "
                                           "them",
                                           in_quotes(key_of(batch.records[i], 0, from.keys.format)),
                                           from.in.front().name(), from.out.front().name()));
        }
        return true;
    });
    return builder.finish();
}

} // namespace bloomery::cli
