// The Bloom filter that RedisBloom has: the same bits, numbers and files.
#pragma once

#include <bloomery/detail/filter/layered.hpp>
#include <bloomery/detail/hash/foreign.hpp>
#include <bloomery/detail/key/bytes.hpp>

#include "bloom_chain.hpp"

#include <cstdint>

namespace bloomery::redis_module {

/// k bits anywhere in an array of any number of bytes. See bloom_chain.hpp for what a kind has; how
/// layers follow one another is the library's.
struct redisbloom_kind {
    using rules = layer_rules;
    using facts = filter_layer;
    using layer = redisbloom_stack_layer<server_bytes>;

    [[nodiscard]] static digest128 digest(const rules& by, byte_view key) noexcept {
        return by.has_wide_hash() ? hash::redisbloom_hash{}(key) : hash::redisbloom_32_hash{}(key);
    }
    [[nodiscard]] static bool same_hash(const rules& a, const rules& b) noexcept {
        return a.has_wide_hash() == b.has_wide_hash();
    }
    [[nodiscard]] static facts first(std::uint64_t capacity, double p, const rules& by) {
        return first_layer(items{capacity}, rate{p}, by);
    }
    [[nodiscard]] static facts next(const facts& below, const rules& by) {
        return next_layer(below, by);
    }
    [[nodiscard]] static bool is_next(const facts& above, const facts& below,
                                      const rules& by) noexcept {
        return is_next_layer(above, below, by);
    }
    [[nodiscard]] static std::uint64_t byte_count(const facts& of) noexcept {
        return of.shape.byte_count;
    }
    [[nodiscard]] static server_bytes bits_for(const facts& of) {
        return server_bytes(of.shape.byte_count);
    }

    /// What RedisBloom's own structures take on 64-bit machines: clients compare these numbers.
    [[nodiscard]] static std::uint64_t overhead(std::size_t layers) noexcept {
        return 32 + 64 * std::uint64_t{layers};
    }
    [[nodiscard]] static double rate_of(const facts& first, const rules& by) noexcept {
        return rate_of_all(first, by);
    }
    [[nodiscard]] static std::string_view layout_of(const facts& /*of*/) noexcept {
        return "redisbloom";
    }
    [[nodiscard]] static std::string debug_line(const facts& of, const rules& by);

    [[nodiscard]] static std::vector<std::byte> encode(const rules& by, std::span<const facts> all);
    [[nodiscard]] static std::pair<rules, std::vector<facts>> decode(byte_view header);
    /// Of any version that RedisBloom wrote.
    [[nodiscard]] static std::pair<rules, server_list<layer>> load(stream* from, int version);
    static void save(stream* to, const bloom_chain<redisbloom_kind>& of) noexcept;
    static void digest(digest_state* to, const bloom_chain<redisbloom_kind>& of) noexcept;
};

using redisbloom_object = bloom_chain<redisbloom_kind>;

} // namespace bloomery::redis_module
