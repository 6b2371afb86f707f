// Inserts and queries of keys in Redis filters.
#include <bloomery/detail/plan/text.hpp>
#include <bloomery/redis/filter.hpp>

#include "bit_batch.hpp"
#include "exchange.hpp"
#include "filter_state.hpp"

#include <algorithm>
#include <array>

namespace bloomery::inline v0::redis {

namespace {

/// A few megabytes of commands: enough to saturate the connection without using much memory.
std::size_t keys_in_a_batch(std::uint32_t hash_count) {
    constexpr std::size_t most_probes = std::size_t{1} << 18U;
    return std::clamp<std::size_t>(most_probes / hash_count, 1, 8192);
}

/// How often a filter may be recreated during one call.
constexpr int most_changes = 16;

/// Sent with every batch: checks whether the filter is still the same.
request question(const filter_facts& of, const std::string& name) {
    return of.is_split ? request::of("HMGET", split_key(name), "id", "state")
                       : request::of("HMGET", config_key(name), "size", "hashIterations");
}

bool still_holds(const filter_facts& of, const reply& told) {
    if (told.elements.size() != 2) return false;
    const std::string& first = told.elements[0].text;
    const std::string& second = told.elements[1].text;
    return of.is_split ? first == of.id && second == "ready"
                       : first == std::to_string(of.shape.shard_bits) &&
                             second == std::to_string(of.shape.hash_count);
}

/// Removes what an insert left behind after the filter was dropped. A shard with a config stays:
/// somebody has recreated the filter. If the filter is not split, the name may belong to somebody
/// else by now: the value is ours only if it has exactly our bits.
void remove_strays(client& via, const filter_facts& of, const std::string& name,
                   const bit_batch& batch) {
    constexpr std::string_view unless_configured = R"(
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
if ARGV[1] then
  if redis.call('TYPE', KEYS[1]).ok ~= 'string' then return 0 end
  if redis.call('BITCOUNT', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
end
return redis.call('UNLINK', KEYS[1]))";
    std::vector<std::string> ones;
    if (!of.is_split) ones.push_back(std::to_string(batch.distinct_places()));
    std::vector<request> all;
    for (const std::uint64_t shard : batch.shards()) {
        const std::string bits = of.key_of(name, shard);
        all.push_back(script(unless_configured, std::array{bits, config_key(bits)}, ones));
    }
    static_cast<void>(via.exchange(all));
}

/// Calls `run` with batches until one returns a reason why it did not complete, or throws.
template <class Run>
std::string in_batches(std::span<const digest128> keys, std::uint32_t hash_count, Run run) {
    const std::size_t most = keys_in_a_batch(hash_count);
    for (std::size_t first = 0; first < keys.size(); first += most) {
        std::string failure = run(keys.subspan(first, std::min(most, keys.size() - first)), first);
        if (!failure.empty()) return failure;
    }
    return {};
}

} // namespace

/// One call on a handle.
class filter_calls {
public:
    filter_calls(const redis_filter& of, bit_verb verb) : of_(of), verb_(verb) {}

    /// Does one batch, and repeats it if the filter was recreated. Returns why some answers did not
    /// arrive, if so.
    std::string run(std::span<const digest128> keys, std::size_t first, key_answers& into) {
        for (int change = 0; change < most_changes; ++change) {
            const filter_facts facts = of_.known();
            bit_batch batch(facts, of_.name_, of_.probing_, verb_, keys);
            std::vector<request>& requests = batch.requests();
            if (facts.is_configured) requests.push_back(question(facts, of_.name_));
            const std::vector<answer> answers =
                of_.via_.exchange(requests, verb_ == bit_verb::ask ? 0 : of_.replicas_);
            if (facts.is_configured) {
                const answer& told = answers.back();
                if (!told.arrived)
                    return told.failure; // to which filter the others belong is unknown
                if (!still_holds(facts, told.reply)) {
                    follow(facts, batch);
                    // Bits that we find set may be our own from the first attempt.
                    for (std::size_t i = 0; i < keys.size(); ++i) into.repeated.set(first + i);
                    continue;
                }
            }
            batch.read(answers, first, into);
            if (batch.failure().empty()) batch.require_places(first, into);
            return batch.failure();
        }
        throw no_such_filter("the filter " + of_.name_ +
                             " keeps being replaced by another client; try again later");
    }

private:
    /// Reads the current facts of the filter. Throws no_such_filter if there is none.
    void follow(const filter_facts& believed, const bit_batch& batch) {
        const auto tidy = [&] {
            if (verb_ != bit_verb::ask) remove_strays(of_.via_, believed, of_.name_, batch);
        };
        try {
            of_.state_->set(read_facts(of_.via_, of_.name_));
        } catch (const no_such_filter&) {
            tidy();
            throw;
        }
        tidy();
    }

    const redis_filter& of_;
    bit_verb verb_;
};

void redis_filter::try_insert_many(std::span<const digest128> keys, bitmap& fresh,
                                   bitmap& doubtful) {
    key_answers all(keys.size());
    const auto tell = [&] {
        fresh.reset(keys.size());
        doubtful.reset(keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            fresh.set(i, all.arrived[i] && !all.full[i]);
            doubtful.set(i, !all.arrived[i] || (all.repeated[i] && all.full[i]));
        }
    };
    std::string failure;
    try {
        const bit_verb verb = replicas_ > 0 ? bit_verb::set_and_wait : bit_verb::set;
        failure = in_batches(keys, shape().hash_count, [&](auto some, std::size_t first) {
            return filter_calls(*this, verb).run(some, first, all);
        });
    } catch (...) {
        tell();
        throw;
    }
    tell();
    if (failure.empty()) return;
    throw partly_stored(failure + ": " + plan::grouped(all.arrived.count()) + " of " +
                            plan::counted(keys.size(), "key") +
                            " are stored; the state of the others is unknown; insert all of them "
                            "again, which does no harm",
                        all.arrived);
}

void redis_filter::try_insert_many(std::span<const digest128> keys, bitmap& fresh) {
    bitmap doubtful;
    try_insert_many(keys, fresh, doubtful);
}

void redis_filter::insert_many(std::span<const digest128> keys) {
    bitmap fresh;
    try_insert_many(keys, fresh);
}

void redis_filter::may_contain_many(std::span<const digest128> keys, bitmap& maybe) const {
    if (!state_) return maybe.reset(keys.size());
    key_answers all(keys.size());
    const std::string failure =
        in_batches(keys, shape().hash_count, [&](auto some, std::size_t first) {
            return filter_calls(*this, bit_verb::ask).run(some, first, all);
        });
    if (!failure.empty()) throw unreachable(failure);
    maybe = std::move(all.full);
}

bool redis_filter::insert_one(digest128 key) {
    bitmap fresh;
    try_insert_many(std::span(&key, 1), fresh);
    return fresh[0];
}

bool redis_filter::ask_one(digest128 key) const {
    bitmap maybe;
    may_contain_many(std::span(&key, 1), maybe);
    return maybe[0];
}

} // namespace bloomery::inline v0::redis
