#include "uniq_redis.hpp"

#include <bloomery/error.hpp>
#include <bloomery/redis/error.hpp>

#include "capacity_watch.hpp"
#include "output.hpp"
#include "redis_access.hpp"
#include "selection.hpp"
#include "units.hpp"
#include "warn.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>

namespace bloomery::cli {

namespace {

opened_filter open_state(redis_access& at, const shared_state& with) {
    if (!with.n && !at.exists(with.name)) {
        throw bad_argument("a new --state must know how many distinct lines it will see in all "
                           "its runs: give -n");
    }
    opened_filter seen{with.n ? at.open_or_create(with.name, *with.n, with.p) : at.open(with.name)};
    const std::uint64_t capacity = seen.filter.made_for().item_capacity;
    if (with.n && with.n->value != capacity) {
        warn(fmt::format("{} was made for {}, and -n does not change that", with.name,
                         counted(capacity, "line")));
    }
    return seen;
}

/// The claims of one batch of lines.
class claims {
public:
    /// Throws as redis_filter::try_insert_many; after partly_stored, what is not known is doubtful.
    void make(redis_access& at, any_filter& seen, any_filter::digests keys) {
        at.claim(seen, keys, fresh_, doubtful_);
    }

    [[nodiscard]] const bitmap& fresh() const noexcept { return fresh_; }
    /// How many the server may have given to us or to another: better printed twice than never.
    [[nodiscard]] std::size_t doubtful() const noexcept { return doubtful_.count(); }
    [[nodiscard]] bitmap fresh_or_doubtful() const {
        bitmap both = fresh_;
        for (std::size_t i = 0; i < doubtful_.words().size(); ++i) {
            both.data()[i] |= doubtful_.words()[i];
        }
        return both;
    }

private:
    bitmap fresh_;
    bitmap doubtful_;
};

} // namespace

bool uniq_in_redis(const shared_state& with, std::span<const input> inputs) {
    const std::unique_ptr<redis_access> at = connect_to_redis(with.access.redis);
    opened_filter seen = open_state(*at, with);
    key_options reading = with.keys;
    reading.kind_of_filter = seen.usual_keys();
    output out(STDOUT_FILENO, "standard output");
    capacity_watch watch(seen.filter, surely_held(seen.filter));
    claims claimed;
    std::uint64_t doubtful = 0;
    const auto print = [&](const record_batch& batch, const bitmap& bits) {
        write_selected(out, batch.records, bits, !with.repeated, reading.format.delimiter);
        out.flush(); // what is claimed is nobody else's to print
    };
    for_each_batch(inputs, reading, "uniq", seen.filter, [&](const record_batch& batch) {
        try {
            claimed.make(*at, seen.filter, batch.keys.digests());
        } catch (const redis::redis_error&) {
            print(batch,
                  claimed.fresh_or_doubtful()); // some may be claimed: better twice than never
            throw;
        }
        print(batch, claimed.fresh_or_doubtful());
        doubtful += claimed.doubtful();
        watch.add(claimed.fresh().count());
        return true;
    });
    out.close();
    if (doubtful > 0) {
        warn(fmt::format("{} may have been printed by two processes: the connection broke while "
                         "Redis was asked about them",
                         counted(doubtful, "line")));
    }
    return watch.overfilled();
}

} // namespace bloomery::cli
