// Bloom filters as types of the server: files, replication, memory.
#pragma once

#include "bloom_object.hpp"
#include "call.hpp"

#include <memory>

namespace bloomery::redis_module {

/// Makes both types: RedisBloom's own, and one that RedisBloom does not know. Returns `failed` if
/// the server refuses.
int register_bloom_types(context* in);

/// The filter of a key, or null if the key holds none.
[[nodiscard]] bloom_object* bloom_in(const open_key& key) noexcept;
/// The same; throws refusal if there is none.
[[nodiscard]] bloom_object& require_bloom(const open_key& key);
void put(open_key& into, std::unique_ptr<bloom_object> filter) noexcept;

/// A piece of all layers laid end to end: the bytes at an offset, up to the end of a layer and at
/// most so many. Empty past the end.
[[nodiscard]] std::span<const std::byte> piece_at(const bloom_object& of, std::uint64_t offset,
                                                  std::uint64_t most) noexcept;

} // namespace bloomery::redis_module
