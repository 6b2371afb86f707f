// Keys into filters in Redis, and questions.
#include <bloomery/redis/filter.hpp>

#include "bit_batch.hpp"
#include "exchange.hpp"
#include "filter_state.hpp"

#include <algorithm>
#include <array>

namespace bloomery::redis {

namespace {

/// Some megabytes of commands: enough to fill a line, and not so much that it shows in memory.
constexpr std::size_t keys_in_a_batch = 8192;

/// How often a filter may be made anew during one call.
constexpr int most_changes = 16;

/// Goes along with every batch: is the filter still what we believe?
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

/// Takes away what an insert left of a filter that was no longer there. Of a shard that has its
/// config again the bits stay: somebody has made the filter anew.
void remove_strays(client& via, const filter_facts& of, const std::string& name,
                   const std::vector<std::uint64_t>& shards) {
    constexpr std::string_view unless_configured =
        "if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('UNLINK', KEYS[1]) end return 1";
    std::vector<request> all;
    for (const std::uint64_t shard : shards) {
        const std::string bits = of.is_split ? shard_key(name, shard) : name;
        all.push_back(script(unless_configured, std::array{bits, config_key(bits)}));
    }
    static_cast<void>(via.exchange(all));
}

/// Where the answers of a call go.
struct results {
    bitmap full;
    bitmap arrived;
    bitmap repeated;

    explicit results(std::size_t keys) : full(keys), arrived(keys), repeated(keys) {}

    void take(const bit_batch& from, std::size_t first) {
        for (std::size_t i = 0; i < from.full().bit_count(); ++i) {
            if (from.full()[i]) full.set(first + i);
            if (from.arrived()[i]) arrived.set(first + i);
            if (from.repeated()[i]) repeated.set(first + i);
        }
    }
};

} // namespace

/// One call on a handle.
class filter_calls {
public:
    filter_calls(const redis_filter& of, bit_verb verb) : of_(of), verb_(verb) {}

    /// Does one batch, and does it again if the filter was made anew. Returns why some answers did
    /// not come, if so.
    std::string run(std::span<const digest128> keys, std::size_t first, results& into) {
        for (int change = 0; change < most_changes; ++change) {
            const filter_facts facts = of_.state_->now();
            bit_batch batch(facts, of_.name_, of_.probing_, verb_, keys);
            std::vector<request>& requests = batch.requests();
            if (facts.is_configured) requests.push_back(question(facts, of_.name_));
            const std::vector<answer> answers =
                of_.via_.exchange(requests, verb_ == bit_verb::set ? of_.replicas_ : 0);
            if (facts.is_configured) {
                const answer& told = answers.back();
                if (!told.arrived) return told.failure; // of what filter the others are is unknown
                if (!still_holds(facts, told.reply)) {
                    follow(facts, batch);
                    continue;
                }
            }
            batch.read(answers);
            into.take(batch, first);
            if (batch.failure().empty()) batch.require_places();
            return batch.failure();
        }
        throw missing("the filter " + of_.name_ + " is made anew again and again");
    }

private:
    /// Finds out what the filter is now. Throws missing if it is none.
    void follow(const filter_facts& believed, const bit_batch& batch) {
        try {
            of_.state_->set(read_facts(of_.via_, of_.name_));
        } catch (const missing&) {
            if (verb_ == bit_verb::set) {
                remove_strays(of_.via_, believed, of_.name_, batch.shards());
            }
            throw;
        }
    }

    const redis_filter& of_;
    bit_verb verb_;
};

void redis_filter::try_insert_many(std::span<const digest128> keys, bitmap& fresh,
                                   bitmap& doubtful) {
    results all(keys.size());
    fresh.reset(keys.size());
    doubtful.reset(keys.size());
    std::string failure;
    for (std::size_t first = 0; first < keys.size() && failure.empty(); first += keys_in_a_batch) {
        const auto some = keys.subspan(first, std::min(keys_in_a_batch, keys.size() - first));
        failure = filter_calls(*this, bit_verb::set).run(some, first, all);
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        fresh.set(i, all.arrived[i] && !all.full[i]);
        doubtful.set(i, !all.arrived[i] || (all.repeated[i] && all.full[i]));
    }
    if (failure.empty()) return;
    throw partly_stored(failure + ": " + std::to_string(all.arrived.count()) + " of " +
                            std::to_string(keys.size()) +
                            " keys are stored, and of the others it is unknown; insert them again, "
                            "which does no harm",
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
    results all(keys.size());
    for (std::size_t first = 0; first < keys.size(); first += keys_in_a_batch) {
        const auto some = keys.subspan(first, std::min(keys_in_a_batch, keys.size() - first));
        const std::string failure = filter_calls(*this, bit_verb::ask).run(some, first, all);
        if (!failure.empty()) throw unreachable(failure);
    }
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

} // namespace bloomery::redis
