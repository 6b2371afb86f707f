// Loads filters into a server that runs the bloomery module or, for some filters, RedisBloom.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/redis/client.hpp>
#include <bloomery/redis/filter.hpp>

#include <cstdint>
#include <string>

namespace bloomery::inline v0::redis {

/// How to load a filter into a key.
struct load_options {
    bool replace = false; ///< replace whatever the key holds
    /// How a full native filter grows: it gets a layer with this many times the capacity; 0: it
    /// does not grow. RedisBloom's filters have their own setting.
    std::uint32_t growth = 2;
};

/// Loads a filter from memory into a key for the BF.* commands: a filter with RedisBloom's scheme,
/// or a plain native one without a secret, which needs the bloomery module. The bits are sent in
/// chunks (BF.LOADCHUNK) under a temporary name, so the key appears only when it is complete; what
/// an interrupted call leaves expires within an hour. O(bits / 8). Throws already_exists,
/// incompatible for a filter that no module accepts, refused with the server's error, and
/// unreachable, also if the server restarted or failed over meanwhile: then a part may be lost, and
/// no key is created.
BLOOMERY_EXPORT void load_into_module(client via, const std::string& key, const any_filter& from,
                                      const load_options& how = {},
                                      const progress_consumer& tell = {});

} // namespace bloomery::inline v0::redis
