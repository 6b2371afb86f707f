// The verbs of a stack of layers, the same for each kind of layer.
//
// A layer has
//     rules                          what all layers of a stack have in common, and how it grows
//     digest(rules, bytes)           the hash of an item
//     ask(digests, maybe)            bit i of `maybe`: all bits of digest i are set
//     insert(digests, fresh)         sets all bits of each in turn; bit i of `fresh`: any was clear
//     has(digest), insert(digest)    the same for one
//     next(rules)                    an empty layer to put on top of it; throws where there is none
//     bytes_of_next(rules)           how large that is; throws as well
//     is_below(other, rules)         the other would be the next one
//     has_places_of(other)           its bits may be united with those of another
//     plan_shape()                   for estimates of how many keys its bits have
//     copy()                         throws std::bad_alloc
//     entries(), size                how many items it takes, and took
//     bits                           server_bytes
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/hash/digest.hpp>

#include "bloom_object.hpp"
#include "combine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <new>
#include <optional>
#include <utility>

namespace bloomery::redis_module {

/// Bits of a run, one for each item.
using run_bits = std::array<std::uint64_t, longest_run / 64>;

inline bool bit_of(const std::uint64_t* bits, std::size_t i) noexcept {
    return (bits[i / 64] >> (i % 64) & 1U) != 0;
}
inline void set_bit(std::uint64_t* bits, std::size_t i) noexcept {
    bits[i / 64] |= std::uint64_t{1} << (i % 64);
}

template <class Layer>
class bloom_chain : public bloom_object {
public:
    using rules_type = typename Layer::rules;
    using layer_list = std::vector<Layer, server_allocator<Layer>>;

    bloom_chain(rules_type rules, layer_list layers) noexcept
        : rules_(std::move(rules)), layers_(std::move(layers)) {}

    std::size_t add(std::span<text* const> items, outcome* became,
                    std::uint64_t most_bytes) noexcept override {
        if (items.size() == 1) {
            became[0] = add_one(Layer::digest(rules_, key_bytes(items[0])), most_bytes);
            return 1;
        }
        const run all(rules_, items);
        std::size_t done = 0;
        while (done < items.size() && (done == 0 || became[done - 1] != outcome::full)) {
            done += add_until_it_grows({all.digests.data() + done, items.size() - done},
                                       became + done, most_bytes);
        }
        return done;
    }

    void ask(std::span<text* const> items, std::uint64_t* maybe) const noexcept override {
        if (items.size() == 1) {
            maybe[0] = has(Layer::digest(rules_, key_bytes(items[0]))) ? 1 : 0;
            return;
        }
        const run all(rules_, items);
        ask_layers({all.digests.data(), items.size()}, layers_.size(), maybe);
    }

    [[nodiscard]] std::size_t layer_count() const noexcept override { return layers_.size(); }
    [[nodiscard]] std::span<const std::byte> bits(std::size_t layer) const noexcept override {
        return {layers_[layer].bits.data(), layers_[layer].bits.size()};
    }
    [[nodiscard]] std::span<std::byte> bits(std::size_t layer) noexcept override {
        return {layers_[layer].bits.data(), layers_[layer].bits.size()};
    }

    void swap(bloom_object& other) noexcept override {
        auto& same = static_cast<bloom_chain&>(other);
        layers_.swap(same.layers_);
        count();
        same.count();
    }

    void clear() noexcept override {
        std::swap(layers_.front(), layers_[first_of_own()]);
        layers_.erase(layers_.begin() + 1, layers_.end());
        layers_.front().bits.clear();
        layers_.front().size = 0;
        count();
    }

    std::size_t defrag(defrag_context* by, std::size_t from) override {
        if (from == 0) relocate(layers_);
        while (from < layers_.size()) {
            layers_[from++].bits.defrag(by);
            if (server.defrag_should_stop(by) != 0) break;
        }
        return from;
    }

    [[nodiscard]] const rules_type& rules() const noexcept { return rules_; }
    [[nodiscard]] const layer_list& layers() const noexcept { return layers_; }

protected:
    [[nodiscard]] layer_list copied_layers() const {
        layer_list copies;
        copies.reserve(layers_.size());
        for (const Layer& layer : layers_) copies.push_back(layer.copy());
        return copies;
    }
    /// Unites each layer of another stack with one of ours that has the same places, if the keys of
    /// both fit into it; the others are taken in as layers below the newest, so that ours grows as
    /// before. Throws refusal, std::bad_alloc, with nothing changed.
    void merge_layers(const layer_list& others, std::uint64_t most_bytes) {
        struct step {
            const Layer* from;
            host into;
        };
        if ((item_count() + items_in(others)) >> 61U != 0) {
            throw refusal{"ERR the filters have more items than can be counted"};
        }
        std::vector<step> united;
        std::vector<bool> taken(layers_.size());
        layer_list added;
        std::uint64_t more = 0;
        for (const Layer& other : others) {
            const auto number = static_cast<std::size_t>(&other - others.data());
            if (const std::optional<host> into = host_for(other, number, taken)) {
                taken[into->layer] = true;
                united.push_back({&other, *into});
                continue;
            }
            more += other.bits.size();
            if (more > most_bytes || bit_bytes() > most_bytes - more) {
                throw refusal{bloom_over_limit("ERR Insufficient memory")};
            }
            added.push_back(other.copy());
        }
        layers_.reserve(layers_.size() + added.size());
        for (const step& one : united) {
            unite(layers_[one.into.layer].bits, one.from->bits);
            layers_[one.into.layer].size = one.into.size;
        }
        layers_.insert(layers_.end() - 1, std::make_move_iterator(added.begin()),
                       std::make_move_iterator(added.end()));
        count();
    }

    /// Keeps the bits that both have. Of several layers nobody knows which key is where. Throws
    /// refusal unless both have one layer, with the same places.
    void intersect_layers(const layer_list& others) {
        Layer& ours = layers_.front();
        if (layers_.size() != 1 || others.size() != 1 || !ours.has_places_of(others.front())) {
            throw refusal{"ERR only filters of the same size that never grew can be intersected"};
        }
        const Layer& other = others.front();
        ours.size = likely_common_items(ours.plan_shape(), ours.bits, other.bits,
                                        std::min(ours.size, other.size));
        keep_common(ours.bits, other.bits);
    }

    static std::uint64_t items_in(const layer_list& layers) noexcept {
        std::uint64_t sum = 0;
        for (const Layer& layer : layers) sum += layer.size;
        return sum;
    }
    [[nodiscard]] std::uint64_t item_count() const noexcept { return items_in(layers_); }
    [[nodiscard]] std::uint64_t capacity() const noexcept {
        std::uint64_t sum = 0;
        for (const Layer& layer : layers_) sum += layer.entries();
        return sum;
    }

    /// The layer that the filter began with. One that was merged into a filter of a single layer
    /// lies below it; ours are those from which the newest grew.
    [[nodiscard]] std::size_t first_of_own() const noexcept {
        std::size_t own = layers_.size() - 1;
        for (std::size_t i = own; rules_.grows() && i-- > 0;) {
            if (layers_[i].is_below(layers_[own], rules_)) own = i;
        }
        return own;
    }

private:
    /// One of our layers that takes in another, and how many keys it has then.
    struct host {
        std::size_t layer;
        std::uint64_t size;
    };
    /// The layer of the same number, if it fits, or the first of few that does. Each takes one, so
    /// that what was estimated holds.
    [[nodiscard]] std::optional<host> host_for(const Layer& other, std::size_t number,
                                               const std::vector<bool>& taken) const {
        // To look at all of thousands of layers takes too long.
        constexpr std::size_t most_looks = 256;
        constexpr int most_tries = 16;
        int tries = 0;
        for (std::size_t i = 0; i <= layers_.size() && i < most_looks && tries < most_tries; ++i) {
            const std::size_t at = i == 0 ? number : i - 1;
            if (at >= layers_.size() || taken[at] || !layers_[at].has_places_of(other)) continue;
            ++tries;
            const std::uint64_t size = size_of_union(layers_[at], other);
            if (size <= layers_[at].entries()) return host{at, size};
        }
        return std::nullopt;
    }

    static std::uint64_t size_of_union(const Layer& ours, const Layer& other) {
        const std::uint64_t ones = ones_of_union(ours.bits, other.bits);
        const std::uint64_t least = std::max(ours.size, other.size);
        // Of one that has all bits of the other, and so its keys, nothing has to be estimated.
        // Merging the same again then changes nothing.
        if (ones == ones_of_union(ours.bits, ours.bits) ||
            ones == ones_of_union(other.bits, other.bits)) {
            return least;
        }
        return likely_items(other.plan_shape(), ones, least, sum_or_most(ours.size, other.size));
    }

    static std::uint64_t sum_or_most(std::uint64_t a, std::uint64_t b) noexcept {
        return a > UINT64_MAX - b ? UINT64_MAX : a + b;
    }

    using digest_span = std::span<const digest128>;

    /// The digests of a run. Hashing all items first lets the memory work while others are hashed.
    struct run {
        run(const rules_type& by, std::span<text* const> items) noexcept {
            for (std::size_t i = 0; i < items.size(); ++i) {
                digests[i] = Layer::digest(by, key_bytes(items[i]));
            }
        }
        std::array<digest128, longest_run> digests;
    };

    [[nodiscard]] bool has(digest128 key) const noexcept {
        for (std::size_t at = layers_.size(); at-- > 0;) {
            if (layers_[at].has(key)) return true;
        }
        return false;
    }

    outcome add_one(digest128 key, std::uint64_t most_bytes) noexcept {
        for (std::size_t at = layers_.size() - 1; at-- > 0;) {
            if (layers_[at].has(key)) return outcome::present;
        }
        if (layers_.back().size >= layers_.back().entries()) {
            if (layers_.back().has(key)) return outcome::present;
            const outcome grown = grow(most_bytes);
            if (grown != outcome::fresh) return grown;
        }
        if (!layers_.back().insert(key)) return outcome::present;
        ++layers_.back().size;
        return outcome::fresh;
    }

    /// Asks the first `count` layers, the newest first, each only for what those before it denied.
    void ask_layers(digest_span keys, std::size_t count, std::uint64_t* maybe) const noexcept {
        std::fill_n(maybe, (keys.size() + 63) / 64, 0);
        if (count == 0) return;
        layers_[count - 1].ask(keys, maybe);
        if (count == 1) return;
        std::array<digest128, longest_run> left;
        std::array<std::uint16_t, longest_run> place;
        std::size_t n = 0;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (bit_of(maybe, i)) continue;
            left[n] = keys[i];
            place[n++] = static_cast<std::uint16_t>(i);
        }
        for (std::size_t at = count - 1; at-- > 0 && n != 0;) {
            run_bits found;
            layers_[at].ask({left.data(), n}, found.data());
            std::size_t kept = 0;
            for (std::size_t i = 0; i < n; ++i) {
                if (bit_of(found.data(), i)) {
                    set_bit(maybe, place[i]);
                } else {
                    left[kept] = left[i];
                    place[kept++] = place[i];
                }
            }
            n = kept;
        }
    }

    /// Adds keys to the newest layer, or one key after the layer has grown. Returns how many it
    /// did.
    std::size_t add_until_it_grows(digest_span keys, outcome* became,
                                   std::uint64_t most_bytes) noexcept {
        Layer& newest = layers_.back();
        const std::uint64_t room =
            newest.size < newest.entries() ? newest.entries() - newest.size : 0;
        if (room == 0) return add_to_full(keys, became, most_bytes);
        // As many as there is room for even if all are new.
        keys = keys.first(static_cast<std::size_t>(std::min<std::uint64_t>(keys.size(), room)));
        run_bits older;
        ask_layers(keys, layers_.size() - 1, older.data());
        std::array<digest128, longest_run> left;
        std::size_t n = 0;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (!bit_of(older.data(), i)) left[n++] = keys[i];
        }
        run_bits fresh;
        newest.insert({left.data(), n}, fresh.data());
        std::size_t at = 0;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const bool is_fresh = !bit_of(older.data(), i) && bit_of(fresh.data(), at++);
            became[i] = is_fresh ? outcome::fresh : outcome::present;
            newest.size += is_fresh ? 1 : 0;
        }
        return keys.size();
    }

    /// The newest layer takes no more: what is in is told so, up to the first key that is new.
    std::size_t add_to_full(digest_span keys, outcome* became, std::uint64_t most_bytes) noexcept {
        run_bits present;
        ask_layers(keys, layers_.size(), present.data());
        std::size_t i = 0;
        while (i < keys.size() && bit_of(present.data(), i)) became[i++] = outcome::present;
        if (i == keys.size()) return i;
        const outcome grown = grow(most_bytes);
        if (grown == outcome::fresh) return i; // the key itself goes into the new layer
        became[i] = grown;
        return i + 1;
    }

    /// `fresh` if there is a new layer now.
    outcome grow(std::uint64_t most_bytes) noexcept {
        if (!rules_.grows()) return outcome::full;
        try {
            layers_.reserve(layers_.size() + 1);
            const std::uint64_t more = layers_.back().bytes_of_next(rules_);
            if (more > most_bytes || bit_bytes() > most_bytes - more) {
                return outcome::over_limit;
            }
            layers_.push_back(layers_.back().next(rules_));
        } catch (const std::bad_alloc&) {
            return outcome::no_memory;
        } catch (const error&) {
            return outcome::no_memory; // no layer is so large, or so strict
        }
        count();
        return outcome::fresh;
    }

    rules_type rules_;
    layer_list layers_;
};

} // namespace bloomery::redis_module
