// A layer of a filter with one of bloomery's own layouts: one cache line an item, in vectors.
#pragma once

#include <bloomery/format/redis_layers.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/layout/native.hpp>

#include "memory.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace bloomery::redis_module {

struct native_rules {
    native_hash hash;
    std::uint32_t growth = 2; ///< 0: the first layer is the last

    [[nodiscard]] bool grows() const noexcept { return growth != 0; }
};

/// See bloom_chain.hpp for what a layer has.
struct native_layer {
    using rules = native_rules;

    /// An empty one. Throws std::bad_alloc.
    explicit native_layer(const format::redis_layer& of);
    /// With its bits, of which there are as many as `of` says. Throws std::bad_alloc.
    native_layer(const format::redis_layer& of, const server_bytes& filled);

    [[nodiscard]] static digest128 digest(const native_rules& by, byte_view key) noexcept {
        return by.hash(key);
    }
    void ask(std::span<const digest128> keys, std::uint64_t* maybe) const noexcept;
    void insert(std::span<const digest128> keys, std::uint64_t* fresh) noexcept;
    [[nodiscard]] bool has(digest128 key) const noexcept {
        return layout_.may_contain(words(), key);
    }
    bool insert(digest128 key) noexcept { return layout_.insert(words(), key); }

    [[nodiscard]] std::uint64_t entries() const noexcept { return facts.entries; }
    [[nodiscard]] std::uint64_t bytes_of_next(const native_rules& by) const {
        return planned_next(by).what.shape.byte_count();
    }
    [[nodiscard]] native_layer next(const native_rules& by) const {
        return native_layer(planned_next(by));
    }
    [[nodiscard]] bool is_below(const native_layer& other, const native_rules& by) const noexcept;
    [[nodiscard]] native_layer copy() const;
    [[nodiscard]] bool has_places_of(const native_layer& other) const noexcept {
        return facts.what.shape == other.facts.what.shape;
    }
    [[nodiscard]] plan::shape plan_shape() const noexcept { return facts.what.shape; }
    /// All but the bits, with the size of now.
    [[nodiscard]] format::redis_layer now() const noexcept;

    format::redis_layer facts; ///< its size is that of the beginning: see `size`
    std::uint64_t size;
    server_bytes bits;

private:
    /// The bulk calls that only read take words to write to as well.
    [[nodiscard]] std::uint64_t* words() const noexcept {
        return reinterpret_cast<std::uint64_t*>(const_cast<std::byte*>(bits.data()));
    }
    /// Planned once: a filter that may not grow is asked to with every item.
    [[nodiscard]] const format::redis_layer& planned_next(const native_rules& by) const;

    layout::native layout_;
    mutable std::optional<format::redis_layer> next_;
};

/// The first layer of a filter for so many keys at that rate, in the leaner of the split layouts.
/// Milliseconds. Throws bad_argument where there is none.
[[nodiscard]] format::redis_layer first_native_layer(std::uint64_t capacity, double rate,
                                                     const native_rules& rules);
/// The layer on top of another. Throws as above.
[[nodiscard]] format::redis_layer next_native_layer(const format::redis_layer& below,
                                                    const native_rules& rules);

} // namespace bloomery::redis_module
