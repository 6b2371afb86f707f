// Any bytes as the answer of a Redis server, and as the URL of one: read, or refused with the
// documented error.
#include <bloomery/error.hpp>
#include <bloomery/redis/client.hpp>

#include "../../src/redis/cluster.hpp"
#include "../../src/redis/names.hpp"
#include "../../src/redis/reply_reader.hpp"
#include "input.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace {

using namespace bloomery;
using fuzz::must;

template <class Read>
void refusing(Read read) {
    try {
        read();
    } catch (const error&) { // the only way to refuse
    }
}

void check_map(const redis::reply& answer) {
    redis::slot_map map(answer, {});
    for (std::uint16_t slot = 0; slot < redis::slot_map::slot_count; slot += 97) {
        if (const auto master = map.master_of(slot)) must(master->port != 0);
    }
    map.move(5, {"elsewhere", 1});
    must(map.master_of(5)->host == "elsewhere");
}

void check_facts(const redis::reply& split, const redis::reply& config) {
    const redis::filter_facts found = redis::facts_of(split, config);
    if (found.shape.shard_bits == 0) return;
    must(found.shape.shard_bits <= 4294967294 && found.shape.shard_count >= 1);
    must(!found.config_of_shard().empty());
}

/// The stream in pieces of the size that its first byte says: a server sends as it likes.
std::vector<redis::reply> replies_of(std::string_view stream) {
    std::vector<redis::reply> all;
    if (stream.empty()) return all;
    const std::size_t piece = static_cast<unsigned char>(stream.front()) + std::size_t{1};
    stream.remove_prefix(1);
    redis::reply_reader reader;
    while (!stream.empty()) {
        reader.feed(stream.substr(0, piece));
        stream.remove_prefix(std::min(piece, stream.size()));
        while (auto next = reader.next()) all.push_back(std::move(*next));
    }
    return all;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    refusing([&] { must(!redis::parse_url(text).servers.empty()); });
    refusing([&] { must(redis::parse_cluster_urls(text).cluster); });
    const redis::redirection to = redis::redirection_of(text, {});
    must(to.slot < redis::slot_map::slot_count);
    refusing([&] {
        const std::vector<redis::reply> replies = replies_of(text);
        for (std::size_t i = 0; i < replies.size(); ++i) {
            refusing([&] { check_map(replies[i]); });
            refusing([&] { check_facts(replies[i], replies[replies.size() - 1 - i]); });
        }
    });
    return 0;
}
