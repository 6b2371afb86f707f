// Creates and opens filters in Redis.
#include <bloomery/detail/layout/java_schemes.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>
#include <bloomery/redis/filter.hpp>
#include <bloomery/storage/words.hpp>

#include "filter_maker.hpp"
#include "filter_state.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <thread>
#include <utility>

namespace bloomery::inline v0::redis {

namespace {

no_such_filter no_filter(const std::string& name) {
    return no_such_filter("there is no filter " + name +
                          " in this Redis; create it first, or look in "
                          "another database");
}

layout::scheme_id scheme_of(const filter_facts& of) {
    return of.is_split ? layout::scheme_id::redisson_split : layout::scheme_id::redisson;
}

} // namespace

request script(std::string_view text, std::span<const std::string> keys,
               std::span<const std::string> arguments) {
    request made(3 + keys.size() + arguments.size(), keys.front());
    made.add("EVAL").add(text).add(keys.size()).writes();
    for (const std::string& each : keys) made.add(each);
    for (const std::string& each : arguments) made.add(each);
    return made;
}

filter_facts look_up(client& via, const std::string& name) {
    require_name(name, false);
    const std::array both{request::of("HGETALL", split_key(name)),
                          request::of("HGETALL", config_key(name))};
    const std::vector<reply> told = via.run(both);
    try {
        filter_facts found = facts_of(told[0], told[1]);
        if (found.shape.hash_count > plan::max_foreign_hash_count) {
            throw bad_data(
                "the config of the filter is damaged: its hashIterations are out of range");
        }
        return found;
    } catch (const bad_data& e) {
        throw bad_data(name + " in Redis: " + e.what());
    }
}

filter_facts read_facts(client& via, const std::string& name) {
    const auto deadline = std::chrono::steady_clock::now() + via.how().patience;
    for (;;) {
        filter_facts found = look_up(via, name);
        if (found.shape.shard_bits == 0) throw no_filter(name);
        if (found.is_ready) return found;
        if (std::chrono::steady_clock::now() >= deadline) {
            throw no_such_filter("the filter " + name +
                                 " is being created by another client, or that "
                                 "client died: wait, or drop it and create it again");
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{50});
    }
}

data_lost lost_shard(std::string_view name, std::uint64_t shard) {
    return data_lost(
        "shard " + std::to_string(shard) + " of the filter " + std::string(name) +
        " is gone from Redis (evicted or deleted), and with it the keys that it held: drop the "
        "filter and fill it again");
}

std::vector<unsigned> ones_behind(client& via, const filter_facts& of, const std::string& name) {
    constexpr std::uint64_t at_once = 256;
    std::vector<unsigned> ones;
    for (std::uint64_t first = 0; first < of.shape.shard_count; first += at_once) {
        std::vector<request> questions;
        const std::uint64_t end = std::min(first + at_once, of.shape.shard_count);
        for (std::uint64_t i = first; i < end; ++i) {
            questions.push_back(request::of("BITFIELD_RO", of.key_of(name, i), "GET",
                                            of.is_split ? "u2" : "u1", of.shape.shard_bits));
        }
        for (const reply& each : via.run(questions)) {
            const auto bits = static_cast<std::uint64_t>(each.elements.at(0).integer);
            if (of.is_split && bits < 2) throw lost_shard(name, ones.size());
            ones.push_back(static_cast<unsigned>(std::popcount(bits)));
        }
    }
    return ones;
}

redis_filter::redis_filter(client via, std::string name, probing how, std::shared_ptr<state> known)
    : via_(std::move(via)), name_(std::move(name)), probing_(how), state_(std::move(known)) {}

redis_filter redis_filter::open(client via, std::string name) {
    filter_facts found = read_facts(via, name);
    const probing how(scheme_of(found));
    return {std::move(via), std::move(name), how, std::make_shared<state>(std::move(found))};
}

redis_filter redis_filter::setbit(client via, std::string key, layout::scheme_id scheme) {
    require_name(key, false);
    filter_facts known;
    known.is_configured = false;
    switch (scheme) {
    case layout::scheme_id::hash_code_6:
        known.shape = {1, layout::hash_code_6_scheme::bit_count, 6};
        break;
    case layout::scheme_id::hash_code_6_mended:
        known.shape = {1, layout::hash_code_6_mended_scheme::bit_count, 6};
        break;
    default:
        throw bad_argument("a bitmap without a config has the scheme hash-code-6 or "
                           "hash-code-6-mended");
    }
    return {std::move(via), std::move(key), probing(scheme),
            std::make_shared<state>(std::move(known))};
}

bool redis_filter::exists(client via, const std::string& name) {
    return look_up(via, name).shape.shard_bits != 0;
}

redis_filter redis_filter::create(client via, std::string name, items n, rate p,
                                  bytes largest_shard, const progress_consumer& tell) {
    const plan::split_shape shape = plan::split_for(n, p, largest_shard);
    return create(std::move(via), std::move(name), shape, {n.value, p.value}, tell);
}

redis_filter redis_filter::create(client via, std::string name, const plan::split_shape& shape,
                                  design made_for, const progress_consumer& tell) {
    filter_maker maker(via, name, shape, made_for);
    const std::uint64_t all = shape.shard_count * shard_bytes(shape);
    for (std::uint64_t shard = 0; shard < shape.shard_count; ++shard) {
        if (tell) tell(shard * shard_bytes(shape), all);
        maker.make_shard(shard);
    }
    if (tell) tell(all, all);
    maker.finish();
    return open(std::move(via), std::move(name));
}

redis_filter redis_filter::create_redisson(client via, std::string name, items n, rate p) {
    const plan::compat_shape shape = plan::redisson_shape(n, p);
    return create_redisson(std::move(via), std::move(name), bits{shape.bit_count},
                           hashes{shape.hash_count}, {n.value, p.value});
}

redis_filter redis_filter::create_redisson(client via, std::string name, bits m, hashes k,
                                           design made_for) {
    const filter_facts made = unsplit_facts(m, k, made_for);
    publish_unsplit(via, name, made, std::nullopt);
    return open(std::move(via), std::move(name));
}

redis_filter redis_filter::open_or_create(client via, std::string name, items n, rate p,
                                          bytes largest_shard) {
    if (look_up(via, name).shape.shard_bits == 0) {
        try {
            return create(via, name, n, p, largest_shard);
        } catch (const redis::already_exists&) { // another client was faster
        }
    }
    return open(std::move(via), std::move(name));
}

filter_facts redis_filter::known() const {
    if (!state_) storage::detail::refuse_moved_from();
    return state_->now();
}

// The known facts may be outdated, so whole-filter operations check first.
filter_facts redis_filter::current() const {
    filter_facts now = known();
    if (!now.is_configured) return now;
    now = read_facts(via_, name_);
    state_->set(now);
    return now;
}

bloomery::spec spec_of(const filter_facts& of, layout::scheme_id scheme) {
    bloomery::spec what;
    what.scheme = of.is_configured ? scheme_of(of) : scheme;
    what.hash = of.is_configured ? hash::hash_id::highway_128 : hash::hash_id::java_object;
    what.shape = {layout_kind::classic, of.shape.shard_count * of.shape.shard_bits,
                  of.shape.hash_count};
    if (of.is_split) what.parameters[0] = of.shape.shard_count;
    return what;
}

bool redis_filter::is_split() const { return known().is_split; }
plan::split_shape redis_filter::shape() const { return known().shape; }
design redis_filter::made_for() const { return known().made_for; }

bloomery::spec redis_filter::spec() const { return spec_of(known(), probing_.scheme()); }

std::uint64_t redis_filter::byte_count() const {
    const plan::split_shape now = shape();
    return now.shard_count * shard_bytes(now);
}

std::string redis_filter::key_of_shard(std::uint64_t shard) const {
    return known().key_of(name_, shard);
}

std::uint64_t redis_filter::shard_of(digest128 key) const { return probing_.shard(shape(), key); }

} // namespace bloomery::inline v0::redis
