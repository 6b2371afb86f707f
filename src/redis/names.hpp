// What the keys of a filter are called, and what its config says.
#pragma once

#include <bloomery/filter/spec.hpp>
#include <bloomery/format/redisson.hpp>
#include <bloomery/plan/split.hpp>
#include <bloomery/redis/reply.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery::redis {

/// `{name}:config`, where Redisson keeps what it knows of a filter; likewise for a shard.
[[nodiscard]] inline std::string config_key(std::string_view name) {
    return format::redisson_config_key(name);
}
/// `{name}:split`. In the slot of the config, of which there is none for the whole.
[[nodiscard]] std::string split_key(std::string_view name);
/// `name:{name:i}`.
[[nodiscard]] std::string shard_key(std::string_view name, std::uint64_t shard);
/// A key in the slot of the name, for work that is not done; should its maker die, it does not stay
/// for ever.
[[nodiscard]] std::string draft_key(std::string_view name, std::string_view id);
inline constexpr int draft_seconds = 86400;

/// Throws bad_argument for a name that is empty, or that has braces and is to be split.
void require_name(std::string_view name, bool split);

/// A number that no other filter has, in 16 digits. Throws std::runtime_error without a source of
/// chance.
[[nodiscard]] std::string new_id();

/// More than anybody has: 128 TiB in shards of 8 MiB.
inline constexpr std::uint64_t most_shards = std::uint64_t{1} << 24U;

/// Behind the last bit of a shard lies its mark, which is always set; behind that, and behind the
/// last bit of a filter that is not split, one that turns with every insert that waits for
/// replicas. A shard's bytes have room for all. O(1).
[[nodiscard]] constexpr std::uint64_t shard_bytes(const plan::split_shape& of) noexcept {
    return (of.shard_bits + 2 + 7) / 8;
}

/// What is known of a filter in Redis.
struct filter_facts {
    bool is_split = false;
    bool is_configured = true; ///< a bitmap without a config has a size by its scheme
    bool is_ready = true;      ///< its maker is done
    std::string id{};          ///< of a split one: another, if it was made anew
    plan::split_shape shape{};
    design made_for{};

    /// Where the bits of a shard lie; of one that is not split there is shard 0.
    [[nodiscard]] std::string key_of(std::string_view name, std::uint64_t shard) const {
        return is_split ? shard_key(name, shard) : std::string(name);
    }
    /// How its shards, or the whole of one that is not split, describe themselves.
    [[nodiscard]] format::redis_fields config_of_shard() const;
    /// What stands at split_key.
    [[nodiscard]] format::redis_fields config_of_split() const;

    friend bool operator==(const filter_facts&, const filter_facts&) = default;
};

/// The facts of the two hashes at split_key and config_key, of which at most one is there; for none
/// the shape has no bits. Throws bad_data, unsupported.
[[nodiscard]] filter_facts facts_of(const reply& split, const reply& config);

} // namespace bloomery::redis
