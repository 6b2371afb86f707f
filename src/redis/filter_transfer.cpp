// Uploads, downloads and copies whole filters, in slices that do not block the server.
#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/redis/filter.hpp>

#include "bit_slices.hpp"
#include "filter_maker.hpp"
#include "filter_state.hpp"

#include <algorithm>
#include <utility>

namespace bloomery::inline v0::redis {

namespace {

constexpr std::uint64_t slice_bytes = std::uint64_t{64} << 10U;
constexpr std::uint64_t slices_at_once = 16;

constexpr std::uint64_t bytes_for(std::uint64_t bits) { return bits / 8 + (bits % 8 != 0); }

/// Calls `with` for each slice of a shard, with the offset of its first byte and the bytes. If the
/// filter is not split, the string may end early, and zeros follow. Throws data_lost if a shard
/// ends early.
template <class With>
void read_shard(client& via, const filter_facts& of, const std::string& name, std::uint64_t shard,
                With with) {
    const std::string key = of.key_of(name, shard);
    const std::uint64_t size = bytes_for(of.shape.shard_bits);
    for (std::uint64_t from = 0; from < size;) {
        std::vector<request> some;
        for (std::uint64_t at = from; at < size && some.size() < slices_at_once;) {
            const std::uint64_t end = std::min(at + slice_bytes, size);
            some.push_back(request::of("GETRANGE", key, at, end - 1));
            at = end;
        }
        for (const reply& each : via.run(some)) {
            const std::uint64_t whole = std::min(slice_bytes, size - from);
            if (of.is_split && each.text.size() != whole) throw lost_shard(name, shard);
            with(from, each.text);
            from += whole;
        }
    }
}

/// A new filter made from existing bits.
class new_filter {
public:
    /// Reserves the name if the filter is split. Throws already_exists.
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
        done_ += bytes_for(of_.shape.shard_bits);
        if (maker_) {
            maker_->make_shard(shard_++, std::move(bytes));
        } else if (bytes.find_first_not_of('\0') != std::string::npos) {
            via_.run(request::of("SET", draft_, bytes, "EX", draft_seconds).writes());
        }
        if (tell_) tell_(done_, of_.shape.shard_count * bytes_for(of_.shape.shard_bits));
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
        throw incompatible("a filter in Redis has the scheme redisson or redisson-split, but "
                           "this one has the scheme " +
                           std::string(layout::name_of(what.scheme)) +
                           "; create one of those and add the keys again");
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
    const filter_facts facts = current();
    if (!facts.is_configured) {
        throw unsupported(
            "a bitmap without a config cannot be copied here; use the Redis command COPY");
    }
    static_cast<void>(ones_behind(via_, facts, name_)); // all are there
    new_filter made(via_, to, facts, tell);
    for (std::uint64_t shard = 0; shard < facts.shape.shard_count; ++shard) {
        std::string bytes;
        read_shard(via_, facts, name_, shard,
                   [&](std::uint64_t /*from*/, const std::string& slice) { bytes.append(slice); });
        // Bits after the last one are not copied.
        const std::uint64_t past = facts.shape.shard_bits % 8;
        if (past != 0 && bytes.size() == bytes_for(facts.shape.shard_bits)) {
            bytes.back() =
                static_cast<char>(static_cast<unsigned char>(bytes.back()) & ~(0xffU >> past));
        }
        made.add(std::move(bytes));
    }
    made.finish();
    return open(via_, std::move(to));
}

any_filter redis_filter::pull(const progress_consumer& tell) const {
    const filter_facts facts = current();
    static_cast<void>(ones_behind(via_, facts, name_)); // all are there
    const bloomery::spec what = spec_of(facts, probing_.scheme());
    const std::uint64_t bits = facts.shape.shard_bits;
    storage::heap_words<> words(what.shape.byte_count() / 8);
    const std::span<std::uint64_t> all(words.data(), words.word_count());
    for (std::uint64_t shard = 0; shard < facts.shape.shard_count; ++shard) {
        read_shard(via_, facts, name_, shard, [&](std::uint64_t from, const std::string& slice) {
            add_slice(all, shard * bits + 8 * from, (shard + 1) * bits, slice);
        });
        if (tell) {
            tell((shard + 1) * bytes_for(bits), facts.shape.shard_count * bytes_for(bits));
        }
    }
    return make_foreign(what, std::move(words), facts.made_for);
}

} // namespace bloomery::inline v0::redis
