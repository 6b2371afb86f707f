#include "verbs/uniq_redis.hpp"

#include <bloomery/error.hpp>
#include <bloomery/redis/client.hpp>

#include "output/output.hpp"
#include "redis_access.hpp"
#include "standard_streams.hpp"
#include "verbs/capacity_watch.hpp"
#include "wording.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>

namespace bloomery::cli {

namespace {

opened_filter open_state(redis_access& at, const shared_state& with) {
    if (!with.n && !at.exists(with.name)) {
        throw bad_argument("a new --state needs the number of distinct lines over all its runs: "
                           "give -n");
    }
    opened_filter seen{with.n ? at.open_or_create(with.name, *with.n, with.p) : at.open(with.name)};
    const std::uint64_t capacity = seen.filter.made_for().item_capacity;
    if (with.n && with.n->value != capacity) {
        warn(fmt::format("{} was made for {}, and -n does not change that", with.name,
                         counted(capacity, "line")));
    }
    return seen;
}

/// The lines that are ours, and those that the server may have given to us or to another: better
/// printed twice than never.
bitmap either(const bitmap& fresh, const bitmap& doubtful) {
    bitmap both = fresh;
    for (std::size_t i = 0; i < doubtful.words().size(); ++i) both.data()[i] |= doubtful.words()[i];
    return both;
}

} // namespace

bool uniq_in_redis(const shared_state& with, std::span<const input> inputs) {
    const std::unique_ptr<redis_access> at = connect_to_redis(with.access.redis);
    opened_filter seen = open_state(*at, with);
    const key_options reading = seen.reading(with.keys);
    output out(STDOUT_FILENO, "standard output");
    capacity_watch watch(seen.filter, surely_held(seen.filter));
    bitmap fresh;
    bitmap doubtful;
    std::uint64_t doubtful_count = 0;
    const auto print = [&](const record_batch& batch) {
        write_selected(out, batch.records, either(fresh, doubtful), !with.repeated,
                       reading.format.delimiter);
        out.flush(); // what is claimed is nobody else's to print
    };
    for_each_batch(inputs, reading, "uniq", seen.filter, [&](const record_batch& batch) {
        try {
            at->claim(seen.filter, batch.keys.digests(), fresh, doubtful);
        } catch (const redis::redis_error&) {
            print(batch); // some may be claimed
            throw;
        }
        print(batch);
        doubtful_count += doubtful.count();
        watch.add(fresh.count());
        return true;
    });
    out.close();
    if (doubtful_count > 0) {
        warn(fmt::format("{} may have been printed by two processes: the connection broke while "
                         "Redis was asked about them",
                         counted(doubtful_count, "line")));
    }
    return watch.overfilled();
}

} // namespace bloomery::cli
