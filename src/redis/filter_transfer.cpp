// Whole filters into Redis, out of it, and from one name to another, in slices that hold nobody up.
#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/redis/filter.hpp>

#include "bit_slices.hpp"
#include "filter_maker.hpp"
#include "filter_state.hpp"

#include <algorithm>
#include <utility>

namespace bloomery::redis {

namespace {

constexpr std::uint64_t slice_bytes = std::uint64_t{64} << 10U;
constexpr std::uint64_t slices_at_once = 16;

constexpr std::uint64_t bytes_for(std::uint64_t bits) { return bits / 8 + (bits % 8 != 0); }

/// Calls `work` with the places of slices, some at a time: {from, until} in bytes of one bitmap.
template <class Work>
void in_slices(std::uint64_t byte_count, Work work) {
    constexpr std::uint64_t step = slice_bytes * slices_at_once;
    for (std::uint64_t from = 0; from < byte_count; from += step) {
        work(from, std::min(from + step, byte_count));
    }
}

/// The bytes [from, until) of a string in Redis, as slices that may end early: zeros follow.
std::vector<reply> read_slices(client& via, const std::string& key, std::uint64_t from,
                               std::uint64_t until) {
    std::vector<request> all;
    for (; from < until; from += slice_bytes) {
        all.push_back(request::of("GETRANGE", key, from, std::min(from + slice_bytes, until) - 1));
    }
    return via.run(all);
}

/// A filter that is made of bits which are somewhere else.
class new_filter {
public:
    /// Takes the name, if the filter is split. Throws exists.
    new_filter(client& via, const std::string& name, const filter_facts& of,
               const progress_consumer& tell)
        : via_(via), name_(name), of_(of), tell_(tell) {
        if (of.is_split) {
            maker_.emplace(via, name, of.shape, of.made_for);
            return;
        }
        if (redis_filter::exists(via, name)) throw name_taken(name);
        draft_ = draft_key(name, new_id());
    }
    new_filter(const new_filter&) = delete;
    new_filter& operator=(const new_filter&) = delete;

    /// Its shards, one after the other, as bytes of Redis.
    void add(std::string bytes) {
        done_ += bytes.size();
        if (maker_) {
            maker_->make_shard(shard_++, std::move(bytes));
        } else if (bytes.find_first_not_of('\0') != std::string::npos) {
            // Should we die at it, the draft does not stay for ever.
            via_.run(request::of("SET", draft_, bytes, "EX", 86400).writes());
        }
        if (tell_) tell_(done_, of_.shape.shard_count * (of_.shape.shard_bits / 8 + 1));
    }

    void finish() { maker_ ? maker_->finish() : publish_unsplit(via_, name_, of_, draft_); }

private:
    client& via_;
    const std::string& name_;
    const filter_facts& of_;
    const progress_consumer& tell_;
    std::optional<filter_maker> maker_;
    std::string draft_;
    std::uint64_t shard_ = 0;
    std::uint64_t done_ = 0;
};

filter_facts facts_of_filter(const any_filter& from) {
    const bloomery::spec what = from.spec();
    using layout::scheme_id;
    if (what.kind != filter_kind::bloom ||
        (what.scheme != scheme_id::redisson && what.scheme != scheme_id::redisson_split)) {
        throw incompatible("a filter in Redis is of the scheme redisson or redisson-split, and "
                           "this one is of the scheme " +
                           std::string(layout::name_of(what.scheme)) +
                           ": make one of those, and add the keys to it again");
    }
    filter_facts facts;
    facts.is_split = what.scheme == scheme_id::redisson_split;
    facts.made_for = from.made_for();
    const std::uint64_t shards = facts.is_split ? what.parameters[0] : 1;
    facts.shape = {shards, what.shape.bit_count / shards, what.shape.hash_count};
    return facts;
}

} // namespace

redis_filter redis_filter::push(client via, std::string name, const any_filter& from,
                                const progress_consumer& tell) {
    const filter_facts facts = facts_of_filter(from);
    const std::span<const std::uint64_t> words = from.words();
    new_filter to(via, name, facts, tell);
    const std::uint64_t bits = facts.shape.shard_bits;
    for (std::uint64_t shard = 0; shard < facts.shape.shard_count; ++shard) {
        to.add(slice_of(words, shard * bits, (shard + 1) * bits, bytes_for(bits)));
    }
    to.finish();
    return open(std::move(via), std::move(name));
}

redis_filter redis_filter::copy(std::string to, const progress_consumer& tell) const {
    const filter_facts facts = state_->now();
    if (!facts.is_configured) {
        throw unsupported("a bitmap without a config is copied with COPY of Redis");
    }
    require_all_shards(via_, facts, name_);
    new_filter made(via_, to, facts, tell);
    for (std::uint64_t shard = 0; shard < facts.shape.shard_count; ++shard) {
        const std::string key = key_of_shard(shard);
        std::string bytes;
        in_slices(bytes_for(facts.shape.shard_bits), [&](std::uint64_t from, std::uint64_t until) {
            for (const reply& each : read_slices(via_, key, from, until)) {
                bytes.append(each.text); // one that is shorter is the last
            }
        });
        made.add(std::move(bytes));
    }
    made.finish();
    return open(via_, std::move(to));
}

any_filter redis_filter::pull(const progress_consumer& tell) const {
    const filter_facts facts = state_->now();
    require_all_shards(via_, facts, name_);
    const std::uint64_t bits = facts.shape.shard_bits;
    const std::uint64_t size = bytes_for(bits);
    storage::heap_words<> words(spec().shape.byte_count() / 8);
    const std::span<std::uint64_t> all(words.data(), words.word_count());
    for (std::uint64_t shard = 0; shard < facts.shape.shard_count; ++shard) {
        const std::string key = key_of_shard(shard);
        in_slices(size, [&](std::uint64_t from, std::uint64_t until) {
            std::uint64_t first = shard * bits + 8 * from;
            for (const reply& each : read_slices(via_, key, from, until)) {
                add_slice(all, first, (shard + 1) * bits, each.text);
                first += 8 * slice_bytes;
            }
            if (tell) tell(shard * size + until, facts.shape.shard_count * size);
        });
    }
    return make_foreign(spec(), std::move(words), facts.made_for);
}

} // namespace bloomery::redis
