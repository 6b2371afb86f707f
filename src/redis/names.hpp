// The names of a filter's keys, and the contents of its config.
#pragma once

#include <bloomery/detail/redis/reply.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/format/redis.hpp>
#include <bloomery/plan/redis.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery::inline v0::redis {

/// `{name}:config`, where Redisson stores the parameters of a filter; likewise for a shard.
[[nodiscard]] inline std::string config_key(std::string_view name) {
    return format::redisson_config_key(name);
}
/// `{name}:split`. In the slot of the config, of which there is none for the whole.
[[nodiscard]] std::string split_key(std::string_view name);
/// `name:{name:i}`.
[[nodiscard]] std::string shard_key(std::string_view name, std::uint64_t shard);
/// A temporary key in the slot of the name; it expires if its creator dies.
[[nodiscard]] std::string draft_key(std::string_view name, std::string_view id);
inline constexpr int draft_seconds = 86400;

/// Throws bad_argument for a name that is empty, or that has braces and is to be split.
void require_name(std::string_view name, bool split);

/// A random id of 16 digits. Throws std::runtime_error if there is no source of randomness.
[[nodiscard]] std::string new_id();

/// More than anyone needs: 128 TiB in shards of 8 MiB.
inline constexpr std::uint64_t most_shards = std::uint64_t{1} << 24U;

/// After the last bit of a shard comes its mark, which is always set. After that, and after the
/// last bit of a filter that is not split, comes a bit that is toggled by every insert that waits
/// for replicas. A shard's bytes have room for all. O(1).
[[nodiscard]] constexpr std::uint64_t shard_bytes(const plan::split_shape& of) noexcept {
    return (of.shard_bits + 2 + 7) / 8;
}

/// What is known about a filter in Redis.
struct filter_facts {
    bool is_split = false;
    bool is_configured = true; ///< otherwise a bitmap whose scheme fixes the size
    bool is_ready = true;      ///< it is complete
    std::string id{};          ///< of a split filter; changes if it is recreated
    plan::split_shape shape{};
    design made_for{};

    /// The key of a shard's bits; a filter that is not split has only shard 0.
    [[nodiscard]] std::string key_of(std::string_view name, std::uint64_t shard) const {
        return is_split ? shard_key(name, shard) : std::string(name);
    }
    /// The config of its shards, or of the whole filter if it is not split.
    [[nodiscard]] format::redis_fields config_of_shard() const;
    /// The contents of split_key.
    [[nodiscard]] format::redis_fields config_of_split() const;

    friend bool operator==(const filter_facts&, const filter_facts&) = default;
};

/// The facts from the hashes at split_key and config_key, of which at most one exists; if neither
/// does, the shape has no bits. Throws bad_data, unsupported.
[[nodiscard]] filter_facts facts_of(const reply& split, const reply& config);

} // namespace bloomery::inline v0::redis
