// RedisBloom's filters, which grow by adding layers: a stack of Bloom filters, each larger and
// stricter than the one below it. Only this file knows the rule by which they follow one another.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/filter/layer.hpp>
#include <bloomery/detail/filter/layer_stack.hpp>
#include <bloomery/detail/filter/saved_words.hpp>
#include <bloomery/detail/hash/foreign.hpp>
#include <bloomery/detail/layout/foreign_schemes.hpp>
#include <bloomery/detail/layout/status.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/layout/classic.hpp>
#include <bloomery/plan/compat.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/storage/words.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace bloomery::inline v0 {

/// RedisBloom's option bits besides those of plan/compat.hpp.
inline constexpr std::uint32_t redisbloom_force_64 = 4;   ///< 64-bit hashes
inline constexpr std::uint32_t redisbloom_no_scaling = 8; ///< the first layer is the last

/// How RedisBloom's layers grow.
struct layer_rules {
    std::uint32_t options = redisbloom_force_64 | plan::redisbloom_no_round;
    std::uint32_t growth = 2;       ///< the capacity of a layer relative to the one below
    std::uint32_t most_layers = 64; ///< the default of readers; RedisBloom has no such limit
    /// The most bytes of a new layer, or sixteen times those of all others. Readers set it: the
    /// growth in a file may be damaged, and one key must not allocate gigabytes.
    std::uint64_t most_new_bytes = UINT64_MAX;

    [[nodiscard]] bool grows() const noexcept { return (options & redisbloom_no_scaling) == 0; }
    [[nodiscard]] bool has_wide_hash() const noexcept {
        return (options & redisbloom_force_64) != 0;
    }
    friend bool operator==(const layer_rules&, const layer_rules&) = default;
};

/// Everything about a layer except its bits.
struct filter_layer {
    plan::redisbloom_layer shape{};
    double error = 0;       ///< the rate that it was made for
    std::uint64_t size = 0; ///< the number of keys that it took

    /// The modulus of positions: all bits, except in some layers smaller than a word. O(1).
    [[nodiscard]] std::uint64_t modulus() const noexcept {
        return shape.power == 0 ? shape.bit_count : std::uint64_t{1} << shape.power;
    }
    [[nodiscard]] std::uint64_t capacity() const noexcept { return shape.entries; }
    [[nodiscard]] plan::shape places() const noexcept {
        return {layout_kind::classic, modulus(), shape.hash_count};
    }
    friend bool operator==(const filter_layer&, const filter_layer&) = default;
};

/// The first layer of a filter; the rate is that of all layers together. O(1). Throws bad_argument
/// if RedisBloom refuses.
[[nodiscard]] BLOOMERY_EXPORT filter_layer first_layer(items capacity, rate p,
                                                       const layer_rules& rules);
/// The layer that RedisBloom adds on top of another. O(1). Throws bad_argument if its arithmetic
/// would overflow.
[[nodiscard]] BLOOMERY_EXPORT filter_layer next_layer(const filter_layer& below,
                                                      const layer_rules& rules);
/// Whether RedisBloom would add the one on top of the other. O(1).
[[nodiscard]] BLOOMERY_EXPORT bool is_next_layer(const filter_layer& above,
                                                 const filter_layer& below,
                                                 const layer_rules& rules) noexcept;
/// The rate of all layers together, given the first. O(1).
[[nodiscard]] BLOOMERY_EXPORT double rate_of_all(const filter_layer& first,
                                                 const layer_rules& rules) noexcept;

/// A layer with its bits, in a storage of words or of bytes.
template <class Storage>
using redisbloom_stack_layer =
    detail::counted_layer<filter_layer, layout::classic<layout::redisbloom_scheme>, Storage>;

/// The layers of a filter, for digests. Threads, errors and moves as for basic_filter; l is the
/// number of layers.
class BLOOMERY_EXPORT redisbloom_stack {
public:
    using layer = redisbloom_stack_layer<storage::heap_words<>>;

    /// One empty layer; the rate is that of all layers together. O(w). Throws bad_argument if
    /// RedisBloom refuses, memory_refused.
    redisbloom_stack(items capacity, rate p, const layer_rules& rules);
    /// Existing layers. O(l). Throws bad_argument if there are none, or their words do not fit.
    redisbloom_stack(std::vector<layer> layers, const layer_rules& rules);

    /// Adds a key unless a layer claims it. A full stack gets a new layer first; `full` if it may
    /// not or cannot grow. O(l k), O(w) when it grows. Throws memory_refused; then nothing changed.
    [[nodiscard]] insertion try_insert(digest128 key);
    /// Queries all layers, the newest first. O(l k).
    [[nodiscard]] bool may_contain(digest128 key) const noexcept {
        return layers_.may_contain(key);
    }
    /// Both for a run of detail::longest_run keys at most; bit i is the answer for key i.
    /// insert_run throws filter_full at the first key without room; earlier keys are then in.
    void insert_run(std::span<const digest128> run, std::uint64_t* fresh);
    void ask_run(std::span<const digest128> run, std::uint64_t* maybe) const noexcept;
    BLOOMERY_INLINE void prefetch(digest128 key) const noexcept {
        if (!layers_.empty()) {
            layers_.back().prefetch(key);
        }
    }

    /// Removes all keys, and all layers except the first. O(w). Throws memory_refused.
    void clear();

    /// All layers without their bits. O(l); throws std::bad_alloc.
    [[nodiscard]] std::vector<filter_layer> layers() const;
    [[nodiscard]] const layer_rules& rules() const noexcept { return rules_; }
    /// The number of keys that were new when inserted. O(l).
    [[nodiscard]] std::uint64_t size() const noexcept;
    /// The number of keys that its current layers are made for. O(l).
    [[nodiscard]] std::uint64_t capacity() const noexcept;
    [[nodiscard]] std::uint64_t byte_count() const noexcept;
    /// The bits of each layer.
    [[nodiscard]] saved_words saved() const;
    /// The bits of a filter that has not grown. Throws unsupported for several layers.
    [[nodiscard]] std::span<const std::uint64_t> words() const;

    [[nodiscard]] design made_for() const noexcept;
    /// For all layers together; the number of keys is estimated from the bits of each. O(w).
    [[nodiscard]] statistics stats() const;
    /// The expected rate after n distinct keys, with the layers that it will have then, or of as
    /// many as it takes if it does not grow. O(l). Throws bad_argument if a layer would be too
    /// large.
    [[nodiscard]] double rate_at(items n) const;

    /// Equal rules, layers and bits. O(w).
    friend bool operator==(const redisbloom_stack& a, const redisbloom_stack& b);

protected:
    /// Throws the reason why it cannot grow: filter_full, or growth_refused for a reader's limit.
    [[noreturn]] void refuse_key() const;
    /// All bits, with the hashes of the first layer.
    [[nodiscard]] plan::shape all_bits() const noexcept;
    /// Whether it equals a plain filter of that shape.
    [[nodiscard]] bool is_plain() const noexcept;

private:
    /// The next layer. Throws as refuse_key if there is none.
    [[nodiscard]] filter_layer planned() const;
    bool grow();

    detail::layer_stack<layer> layers_;
    layer_rules rules_;
};

/// A stack with its hash and the verbs of a filter; any_filter holds it through std::in_place.
/// There is neither merge nor intersect, because each filter counts its keys and grows by that
/// number.
template <class Hash>
class layered_filter : public redisbloom_stack, public key_calls<layered_filter<Hash>, Hash> {
    using calls = key_calls<layered_filter, Hash>;
    friend calls;

public:
    /// For any_filter's messages.
    static constexpr const char* noun = "a filter that grows by layers";
    using layout_type = layout::classic<layout::redisbloom_scheme>;

    layered_filter(items capacity, rate p, const layer_rules& rules)
        : redisbloom_stack(capacity, p, rules), calls(Hash{}, {}) {}
    layered_filter(std::vector<layer> layers, const layer_rules& rules)
        : redisbloom_stack(std::move(layers), rules), calls(Hash{}, {}) {}

    using calls::may_contain;
    using calls::try_insert;
    using redisbloom_stack::made_for;
    using redisbloom_stack::may_contain;
    using redisbloom_stack::try_insert;

    /// For a single layer, that of a plain filter of its shape, whose bits are the same; for
    /// several, the kind `scalable`, with all bits and the hashes of the first layer.
    [[nodiscard]] bloomery::spec spec() const noexcept {
        return {is_plain() ? filter_kind::bloom : filter_kind::scalable,
                layout::scheme_id::redisbloom, id_of(Hash{}), 0, all_bits()};
    }
    [[nodiscard]] layout_type layout() const noexcept {
        return layout_type(layout::trusted{}, all_bits());
    }
};

/// RedisBloom's filters as BF.RESERVE makes them, and those without its option for 64-bit hashes.
using redisbloom_layers = layered_filter<hash::redisbloom_hash>;
using redisbloom_32_layers = layered_filter<hash::redisbloom_32_hash>;

} // namespace bloomery::inline v0
