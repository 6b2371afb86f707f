// The Bloom filter that RedisBloom does not have: one cache line per item, in vectors.
#pragma once

#include <bloomery/detail/filter/layer.hpp>
#include <bloomery/detail/format/redis_layers.hpp>
#include <bloomery/detail/layout/native.hpp>
#include <bloomery/hash/native.hpp>

#include "bloom_chain.hpp"

#include <cstdint>

namespace bloomery::redis_module {

struct native_rules {
    native_hash hash;
    std::uint32_t growth = 2; ///< 0: the first layer is the last

    [[nodiscard]] bool grows() const noexcept { return growth != 0; }
};

/// See bloom_chain.hpp for what a kind has.
struct native_kind {
    using rules = native_rules;
    using facts = format::redis_layer;
    using layer = detail::counted_layer<facts, layout::native, server_bytes>;

    [[nodiscard]] static digest128 digest(const rules& by, byte_view key) noexcept {
        return by.hash(key);
    }
    [[nodiscard]] static bool same_hash(const rules& a, const rules& b) noexcept {
        return a.hash == b.hash;
    }
    /// In the leaner of the split layouts. Milliseconds.
    [[nodiscard]] static facts first(std::uint64_t capacity, double rate, const rules& by);
    [[nodiscard]] static facts next(const facts& below, const rules& by);
    [[nodiscard]] static bool is_next(const facts& above, const facts& below,
                                      const rules& by) noexcept;
    [[nodiscard]] static std::uint64_t byte_count(const facts& of) noexcept {
        return of.what.shape.byte_count();
    }
    [[nodiscard]] static server_bytes bits_for(const facts& of) {
        return server_bytes(byte_count(of), server_bytes::start::of_a_line);
    }

    [[nodiscard]] static std::uint64_t overhead(std::size_t layers) noexcept;
    [[nodiscard]] static double rate_of(const facts& first, const rules& by) noexcept {
        return by.grows() ? first.error * 2 : first.error;
    }
    [[nodiscard]] static std::string_view layout_of(const facts& of) noexcept {
        return plan::name_of(of.what.shape.layout);
    }
    [[nodiscard]] static std::string debug_line(const facts& of, const rules& by);

    [[nodiscard]] static std::vector<std::byte> encode(const rules& by, std::span<const facts> all);
    [[nodiscard]] static std::pair<rules, std::vector<facts>> decode(byte_view header);
    [[nodiscard]] static std::pair<rules, server_list<layer>> load(stream* from, int version);
    static void save(stream* to, const bloom_chain<native_kind>& of) noexcept;
    static void digest(digest_state* to, const bloom_chain<native_kind>& of) noexcept;
};

using native_object = bloom_chain<native_kind>;

} // namespace bloomery::redis_module
