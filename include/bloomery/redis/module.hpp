// Filters from here to a server that has the module bloomery or, for some of them, RedisBloom.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/redis/client.hpp>
#include <bloomery/redis/filter.hpp>

#include <cstdint>
#include <string>

namespace bloomery::redis {

/// How a filter becomes a key.
struct load_options {
    bool replace = false; ///< whatever the key holds
    /// What a native filter does when it has all keys that it was made for: it gets a layer for so
    /// many times as many; 0: it is full. RedisBloom's filters bring their own.
    std::uint32_t growth = 2;
};

/// Makes a key for the commands BF.* of a filter in memory: one of RedisBloom's scheme, or a plain
/// native one whose hash has no secret, which takes the module bloomery. Its bits go piece by piece
/// (BF.LOADCHUNK) under another name, so that nobody meets half a filter; what a call that dies
/// leaves vanishes within the hour. O(bits / 8). Throws exists, incompatible for a filter that no
/// module takes, refused with what the server says, unreachable, also if the server was restarted
/// or replaced meanwhile: then a part may be lost, and there is no key.
void load_into_module(client via, const std::string& key, const any_filter& from,
                      const load_options& how = {}, const progress_consumer& tell = {});

} // namespace bloomery::redis
