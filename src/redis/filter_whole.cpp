// Whole-filter operations: remove, rename and expire its keys in Redis.
#include <bloomery/error.hpp>
#include <bloomery/redis/filter.hpp>

#include "exchange.hpp"
#include "filter_maker.hpp"
#include "filter_state.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace bloomery::inline v0::redis {

namespace {

/// All Redis keys of a filter; first the one by which it is found.
std::vector<std::string> keys_of(const filter_facts& of, const std::string& name) {
    if (!of.is_configured) return {name};
    if (!of.is_split) return {config_key(name), name};
    std::vector<std::string> all{split_key(name)};
    for (std::uint64_t shard = 0; shard < of.shape.shard_count; ++shard) {
        const std::string bits = shard_key(name, shard);
        all.push_back(bits);
        all.push_back(config_key(bits));
    }
    return all;
}

/// Runs one small command per key, in batches. Throws unreachable, refused.
template <class Make>
void for_each_key(client& via, std::span<const std::string> keys, Make make) {
    constexpr std::size_t at_once = 256;
    for (std::size_t first = 0; first < keys.size(); first += at_once) {
        std::vector<request> some;
        for (const std::string& key : keys.subspan(first, std::min(at_once, keys.size() - first))) {
            some.push_back(make(key));
        }
        static_cast<void>(via.run(some));
    }
}

void remove(client& via, const filter_facts& of, const std::string& name) {
    const std::vector<std::string> keys = keys_of(of, name);
    // The first key separately: then no client finds an incomplete filter.
    const auto unlink = [](const std::string& key) { return request::of("UNLINK", key).writes(); };
    via.run(unlink(keys.front()));
    for_each_key(via, std::span(keys).subspan(1), unlink);
}

} // namespace

void redis_filter::drop() {
    const filter_facts now = known();
    now.is_configured ? static_cast<void>(drop(via_, name_)) : remove(via_, now, name_);
}

bool redis_filter::drop(client via, const std::string& name) {
    filter_facts found;
    try {
        found = look_up(via, name);
    } catch (const bad_data&) { // without a valid config, the other keys are unknown
        const std::array both{request::of("UNLINK", split_key(name)).writes(),
                              request::of("UNLINK", config_key(name)).writes()};
        static_cast<void>(via.run(both));
        return true;
    }
    if (found.shape.shard_bits == 0) return false;
    remove(via, found, name);
    return true;
}

// Empty, with the same expiry as the config.
constexpr std::string_view empty_bits = R"(
redis.call('SET', KEYS[1], '')
local left = redis.call('PTTL', KEYS[2])
if left > 0 then redis.call('PEXPIRE', KEYS[1], left) end
return 1)";

void redis_filter::clear() {
    const filter_facts now = current();
    if (!now.is_configured) {
        via_.run(request::of("UNLINK", name_).writes());
        return;
    }
    if (!now.is_split) {
        via_.run(script(empty_bits, std::array{name_, config_key(name_)}));
        return;
    }
    std::string empty;
    mark(empty, now.shape);
    for (std::uint64_t shard = 0; shard < now.shape.shard_count; ++shard) {
        via_.run(request::of("SET", shard_key(name_, shard), empty, "KEEPTTL").writes());
    }
}

void redis_filter::rename(std::string to) {
    const filter_facts now = current();
    if (!now.is_configured) {
        throw unsupported(
            "a bitmap without a config cannot be renamed here; use the Redis command RENAME");
    }
    require_name(to, now.is_split);
    if (via_.how().cluster) { // a key cannot change its slot
        redis_filter made = copy(to);
        if (const auto left = time_left()) {
            made.expire_after(std::max(*left, std::chrono::seconds{1}));
        }
        drop();
        name_ = std::move(to);
        return;
    }
    constexpr std::string_view move_all = R"(
local half = #KEYS / 2 - 1
if redis.call('EXISTS', KEYS[#KEYS - 1], KEYS[#KEYS]) > 0 then return 0 end
if redis.call('EXISTS', KEYS[1]) == 0 then return -1 end
for i = 1, half do
  if redis.call('EXISTS', KEYS[half + i]) == 1 then return -2 end
end
for i = 1, half do
  if redis.call('EXISTS', KEYS[i]) == 1 then redis.call('RENAME', KEYS[i], KEYS[half + i]) end
end
return 1)";
    std::vector<std::string> keys = keys_of(now, name_);
    for (std::string& each : keys_of(now, to)) keys.push_back(std::move(each));
    keys.push_back(split_key(to)); // under either of these, a filter would be found
    keys.push_back(config_key(to));
    const std::int64_t done = via_.run(script(move_all, keys).only_once()).integer;
    if (done == 0) throw name_taken(to);
    if (done == -1)
        throw no_such_filter("there is no filter " + name_ +
                             " in this Redis any more; it was dropped or it expired");
    if (done == -2) throw key_taken(to);
    name_ = std::move(to);
}

// The bits of a filter that is not split are created with its first key, and would remain.
constexpr std::string_view make_bits =
    "if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('SETBIT', KEYS[1], 0, 0) end return 1";

void redis_filter::expire_after(std::chrono::seconds time) {
    if (time.count() <= 0) throw bad_argument("the expiry of a filter must be at least one second");
    const filter_facts now = current();
    if (!now.is_split) via_.run(script(make_bits, std::array{name_}));
    const std::vector<std::string> keys = keys_of(now, name_);
    // One moment for all, by the clock of the server with the first key.
    constexpr std::string_view ends_at =
        "local now = redis.call('TIME') return tostring(now[1] + ARGV[1])";
    const std::array arguments{std::to_string(time.count())};
    const reply moment = via_.run(script(ends_at, std::array{keys.front()}, arguments));
    for_each_key(via_, keys, [&](const std::string& key) {
        return request::of("EXPIREAT", key, moment.text).writes();
    });
}

void redis_filter::persist() {
    for_each_key(via_, keys_of(current(), name_),
                 [](const std::string& key) { return request::of("PERSIST", key).writes(); });
}

std::optional<std::chrono::seconds> redis_filter::time_left() const {
    const std::vector<std::string> keys = keys_of(current(), name_);
    const std::int64_t left = via_.run(request::of("TTL", keys.front())).integer;
    if (left < 0) return std::nullopt;
    return std::chrono::seconds{left};
}

} // namespace bloomery::inline v0::redis
