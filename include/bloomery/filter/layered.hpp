// Filters that grow by adding layers, as RedisBloom's do: a stack of Bloom filters, each larger and
// stricter than the one below it.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/filter/bulk.hpp>
#include <bloomery/filter/saved_words.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/hash/foreign.hpp>
#include <bloomery/layout/classic.hpp>
#include <bloomery/layout/foreign_schemes.hpp>
#include <bloomery/plan/compat.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/storage/bitmap.hpp>
#include <bloomery/storage/words.hpp>

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <vector>

namespace bloomery {

/// RedisBloom's option bits besides those of plan/compat.hpp.
inline constexpr std::uint32_t redisbloom_force_64 = 4;   ///< hashes of 64 bits
inline constexpr std::uint32_t redisbloom_no_scaling = 8; ///< the first layer is the last

/// How a stack grows.
struct layer_rules {
    std::uint32_t options = redisbloom_force_64 | plan::redisbloom_no_round;
    std::uint32_t growth = 2;       ///< a layer takes so many times the keys of the one below
    std::uint32_t most_layers = 64; ///< what readers take by default; RedisBloom has no such limit
    /// A new layer has at most so many bytes, or sixteen times those of all others. Readers set it:
    /// the growth in a file may be damaged, and one key must not become gigabytes.
    std::uint64_t most_new_bytes = UINT64_MAX;

    friend bool operator==(const layer_rules&, const layer_rules&) = default;
};

/// One layer.
struct filter_layer {
    plan::redisbloom_layer shape{};
    double error = 0;       ///< the rate that it was made for
    std::uint64_t size = 0; ///< the keys that it took

    /// What places are taken modulo: all bits, but for some that are smaller than a word. O(1).
    [[nodiscard]] std::uint64_t modulus() const noexcept {
        return shape.power == 0 ? shape.bit_count : std::uint64_t{1} << shape.power;
    }
    friend bool operator==(const filter_layer&, const filter_layer&) = default;
};

/// The layers and their bits, for keys that were hashed. All words lie in one array, the oldest
/// layer first. Threads, errors and moves as for basic_filter; l is the number of layers.
class layer_stack {
public:
    /// An empty layer for so many keys; the rate is that of all layers together. O(w). Throws
    /// bad_argument where RedisBloom refuses, memory_refused.
    layer_stack(items capacity, rate p, const layer_rules& rules);

    /// Layers and words from elsewhere. O(l). Throws bad_argument if there is no layer, or if they
    /// do not fit.
    layer_stack(std::vector<filter_layer> layers, storage::heap_words<> words,
                const layer_rules& rules);

    /// Adds a key that no layer has: true if there was none that said "maybe". A full stack gets
    /// a new layer first. O(l k), and O(w) when it grows. Throws filter_full if it may not or
    /// cannot grow, memory_refused; nothing has changed then.
    bool insert(digest128 key);

    /// Asks all layers, the newest first. O(l k).
    [[nodiscard]] bool may_contain(digest128 key) const noexcept;

    /// Forgets every key, and all layers but the first. O(w). Throws memory_refused.
    void clear();

    [[nodiscard]] std::span<const filter_layer> layers() const noexcept { return layers_; }
    [[nodiscard]] const layer_rules& rules() const noexcept { return rules_; }
    /// How many keys were added that were new when they were. O(l).
    [[nodiscard]] std::uint64_t size() const noexcept;
    /// How many keys the layers are for, all together. O(l).
    [[nodiscard]] std::uint64_t capacity() const noexcept;
    [[nodiscard]] std::span<const std::uint64_t> words() const noexcept {
        return {words_.data(), words_.word_count()};
    }

    /// The keys and the rate that it was made for: of all layers. O(l).
    [[nodiscard]] design made_for() const noexcept;
    /// Over all layers: the keys of each are estimated from its bits. O(w).
    [[nodiscard]] statistics stats() const;
    /// The rate to expect after n distinct keys, with the layers that it will have then, or of what
    /// it can take if it does not grow. O(l). Throws bad_argument where no layer can be so large.
    [[nodiscard]] double fpp_at(items n) const;

protected:
    /// All bits, with the hashes of the first layer.
    [[nodiscard]] plan::shape all_bits() const noexcept;
    /// Whether it is just what a plain filter of that shape is.
    [[nodiscard]] bool is_plain() const noexcept;

private:
    void grow();

    std::vector<filter_layer> layers_;
    storage::heap_words<> words_;
    layer_rules rules_;
};

/// A stack with its hash and the verbs of a filter: any_filter takes it in by std::in_place.
/// Filters of this kind have neither union nor intersection, because each counts its keys and grows
/// by that number: `merge` and `intersect` throw unsupported.
template <class Hash>
class layered_filter : public layer_stack {
public:
    using layout_type = layout::classic<layout::redisbloom_scheme>;
    using hash_type = Hash;
    using digest_type = digest128;

    using layer_stack::layer_stack;

    template <key_for<Hash> Key>
    [[nodiscard]] digest128 digest(const Key& key) const {
        return detail::digest_or_self(Hash{}, key);
    }
    /// One key: as layer_stack.
    template <key_for<Hash> Key>
    bool insert(const Key& key) {
        return layer_stack::insert(digest(key));
    }
    template <key_for<Hash> Key>
    [[nodiscard]] bool may_contain(const Key& key) const {
        return layer_stack::may_contain(digest(key));
    }

    /// Many keys, one after another. When one throws, those before it are in.
    template <keys_for<Hash> Keys>
    void insert_many(Keys&& keys) {
        for (const auto& key : keys) {
            insert(key);
        }
    }
    template <keys_for<Hash> Keys>
        requires std::ranges::sized_range<Keys>
    void try_insert_many(Keys&& keys, bitmap& fresh) {
        fresh.reset(std::ranges::size(keys));
        std::size_t at = 0;
        for (const auto& key : keys) {
            fresh.set(at++, insert(key));
        }
    }
    template <keys_for<Hash> Keys>
        requires std::ranges::sized_range<Keys>
    void may_contain_many(Keys&& keys, bitmap& maybe) const {
        maybe.reset(std::ranges::size(keys));
        std::size_t at = 0;
        for (const auto& key : keys) {
            maybe.set(at++, may_contain(key));
        }
    }

    [[nodiscard]] compatibility compatible_with(const layered_filter& /*other*/) const {
        return {"filters that grow by layers cannot be combined"};
    }
    template <class Other>
    [[noreturn]] void merge(const Other& /*other*/) {
        refuse("merged");
    }
    template <class Other>
    [[noreturn]] void intersect(const Other& /*other*/) {
        refuse("intersected");
    }

    /// Of a single layer: that of a plain filter of its shape, whose bits are the same. Of several:
    /// the kind `scalable`, with all bits and the hashes of the first layer.
    [[nodiscard]] bloomery::spec spec() const noexcept {
        return {is_plain() ? filter_kind::bloom : filter_kind::scalable,
                layout::scheme_id::redisbloom, id_of(Hash{}), 0, all_bits()};
    }
    [[nodiscard]] layout_type layout() const noexcept {
        return layout_type(layout::trusted{}, all_bits());
    }
    [[nodiscard]] Hash hash() const noexcept { return {}; }

private:
    [[noreturn]] static void refuse(const char* verb) {
        throw unsupported("filters that grow by layers cannot be " + std::string(verb) +
                          ": each counts the keys it took; add the keys of the one to the other");
    }
};

/// RedisBloom's filters as BF.RESERVE makes them, and those without its option for 64-bit hashes.
using redisbloom_layers = layered_filter<hash::redisbloom_hash>;
using redisbloom_32_layers = layered_filter<hash::redisbloom_32_hash>;

} // namespace bloomery
