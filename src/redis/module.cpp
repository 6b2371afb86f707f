#include <bloomery/detail/format/redis_layers.hpp>
#include <bloomery/detail/layout/scheme.hpp>
#include <bloomery/error.hpp>
#include <bloomery/format/foreign.hpp>
#include <bloomery/format/redis.hpp>
#include <bloomery/redis/client.hpp>
#include <bloomery/redis/module.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace bloomery::inline v0::redis {

namespace {

constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20U;
constexpr std::size_t pieces_at_once = 8;
constexpr int draft_seconds = 3600;

/// A filter in the module's format: a header, and the bits of all layers one after another.
struct dump {
    std::vector<std::byte> header;
    std::vector<std::uint64_t> layer_bytes; ///< a chunk does not cross the end of a layer
    std::vector<std::byte> owned{};         ///< the bits, unless the filter holds them
    std::span<const std::byte> bits{};
};

/// The bits of a filter as bytes, the lowest bit first.
void take_words(dump& into, std::span<const std::uint64_t> words) {
    if constexpr (std::endian::native == std::endian::little) {
        into.bits = std::as_bytes(words);
    } else {
        into.owned.reserve(words.size() * 8);
        for (const std::uint64_t word : words) {
            for (unsigned i = 0; i < 64; i += 8) {
                into.owned.push_back(static_cast<std::byte>(word >> i & 0xffU));
            }
        }
        into.bits = into.owned;
    }
}

dump native_dump(const any_filter& from, std::uint32_t growth) {
    const design made_for = from.made_for();
    const statistics now = from.stats();
    format::redis_layer layer;
    layer.what = from.spec();
    const double items = now.items.saturated ? 0 : std::round(now.items.items);
    layer.size = static_cast<std::uint64_t>(std::min(items, 0x1p62));
    // For a filter without a design: its current number of keys and rate.
    layer.entries = std::max<std::uint64_t>(
        made_for.item_capacity != 0 ? made_for.item_capacity : layer.size, 1);
    const double error = made_for.target_rate > 0 ? made_for.target_rate : now.expected_rate;
    layer.error = std::clamp(error, 1e-300, 0.5);
    dump made{.header = format::encode_redis_layers(growth, {&layer, 1}),
              .layer_bytes = {from.words().size() * 8}};
    take_words(made, from.words());
    (void)format::decode_redis_layers(made.header); // refuse here what no server would accept
    return made;
}

dump redisbloom_dump(const any_filter& from) {
    std::vector<std::byte> all = format::encoded(from, format::foreign_format_named("redisbloom"));
    const auto chunks = format::redisbloom_chunks(all, all.size(), {.most_layers = UINT32_MAX});
    dump made{.header = {chunks[0].bytes.begin(), chunks[0].bytes.end()}, .layer_bytes = {}};
    for (const format::redisbloom_chunk& chunk : std::span(chunks).subspan(1)) {
        made.layer_bytes.push_back(chunk.bytes.size());
    }
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(made.header.size()));
    made.owned = std::move(all);
    made.bits = made.owned;
    return made;
}

dump dump_of(const any_filter& from, std::uint32_t growth) {
    const bloomery::spec what = from.spec();
    if (what.scheme == layout::scheme_id::redisbloom) return redisbloom_dump(from);
    if (what.kind != filter_kind::bloom || what.scheme != layout::scheme_id::native ||
        hash::is_keyed(what.hash)) {
        throw incompatible("the BF.* commands take plain filters without a secret and RedisBloom "
                           "filters; create one of these and add the keys to it");
    }
    return native_dump(from, growth);
}

/// A name in the same slot as the key, whatever braces the key has: a number that hashes to that
/// slot.
std::string draft_for(const std::string& key) {
    std::random_device random;
    std::uint64_t number = (std::uint64_t{random()} << 32U) | random();
    const std::uint16_t slot = slot_of(key);
    std::string name;
    do {
        name = "bloomery:loading:{" + std::to_string(++number) + "}";
    } while (slot_of(name) != slot);
    return name;
}

/// Removes a draft that did not become a key.
class draft {
public:
    draft(client& via, std::string name) : via_(via), name_(std::move(name)) {}
    draft(const draft&) = delete;
    draft& operator=(const draft&) = delete;
    ~draft() {
        if (done_) return;
        const request remove = request::of("UNLINK", name_).writes();
        (void)via_.exchange({&remove, 1});
    }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    void done() noexcept { done_ = true; }

private:
    client& via_;
    std::string name_;
    bool done_ = false;
};

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The run id of the server that has a key now. After a failover, acknowledged chunks may be gone.
std::string run_id_of(client& via, const std::string& key) {
    request ask(2, key);
    ask.add("INFO").add("server");
    const std::string told = via.run(ask).text;
    const std::string field = "run_id:";
    const std::size_t at = told.find(field);
    if (at == std::string::npos) throw refused("the server does not report its run_id");
    return told.substr(at + field.size(), told.find('\r', at) - at - field.size());
}

void send_header(client& via, const std::string& name, const dump& from) {
    const std::vector<request> first{
        request::of("BF.LOADCHUNK", name, 1, text_of(from.header)).writes().only_once(),
        request::of("EXPIRE", name, draft_seconds).writes()};
    try {
        via.run(first);
    } catch (const refused& why) {
        const std::string said = why.what();
        if (said.find("unknown command") != std::string::npos) {
            throw refused("the server has no BF.* commands: load the module bloomery.so there");
        }
        if (said.find("received bad data") != std::string::npos &&
            format::looks_like_redis_layers(from.header)) {
            throw refused("the server's module rejects the filter: it has one of bloomery's own "
                          "layouts, which RedisBloom does not know");
        }
        throw;
    }
}

void send_bits(client& via, const std::string& name, const dump& from,
               const progress_consumer& tell) {
    std::uint64_t total = 0;
    for (const std::uint64_t bytes : from.layer_bytes) total += bytes;
    std::uint64_t offset = 0;
    std::vector<request> some;
    const auto send = [&] {
        if (some.empty()) return;
        some.push_back(request::of("EXPIRE", name, draft_seconds).writes());
        via.run(some);
        some.clear();
        if (tell) tell(offset, total);
    };
    for (const std::uint64_t bytes : from.layer_bytes) {
        for (std::uint64_t left = bytes; left != 0;) {
            const std::uint64_t size = std::min(left, piece_bytes);
            const std::string_view piece = text_of(from.bits.subspan(offset, size));
            offset += size;
            left -= size;
            some.push_back(request::of("BF.LOADCHUNK", name, offset + 1, piece).writes());
            if (some.size() == pieces_at_once) send();
        }
    }
    send();
}

/// Renames the draft, if the server is still the one that received all of it.
void publish(client& via, const std::string& draft, const std::string& key,
             const std::string& run_id, bool replace) {
    constexpr std::string_view script =
        "if string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') ~= ARGV[1] then return -1 "
        "end redis.call('PERSIST', KEYS[1]) if ARGV[2] == '1' then redis.call('RENAME', KEYS[1], "
        "KEYS[2]) return 1 end return redis.call('RENAMENX', KEYS[1], KEYS[2])";
    request last(7, key);
    last.add("EVAL").add(script).add(2).add(draft).add(key).add(run_id).add(replace ? 1 : 0);
    last.writes().only_once();
    const std::int64_t done = via.run(last).integer;
    if (done < 0) {
        throw unreachable("the server was restarted or replaced while the filter was being "
                          "loaded, so part of it may be lost; load it again");
    }
    if (done == 0)
        throw already_exists("another client created the key " + key +
                             " in Redis in the meantime; choose another name, or replace it");
}

} // namespace

void load_into_module(client via, const std::string& key, const any_filter& from,
                      const load_options& how, const progress_consumer& tell) {
    const dump all = dump_of(from, how.growth);
    if (!how.replace && via.run(request::of("EXISTS", key)).integer != 0) {
        throw already_exists("there is already a key " + key +
                             " in Redis; choose another name, or replace it");
    }
    draft made(via, draft_for(key));
    const std::string run_id = run_id_of(via, key);
    send_header(via, made.name(), all);
    send_bits(via, made.name(), all, tell);
    publish(via, made.name(), key, run_id, how.replace);
    made.done();
}

} // namespace bloomery::inline v0::redis
