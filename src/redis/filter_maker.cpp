#include "filter_maker.hpp"

#include <bloomery/error.hpp>

#include "filter_state.hpp"

#include <array>
#include <vector>

namespace bloomery::inline v0::redis {

namespace {

void require_shape(const plan::split_shape& shape) {
    if (shape.shard_count == 0 || shape.shard_count > most_shards || shape.shard_bits == 0 ||
        shape.shard_bits > plan::max_redisson_bits || shape.hash_count == 0 ||
        shape.hash_count > plan::max_foreign_hash_count) {
        throw bad_argument("a bitmap in Redis has 1 to 4294967294 bits and at least one hash per "
                           "key");
    }
}

void append(std::vector<std::string>& to, const format::redis_fields& fields) {
    for (const auto& [field, value] : fields) {
        to.push_back(field);
        to.push_back(value);
    }
}

} // namespace

redis::already_exists name_taken(const std::string& name) {
    return redis::already_exists("there is already a filter " + name +
                                 "; drop it first, or choose another name");
}

redis::already_exists key_taken(const std::string& name) {
    return redis::already_exists(
        "a key of the filter " + name +
        " already exists and does not belong to a filter; choose another name, or delete it if "
        "it is not needed");
}

void mark(std::string& bytes, const plan::split_shape& shape) {
    bytes.resize(shard_bytes(shape));
    char& last = bytes[shape.shard_bits / 8];
    last = static_cast<char>(static_cast<unsigned char>(last) | 0x80U >> shape.shard_bits % 8);
}

// Returns 1 again if the same creator asks twice because its first answer was lost.
constexpr std::string_view take_name = R"(
if redis.call('HGET', KEYS[1], 'id') == ARGV[1] then return 1 end
if redis.call('EXISTS', KEYS[1], KEYS[2]) > 0 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
return 1)";

filter_maker::filter_maker(client& via, const std::string& name, const plan::split_shape& shape,
                           design made_for)
    : via_(via), name_(name) {
    require_name(name, true);
    require_shape(shape);
    facts_.is_split = true;
    facts_.is_ready = false;
    facts_.id = new_id();
    facts_.shape = shape;
    facts_.made_for = made_for;
    std::vector<std::string> arguments{facts_.id};
    append(arguments, facts_.config_of_split());
    const std::array keys{split_key(name), config_key(name)};
    if (via_.run(script(take_name, keys, arguments)).integer == 0) throw name_taken(name);
}

namespace {

no_such_filter dropped(const std::string& name) {
    return no_such_filter(
        "the filter " + name +
        " was dropped by another client while it was being created; create it again if it is "
        "still wanted");
}

} // namespace

void filter_maker::require_mine() const {
    if (via_.run(request::of("HGET", split_key(name_), "id")).text != facts_.id) {
        throw dropped(name_);
    }
}

constexpr std::string_view claim = R"(
redis.call('DEL', KEYS[1])
return redis.call('HSET', KEYS[1], unpack(ARGV)))";

// If sent twice, it finds no draft the second time.
constexpr std::string_view show_bits = R"(
if redis.call('HGET', KEYS[2], 'id') ~= ARGV[1] then return 0 end
if redis.call('EXISTS', KEYS[3]) == 0 then return 1 end
redis.call('UNLINK', KEYS[1])
redis.call('RENAME', KEYS[3], KEYS[1])
redis.call('PERSIST', KEYS[1])
return 1)";

// The bits are sent as one value, zeros included: the server reads it as it arrives and keeps it
// unchanged. Growing a string on the server would block it for milliseconds. The value first goes
// to a key of this creator: if it was suspended while the filter was dropped and recreated by
// another client, it must not overwrite the other's data.
void filter_maker::make_shard(std::uint64_t shard, std::string bits) {
    require_mine();
    const std::string key = shard_key(name_, shard);
    const std::string config = config_key(key);
    const std::string draft = draft_key(key, facts_.id);
    std::vector<std::string> fields;
    append(fields, facts_.config_of_shard());
    via_.run(script(claim, std::array{config}, fields));
    mark(bits, facts_.shape);
    via_.run(request::of("SET", draft, bits, "EX", draft_seconds).writes());
    require_mine();
    const request show = script(show_bits, std::array{key, config, draft}, std::array{facts_.id});
    if (via_.run(show).integer == 0) throw dropped(name_);
}

constexpr std::string_view show_filter = R"(
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'state', 'ready')
return 1)";

void filter_maker::finish() {
    const request show = script(show_filter, std::array{split_key(name_)}, std::array{facts_.id});
    if (via_.run(show).integer == 0) throw dropped(name_);
}

filter_facts unsplit_facts(bits m, hashes k, design made_for) {
    filter_facts facts;
    facts.shape = {1, m.value, k.value};
    facts.made_for = made_for;
    require_shape(facts.shape);
    return facts;
}

// A value at the name without a config may belong to anyone, and stays.
constexpr std::string_view publish_script = R"(
if redis.call('EXISTS', KEYS[1], KEYS[2]) > 0 then return 0 end
if redis.call('EXISTS', KEYS[3]) == 1 then return -1 end
if KEYS[4] and redis.call('EXISTS', KEYS[4]) == 1 then
  redis.call('RENAME', KEYS[4], KEYS[3])
  redis.call('PERSIST', KEYS[3])
end
redis.call('HSET', KEYS[2], unpack(ARGV))
return 1)";

void publish_unsplit(client& via, const std::string& name, const filter_facts& made,
                     const std::optional<std::string>& draft) {
    require_name(name, false);
    std::vector<std::string> keys{split_key(name), config_key(name), name};
    if (draft) keys.push_back(*draft);
    std::vector<std::string> arguments;
    append(arguments, made.config_of_shard());
    const request once = script(publish_script, keys, arguments).only_once();
    const std::int64_t done = via.run(once).integer;
    if (done == 0) throw name_taken(name);
    if (done < 0) throw key_taken(name);
}

} // namespace bloomery::inline v0::redis
