// A filter for an unknown number of keys: it grows by adding layers (Almeida, Baquero, Preguica and
// Hutchison 2007).
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/filter/layer.hpp>
#include <bloomery/detail/filter/layer_stack.hpp>
#include <bloomery/detail/filter/saved_words.hpp>
#include <bloomery/detail/layout/native.hpp>
#include <bloomery/detail/layout/status.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/storage/words.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector> // std::min too

namespace bloomery::inline v0 {

/// Options of a scalable filter.
struct scalable_options {
    std::uint32_t growth = 2; ///< the capacity of a layer relative to the one before
    double tightening = 0.5;  ///< its rate relative to the one before; 0.85 for 8 layers or more
    std::uint32_t most_layers = 32;                     ///< 1..64
    std::uint64_t most_bytes = plan::max_bit_count / 8; ///< for all layers together
    std::uint64_t least_items =
        1000;                 ///< for the first layer, because tiny layers would soon be many
    bool fast_layers = false; ///< one cache line per key and layer, for more memory

    friend bool operator==(const scalable_options&, const scalable_options&) = default;
};

namespace detail {

/// One layer: a filter with the layout that suits it, which counts its keys and its set bits.
class BLOOMERY_EXPORT scalable_layer : public layer_bits<layout::native, storage::heap_words<>> {
public:
    static constexpr bool mixes_digests = true;

    /// Throws bad_argument for words that do not fit the shape, memory_refused.
    scalable_layer(const plan::shape& shape, storage::heap_words<> words, std::uint64_t capacity,
                   std::uint64_t taken, double rate);

    /// Records that keys were added: at most as many as there is room for.
    void take(std::uint64_t keys) noexcept {
        taken_ += keys;
        if (taken_ >= next_count_) {
            count();
        }
    }
    /// The number of keys it can take before it must be checked again for being full.
    [[nodiscard]] std::uint64_t room() const noexcept {
        return is_full() ? 0 : std::min(limit_, next_count_) - taken_;
    }
    /// Holds as many keys as it was made for, or has more set bits than chance would explain
    /// (chosen keys).
    [[nodiscard]] bool is_full() const noexcept { return taken_ >= limit_; }
    /// The union with a layer of equal shape. O(w).
    void merge(const scalable_layer& other) noexcept;

    [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] std::uint64_t taken() const noexcept { return taken_; }
    /// O(w).
    [[nodiscard]] std::uint64_t ones() const noexcept;

private:
    void count() noexcept;

    std::uint64_t capacity_;
    std::uint64_t taken_;
    std::uint64_t most_; ///< ones
    std::uint64_t
        limit_; ///< how many keys fill it: its capacity, or fewer if keys are chosen maliciously
    std::uint64_t next_count_; ///< at this many keys the set bits are counted again
};

} // namespace detail

/// A set of keys that grows: when a layer is full, a larger one with a lower rate is added. Layer i
/// has a rate of p (1-r) r^i, so the total rate stays below p. There is no erase. A filter of the
/// final size takes half the memory or less, and one query instead of one per layer: guess high.
///
/// Layers use the classic layout, which takes the least memory at their low rates, or, if
/// requested, layouts that keep a key in one cache line, which are several times as fast once the
/// filter is larger than the cache. A filter that never grew has the same bits as a `filter` of its
/// shape.
///
/// A moved-from filter has no layers: it denies every key, and inserting into it throws
/// bad_argument, until it is assigned to or cleared.
///
/// Threads: any number may call const members at once; a call that changes the filter needs
/// exclusive access. Costs are given for l layers of k probes and w words in all.
///
/// Its parameters in the spec:
///   0  keys of the first layer         3  tightening, as the bits of a double
///   1  the total rate, ditto           4  most layers
///   2  growth                          5  most bytes
///                                      6  1 for fast layers
/// Its shape in the spec has the bits of all layers, and the layout and probes of the first.
class BLOOMERY_EXPORT scalable_filter : public key_calls<scalable_filter> {
public:
    /// Starts with one empty layer for n keys, which is a guess. p is the rate of all layers
    /// together. O(w). Throws bad_argument for n = 0, for p outside (0, 1) or so low that layer
    /// rates would be below 2^-60, and for options out of range; memory_refused.
    scalable_filter(items n, rate p, const scalable_options& options = {},
                    const native_hash& hash = {});

    using key_calls<scalable_filter>::try_insert;
    using key_calls<scalable_filter>::may_contain;

    /// Adds a key that no layer claims; a key that may already be in the filter changes nothing.
    /// Grows first if the newest layer is full. If the limits forbid that, it returns `full`, and
    /// `insert` throws filter_full. O(l k), O(w) when it grows. Throws memory_refused; then nothing
    /// has changed.
    [[nodiscard]] BLOOMERY_OWN_COPY insertion try_insert(digest128 key) {
        return layers_.insert(key, [this] { return grow() == status::ok; });
    }
    /// Queries all layers, the newest and largest first. O(l k).
    [[nodiscard]] BLOOMERY_OWN_COPY bool may_contain(digest128 key) const noexcept {
        return layers_.may_contain(key);
    }
    /// Prefetches for the newest layer, which is most of the filter.
    BLOOMERY_INLINE void prefetch(digest128 key) const noexcept {
        if (!layers_.empty()) {
            layers_.back().prefetch(layers_.digest_for(key, layers_.size() - 1));
        }
    }

    /// Makes room for n more keys by adding one layer instead of several that double; a no-op if
    /// the newest layer has that room. If n is less than the capacity of the next regular layer,
    /// the new layer has that capacity, if the limits allow it, so that calls for a few keys do not
    /// use up the layers. The room left in the previous layer is lost, so reserve once for all keys
    /// to come. `full` if the limits forbid it. O(w); throws memory_refused.
    [[nodiscard]] status reserve(items n);

    /// Whether the two can be combined: equal specs and layers of equal shapes. If not, the result
    /// gives the reason. O(l).
    [[nodiscard]] compatibility compatible_with(const scalable_filter& other) const;
    /// Becomes the union, layer by layer. Layers may then hold more keys than they were made for:
    /// see stats(). O(w). Throws incompatible.
    void merge(const scalable_filter& other);
    /// Removes all keys, and all layers except the first. O(w). Throws memory_refused.
    void clear();

    [[nodiscard]] std::size_t layer_count() const noexcept { return layers_.size(); }
    /// The number of keys that were new when inserted. O(l).
    [[nodiscard]] std::uint64_t items_taken() const noexcept;
    /// The number of keys that its current layers are made for. O(l).
    [[nodiscard]] std::uint64_t item_capacity() const noexcept;
    [[nodiscard]] const scalable_options& options() const noexcept { return options_; }

    [[nodiscard]] std::uint64_t byte_count() const noexcept;
    [[nodiscard]] bloomery::spec spec() const noexcept;
    /// For all layers together; the number of keys is estimated from the set bits of each. O(w).
    [[nodiscard]] statistics stats() const;
    /// The expected rate after n distinct keys, with the layers that it has and those that it will
    /// add, up to its limits. O(l).
    [[nodiscard]] double rate_at(items n) const;
    [[nodiscard]] std::vector<fact> facts() const;

    /// The number of layers and, for each, its bits, probes, capacity and keys; then their words.
    [[nodiscard]] saved_words saved() const;
    /// Restores a filter from saved words. O(w). Throws bad_data for words that no filter saved,
    /// unsupported for parameters of a newer version, memory_refused.
    ///
    /// A layer that is added to it later has at most `most_new_bytes`, or sixteen times the bytes
    /// of all others: growth is memory that a file claims. Beyond that the filter is full, and
    /// insert throws growth_refused.
    [[nodiscard]] static scalable_filter
    restored(const bloomery::spec& what, const design& made_for, const native_hash& hash,
             std::span<const std::uint64_t> words,
             std::uint64_t most_new_bytes = usual_unseen_bytes);

    /// Equal specs, layers and bits. O(w).
    friend bool operator==(const scalable_filter& a, const scalable_filter& b);

private:
    using layer = detail::scalable_layer;
    friend key_calls<scalable_filter>; // which hands over runs of keys

    /// Queries or adds a run of at most detail::longest_run keys; bit i is the answer for key i.
    /// insert_run throws filter_full at the first key without room; earlier keys are then in the
    /// filter.
    void ask_run(std::span<const digest128> run, std::uint64_t* maybe) const noexcept;
    void insert_run(std::span<const digest128> run, std::uint64_t* fresh);

    scalable_filter(const native_hash& hash, const design& made_for,
                    const scalable_options& options, items first, rate p) noexcept
        : key_calls(hash, made_for), options_(options), first_(first), rate_(p) {}

    [[nodiscard]] static scalable_filter described(const bloomery::spec& what,
                                                   const design& made_for, const native_hash& hash);
    void restore_layer(std::span<const std::uint64_t> record, std::span<const std::uint64_t>& left);
    /// What is wrong with the options, or nothing.
    [[nodiscard]] static const char* fault_of(const scalable_options& options, rate p) noexcept;
    status grow();
    /// Throws the reason why it cannot grow: filter_full, or growth_refused for a reader's limit.
    [[noreturn]] void refuse_key() const;
    /// The bytes of the next layer, if a reader's limit forbids it.
    [[nodiscard]] std::optional<std::uint64_t> refused_growth() const;
    status append(std::uint64_t capacity);
    /// The shape of such a layer, or nothing if a limit forbids it.
    [[nodiscard]] std::optional<plan::shape> planned(std::uint64_t capacity, std::size_t at,
                                                     std::uint64_t other_bytes) const;
    [[nodiscard]] double rate_of(std::size_t at) const noexcept;

    scalable_options options_;
    items first_;
    rate rate_;
    std::uint64_t most_new_bytes_ = UINT64_MAX;
    detail::layer_stack<layer> layers_;
};

template <>
inline constexpr bool detail::is_compiled<scalable_filter> = true;

} // namespace bloomery::inline v0
