// A filter for a number of keys that nobody knows: it grows by layers (Almeida, Baquero, Preguica
// and Hutchison 2007).
#pragma once

#include <bloomery/filter/fact.hpp>
#include <bloomery/filter/key_calls.hpp>
#include <bloomery/filter/saved_words.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/part.hpp>
#include <bloomery/kernel/bulk.hpp>
#include <bloomery/layout/native.hpp>
#include <bloomery/layout/status.hpp>
#include <bloomery/storage/words.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector> // std::min too

namespace bloomery {

/// How a scalable filter grows.
struct scalable_options {
    std::uint32_t growth = 2;       ///< a layer takes so many times the keys of the one before
    double tightening = 0.5;        ///< and errs so much less; 0.85 where 8 layers or more come
    std::uint32_t most_layers = 32; ///< 1..64
    std::uint64_t most_bytes = plan::max_bit_count / 8; ///< of all layers together
    std::uint64_t least_items = 1000; ///< of the first layer: tiny ones would soon be a crowd
    bool fast_layers = false;         ///< one cache line a key and layer, for a third more memory

    friend bool operator==(const scalable_options&, const scalable_options&) = default;
};

namespace detail {

/// One layer: a filter of the layout that suits it, which counts its keys and watches its ones.
class scalable_layer {
public:
    /// Throws bad_argument for words that do not fit the shape, memory_refused.
    scalable_layer(const plan::shape& shape, storage::heap_words<> words, std::uint64_t capacity,
                   std::uint64_t taken, double rate);

    [[nodiscard]] bool may_contain(digest128 key) const noexcept {
        return places_.may_contain(words_.data(), key);
    }
    /// Adds a key that the layer denies.
    void insert(digest128 key) noexcept {
        places_.insert(words_.data(), key);
        take(1);
    }
    BLOOMERY_INLINE void prefetch(digest128 key) const noexcept {
        places_.prefetch(words_.data(), key);
    }
    /// Where the bulk calls of the kernels work.
    [[nodiscard]] kernel::target target() const noexcept {
        return places_.target(const_cast<std::uint64_t*>(words_.data())); // asking changes nothing
    }
    /// Notes keys that a bulk call has added: no more of them than there is room.
    void take(std::uint64_t keys) noexcept {
        taken_ += keys;
        if (taken_ >= next_count_) {
            count();
        }
    }
    /// How many keys it takes before it has to be asked again whether it is full.
    [[nodiscard]] std::uint64_t room() const noexcept {
        return std::min(limit_, next_count_) - taken_;
    }
    /// Has the keys that it is for, or more ones than they would set but by malice.
    [[nodiscard]] bool is_full() const noexcept { return taken_ >= limit_; }
    /// The union with a layer of equal shape. O(w).
    void merge(const scalable_layer& other) noexcept;

    [[nodiscard]] plan::shape shape() const noexcept { return places_.shape(); }
    [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] std::uint64_t taken() const noexcept { return taken_; }
    /// O(w).
    [[nodiscard]] std::uint64_t ones() const noexcept;
    [[nodiscard]] std::span<const std::uint64_t> words() const noexcept {
        return {words_.data(), words_.word_count()};
    }

private:
    void count() noexcept;

    layout::native places_;
    storage::heap_words<> words_;
    std::uint64_t capacity_;
    std::uint64_t taken_;
    std::uint64_t most_;       ///< ones
    std::uint64_t limit_;      ///< how many keys fill it: its capacity, or fewer by malice
    std::uint64_t next_count_; ///< when that many are in, the ones are counted again
};

} // namespace detail

/// A set of keys that grows: when a layer is full, a larger and stricter one is put on it. Layer i
/// has a rate of p (1-r) r^i, so that all of them together stay below p. It has no erase. A filter
/// of the final size takes half the memory or less, and one question instead of one a layer: guess
/// high.
///
/// Layers are of the classic layout, which takes the least memory at their low rates, or, if asked
/// for, of those that keep a key in one cache line, which are several times as fast once the filter
/// is larger than the cache. A filter that never grew holds the bits of a `filter` of its shape.
///
/// A filter that was moved from has no layers: it denies every key, and inserting into it throws
/// bad_argument, until it is assigned to or cleared.
///
/// Threads: any number may call const members at once; a call that changes the filter must be
/// alone. Costs are given for l layers of k probes and w words in all.
///
/// Its parameters in the spec:
///   0  keys of the first layer         3  tightening, as the bits of a double
///   1  the rate of all layers, ditto   4  most layers
///   2  growth                          5  most bytes
///                                      6  1 for fast layers
/// Its shape in the spec has the bits of all layers, and the layout and the probes of the first.
class scalable_filter : public key_calls<scalable_filter> {
public:
    /// One empty layer for n keys: a guess. The rate is that of all layers together. O(w). Throws
    /// bad_argument for n = 0, p outside (0, 1) or so low that layers would be below 2^-60, and
    /// options out of range; memory_refused.
    scalable_filter(items n, rate p, const scalable_options& options = {},
                    const native_hash& hash = {});

    using key_calls<scalable_filter>::insert;
    using key_calls<scalable_filter>::may_contain;

    /// Adds a key that no layer claims; one that may be in already changes nothing. Grows first if
    /// the newest layer is full, or is `full` where it may not. O(l k), O(w) when it grows. Throws
    /// memory_refused; nothing has changed then.
    insertion insert(digest128 key) {
        if (may_contain(key)) {
            return {};
        }
        require_layers();
        if (layers_.back().is_full() && grow() == status::full) {
            return {true, status::full};
        }
        layers_.back().insert(hash::digest_for_part(key, layers_.size() - 1));
        return {true, status::ok};
    }
    /// Asks all layers, the newest, which is the largest, first. O(l k).
    [[nodiscard]] bool may_contain(digest128 key) const noexcept {
        for (std::size_t at = layers_.size(); at-- > 0;) {
            if (layers_[at].may_contain(hash::digest_for_part(key, at))) {
                return true;
            }
        }
        return false;
    }
    /// Asks for the memory of the newest layer, which is most of it.
    BLOOMERY_INLINE void prefetch(digest128 key) const noexcept {
        if (!layers_.empty()) {
            layers_.back().prefetch(hash::digest_for_part(key, layers_.size() - 1));
        }
    }

    /// Room for n more keys in one layer, instead of several that double; nothing if the newest has
    /// it. A layer as large as the next one would be anyway, if n is less and the limits allow it,
    /// so that calls for a few keys do not use the layers up. What room is left in that one is
    /// given up, so reserve once for all that is to come. `full` where the limits forbid it. O(w);
    /// throws memory_refused.
    status reserve(items n);

    /// Why the two cannot be combined, or nothing. Equal specs and layers of equal shapes. O(l).
    [[nodiscard]] compatibility compatible_with(const scalable_filter& other) const;
    /// The union, layer by layer. Layers may be fuller then than they are for: see stats(). O(w).
    /// Throws incompatible.
    void merge(const scalable_filter& other);
    /// Forgets every key and all layers but the first. O(w). Throws memory_refused.
    void clear();

    [[nodiscard]] std::size_t layer_count() const noexcept { return layers_.size(); }
    /// How many keys it took as new. O(l).
    [[nodiscard]] std::uint64_t items_taken() const noexcept;
    /// How many keys its layers are for now. O(l).
    [[nodiscard]] std::uint64_t item_capacity() const noexcept;
    [[nodiscard]] const scalable_options& options() const noexcept { return options_; }

    [[nodiscard]] std::uint64_t byte_count() const noexcept;
    [[nodiscard]] bloomery::spec spec() const noexcept;
    /// Over all layers; the keys are estimated from the ones of each. O(w).
    [[nodiscard]] statistics stats() const;
    /// The rate to expect after n distinct keys, with the layers that it has and those that it will
    /// add, up to its limits. O(l).
    [[nodiscard]] double fpp_at(items n) const;
    [[nodiscard]] std::vector<fact> facts() const;

    /// The number of layers and, of each, bits, probes, capacity and keys; then their words.
    [[nodiscard]] saved_words saved() const;
    /// The filter of saved words. O(w). Throws bad_data for what no filter saved, unsupported for
    /// parameters of a newer version, memory_refused.
    /// A layer that is added to it has at most `most_new_bytes`, or sixteen times those of all
    /// others: growth is a claim of the file. More throws filter_full.
    [[nodiscard]] static scalable_filter
    restored(const bloomery::spec& what, const design& made_for, const native_hash& hash,
             std::span<const std::uint64_t> words,
             std::uint64_t most_new_bytes = usual_unseen_bytes);

    /// Equal specs, layers and bits. O(w).
    friend bool operator==(const scalable_filter& a, const scalable_filter& b);

private:
    using layer = detail::scalable_layer;
    friend key_calls<scalable_filter>; // which hands over runs of keys

    /// Asks for, or adds, a run of `longest_run` keys at most; bit i tells of key i. insert_run
    /// throws filter_full at the first that finds no room; those before are in.
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
    void require_layers() const {
        if (layers_.empty()) [[unlikely]] {
            storage::detail::refuse_moved_from();
        }
    }
    status grow();
    status append(std::uint64_t capacity);
    /// The shape of such a layer, or nothing where a limit forbids it.
    [[nodiscard]] std::optional<plan::shape> planned(std::uint64_t capacity, std::size_t at,
                                                     std::uint64_t other_bytes) const;
    [[nodiscard]] double rate_of(std::size_t at) const noexcept;

    scalable_options options_;
    items first_;
    rate rate_;
    std::uint64_t most_new_bytes_ = UINT64_MAX;
    std::vector<layer> layers_;
};

} // namespace bloomery
