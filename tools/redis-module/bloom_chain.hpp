// A stack of layers in the server's memory, the same for each kind.
//
// A `Kind` has
//     rules, facts, layer            how layers follow one another; one without its bits, and with
//     digest(rules, bytes)           the hash of an item
//     same_hash(rules, rules)        whether two filters hash alike
//     first(capacity, rate, rules)   the first layer; throws bad_argument if there is none
//     next(facts, rules)             the layer on top of another; throws the same
//     is_next(above, below, rules)   whether one would be the next after the other
//     byte_count(facts)              of its bits
//     bits_for(facts)                all zero; throws std::bad_alloc
//     overhead(layers)               the bytes of a filter besides its bits
//     rate_of(facts, rules)          the rate of all layers, given the first
//     layout_of, debug_line          what BF.INFO and BF.DEBUG show
//     encode(rules, facts)           the header of a dump
//     decode(header)                 its rules and layers; throws bad_data and others
//     load(stream, version)          rules and layers from an RDB file; throws that, and io_failed
//     save(stream, chain)            to an RDB file
//     digest(state, chain)           adds all that decides answers and growth
#pragma once

#include <bloomery/detail/filter/layer_stack.hpp>
#include <bloomery/error.hpp>
#include <bloomery/hash/digest.hpp>

#include "bloom_object.hpp"
#include "combine.hpp"
#include "rdb.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <new>
#include <optional>
#include <utility>

namespace bloomery::redis_module {

using detail::bit_of;
using detail::run_bits;

template <class Kind>
class bloom_chain final : public bloom_object {
public:
    using rules_type = typename Kind::rules;
    using facts_type = typename Kind::facts;
    using layer = typename Kind::layer;
    using layer_list = server_list<layer>;

    bloom_chain(rules_type rules, layer_list layers) noexcept
        : rules_(std::move(rules)), layers_(std::move(layers)) {
        changed();
    }

    /// An empty filter. Throws bad_argument, std::bad_alloc.
    static std::unique_ptr<bloom_chain> make(std::uint64_t capacity, double rate,
                                             const rules_type& rules) {
        const facts_type first = Kind::first(capacity, rate, rules);
        return std::make_unique<bloom_chain>(rules, empty_layers({&first, 1}));
    }
    /// One without its bits, from the first piece of a dump. Throws as Kind::decode, refusal if it
    /// exceeds the limits, std::bad_alloc.
    static std::unique_ptr<bloom_chain> from_header(byte_view bytes, const filter_limits& most) {
        const auto [rules, all] = Kind::decode(bytes);
        if (all.size() > most.layers) throw refusal{too_many_layers(all.size())};
        std::uint64_t sum = 0;
        for (const facts_type& one : all) sum += Kind::byte_count(one);
        if (sum > most.bytes) throw refusal{bloom_over_limit("ERR received bad data")};
        return std::make_unique<bloom_chain>(rules, empty_layers(all));
    }
    static std::unique_ptr<bloom_chain> load(stream* from, int version) {
        auto [rules, layers] = Kind::load(from, version);
        if (layers.size() > bloom_limits(!is_from_client(from)).layers) {
            throw refusal{too_many_layers(layers.size())};
        }
        return std::make_unique<bloom_chain>(std::move(rules), std::move(layers));
    }

    std::size_t add(std::span<text* const> items, outcome* became,
                    const filter_limits& most) noexcept override {
        outcome grown = outcome::fresh;
        const auto grows = [&] {
            grown = grow(most);
            return grown == outcome::fresh;
        };
        if (items.size() == 1) {
            const insertion done = layers_.insert(Kind::digest(rules_, key_bytes(items[0])), grows);
            became[0] = done.state == status::full ? grown : told(done.fresh);
            return 1;
        }
        const run all(rules_, items);
        run_bits fresh;
        run_bits refused{};
        const auto refuse = [&](std::size_t i) {
            refused[i / 64] |= std::uint64_t{1} << (i % 64);
            return grown != outcome::full;
        };
        const std::size_t done =
            layers_.insert({all.digests.data(), items.size()}, fresh.data(), grows, refuse);
        const std::size_t told_of = std::min(done + 1, items.size()); // with the one that stops it
        for (std::size_t i = 0; i < told_of; ++i) {
            became[i] = bit_of(refused.data(), i) ? grown : told(bit_of(fresh.data(), i));
        }
        return told_of;
    }

    void ask(std::span<text* const> items, std::uint64_t* maybe) const noexcept override {
        if (items.size() == 1) {
            maybe[0] = layers_.may_contain(Kind::digest(rules_, key_bytes(items[0]))) ? 1 : 0;
            return;
        }
        const run all(rules_, items);
        layers_.ask({all.digests.data(), items.size()}, maybe);
    }

    [[nodiscard]] bloom_facts facts() const noexcept override {
        return {.capacity = layers_.sum([](const layer& one) { return one.capacity(); }),
                .bytes = Kind::overhead(layer_count()) + bit_bytes(),
                .filters = layer_count(),
                .items = item_count(),
                .expansion = rules_.grows() ? std::optional(rules_.growth) : std::nullopt,
                .rate = Kind::rate_of(layers_[first_of_own()].facts(), rules_),
                .layout = Kind::layout_of(layers_.front().facts())};
    }
    [[nodiscard]] std::string debug_line(std::size_t layer) const override {
        return Kind::debug_line(layers_[layer].facts(), rules_);
    }
    [[nodiscard]] std::vector<std::byte> header() const override {
        std::vector<facts_type> all;
        all.reserve(layer_count());
        for (const layer& one : layers_) all.push_back(one.facts());
        return Kind::encode(rules_, all);
    }

    [[nodiscard]] std::size_t layer_count() const noexcept override { return layers_.size(); }
    [[nodiscard]] std::uint64_t room() const noexcept override { return layers_.back().room(); }
    [[nodiscard]] std::uint32_t hash_count() const noexcept override {
        return layers_.back().shape().hash_count;
    }
    [[nodiscard]] std::span<const std::byte> bits(std::size_t layer) const noexcept override {
        return {layers_[layer].storage().data(), layers_[layer].storage().size()};
    }
    [[nodiscard]] std::span<std::byte> bits(std::size_t layer) noexcept override {
        return {layers_[layer].storage().data(), layers_[layer].storage().size()};
    }

    [[nodiscard]] std::unique_ptr<bloom_object> copy() const override {
        layer_list copies;
        copies.reserve(layers_.size());
        for (const layer& one : layers_) copies.push_back(copy_of(one));
        return std::make_unique<bloom_chain>(rules_, std::move(copies));
    }
    void merge(const bloom_object& other, const filter_limits& most) override {
        merge_layers(require_like(other).layers(), most);
    }
    void intersect(const bloom_object& other) override {
        intersect_layers(require_like(other).layers());
    }
    void save(stream* to) const noexcept override { Kind::save(to, *this); }
    void digest(digest_state* to) const noexcept override {
        Kind::digest(to, *this);
        server.digest_end_sequence(to);
    }

    void swap(bloom_object& other) noexcept override {
        auto& same = static_cast<bloom_chain&>(other);
        layers_.all().swap(same.layers_.all());
        changed();
        same.changed();
    }

    void clear() noexcept override {
        std::swap(layers_.front(), layers_[first_of_own()]);
        layers_.all().erase(layers_.begin() + 1, layers_.end());
        layers_.front().storage().clear();
        layers_.front().set_size(0);
        changed();
    }

    std::size_t defrag(defrag_context* by, std::size_t from) override {
        if (from == 0) relocate(layers_.all());
        while (from < layers_.size()) {
            layers_[from++].storage().defrag(by);
            if (server.defrag_should_stop(by) != 0) break;
        }
        return from;
    }

    [[nodiscard]] const rules_type& rules() const noexcept { return rules_; }
    [[nodiscard]] const layer_list& layers() const noexcept { return layers_.all(); }
    [[nodiscard]] std::uint64_t item_count() const noexcept { return items_in(layers()); }

private:
    static layer_list empty_layers(std::span<const facts_type> of) {
        layer_list layers;
        layers.reserve(of.size());
        for (const facts_type& one : of) layers.emplace_back(one, Kind::bits_for(one));
        return layers;
    }
    [[nodiscard]] const bloom_chain& require_like(const bloom_object& other) const {
        const auto* const same = dynamic_cast<const bloom_chain*>(&other);
        if (same == nullptr || !Kind::same_hash(rules_, same->rules_)) {
            throw refusal{
                "ERR the filters have different layouts or hashes and cannot be combined"};
        }
        return *same;
    }
    /// Unites each layer of another stack with one of ours that has the same positions, if the keys
    /// of both fit into it; the others become layers below the newest, so that ours grows as
    /// before. Throws refusal, std::bad_alloc; then nothing changed.
    void merge_layers(const layer_list& others, const filter_limits& most) {
        struct step {
            const layer* from;
            host into;
        };
        if ((item_count() + items_in(others)) >> 61U != 0) {
            throw refusal{"ERR the filters have more items than can be counted"};
        }
        // Trying each with every other would take too long.
        std::uint64_t looks = 2 * (bit_bytes() + bytes_in(others)) + small;
        std::vector<step> united;
        std::vector<bool> taken(layers_.size());
        layer_list added;
        std::uint64_t more = 0;
        for (const layer& other : others) {
            const auto number = static_cast<std::size_t>(&other - others.data());
            if (const std::optional<host> into = host_for(other, number, taken, looks)) {
                taken[into->number] = true;
                united.push_back({&other, *into});
                continue;
            }
            more += other.storage().size();
            if (more > most.bytes || bit_bytes() > most.bytes - more) {
                throw refusal{bloom_over_limit("ERR Insufficient memory")};
            }
            if (layers_.size() + added.size() >= most.layers) {
                throw refusal{too_many_layers(layers_.size() + added.size() + 1)};
            }
            added.push_back(copy_of(other));
        }
        layers_.all().reserve(layers_.size() + added.size());
        for (const step& one : united) {
            unite(layers_[one.into.number].storage(), one.from->storage());
            layers_[one.into.number].set_size(one.into.size);
        }
        layers_.all().insert(layers_.end() - 1, std::make_move_iterator(added.begin()),
                             std::make_move_iterator(added.end()));
        changed();
    }

    /// Keeps the bits that both have. Throws refusal unless both have one layer, with the same
    /// positions: of several layers, it is unknown which key is where.
    void intersect_layers(const layer_list& others) {
        layer& ours = layers_.front();
        if (layers_.size() != 1 || others.size() != 1 || !same_places(ours, others.front())) {
            throw refusal{"ERR only filters of the same size that never grew can be intersected"};
        }
        const layer& other = others.front();
        ours.set_size(likely_common_items(ours.shape(), ours.storage(), other.storage(),
                                          std::min(ours.size(), other.size())));
        keep_common(ours.storage(), other.storage());
    }

    static constexpr std::uint64_t small = std::uint64_t{1} << 20U; ///< bytes read in no time

    static std::uint64_t bytes_in(const layer_list& layers) noexcept {
        std::uint64_t sum = 0;
        for (const layer& one : layers) sum += one.storage().size();
        return sum;
    }
    static std::uint64_t items_in(const layer_list& layers) noexcept {
        std::uint64_t sum = 0;
        for (const layer& one : layers) sum += one.size();
        return sum;
    }

    /// The layer that the filter began with. Layers that were merged into a filter of a single
    /// layer are below it; ours are those from which the newest grew.
    [[nodiscard]] std::size_t first_of_own() const noexcept {
        std::size_t own = layers_.size() - 1;
        for (std::size_t i = own; rules_.grows() && i-- > 0;) {
            if (Kind::is_next(layers_[own].facts(), layers_[i].facts(), rules_)) own = i;
        }
        return own;
    }

    /// One of our layers that another is united with, and the number of keys it has then.
    struct host {
        std::size_t number;
        std::uint64_t size;
    };
    /// The layer of the same number, if it fits, or the first of a few that does. Each takes only
    /// one, so that the estimate holds. Reads `looks` bytes at most, and one layer in any case.
    [[nodiscard]] std::optional<host> host_for(const layer& other, std::size_t number,
                                               const std::vector<bool>& taken,
                                               std::uint64_t& looks) const {
        // Looking at thousands of layers takes too long.
        constexpr std::size_t most_looks = 256;
        constexpr int most_tries = 16;
        int tries = 0;
        for (std::size_t i = 0; i <= layers_.size() && i < most_looks && tries < most_tries; ++i) {
            const std::size_t at = i == 0 ? number : i - 1;
            if (at >= layers_.size() || taken[at] || !same_places(layers_[at], other)) continue;
            const std::uint64_t more = 2 * other.storage().size();
            if (tries != 0 && more > looks) break;
            ++tries;
            looks -= std::min(looks, more);
            const std::uint64_t size = size_of_union(layers_[at], other);
            if (size <= layers_[at].capacity()) return host{at, size};
        }
        return std::nullopt;
    }

    static std::uint64_t size_of_union(const layer& ours, const layer& other) {
        const ones_of ones = count_ones(ours.storage(), other.storage());
        const std::uint64_t least = std::max(ours.size(), other.size());
        // If one has all bits of the other, and so its keys, there is nothing to estimate: merging
        // the same filter again changes nothing.
        if (ones.both == ones.first || ones.both == ones.second) return least;
        return likely_items(other.shape(), ones.both, least,
                            sum_or_most(ours.size(), other.size()));
    }

    static std::uint64_t sum_or_most(std::uint64_t a, std::uint64_t b) noexcept {
        return a > UINT64_MAX - b ? UINT64_MAX : a + b;
    }

    /// Whether bits may be united: the same positions in as many bytes.
    static bool same_places(const layer& a, const layer& b) noexcept {
        return a.shape() == b.shape() && a.storage().size() == b.storage().size();
    }
    static layer copy_of(const layer& one) { return {one.facts(), one.storage().copy()}; }

    /// The digests of a run. Hashing all items first overlaps hashing with memory accesses.
    struct run {
        run(const rules_type& by, std::span<text* const> items) noexcept {
            for (std::size_t i = 0; i < items.size(); ++i) {
                digests[i] = Kind::digest(by, key_bytes(items[i]));
            }
        }
        std::array<digest128, longest_run> digests;
    };
    static_assert(longest_run <= detail::longest_run);

    static outcome told(bool fresh) noexcept { return fresh ? outcome::fresh : outcome::present; }

    /// `fresh` if there is a new layer now.
    outcome grow(const filter_limits& most) noexcept {
        if (!rules_.grows()) return outcome::full;
        if (layers_.size() >= most.layers) return outcome::too_many;
        try {
            if (!next_) next_ = Kind::next(layers_.back().facts(), rules_);
            const std::uint64_t more = Kind::byte_count(*next_);
            if (more > most.bytes || bit_bytes() > most.bytes - more) {
                return outcome::over_limit;
            }
            layers_.emplace_back(*next_, Kind::bits_for(*next_));
        } catch (const std::bad_alloc&) {
            return outcome::no_memory;
        } catch (const error&) {
            return outcome::no_memory; // no layer is so large, or so strict
        }
        next_.reset();
        count(probes() + layers_.back().shape().hash_count,
              bit_bytes() + layers_.back().storage().size());
        return outcome::fresh;
    }

    /// Called when layers come or go. O(layers).
    void changed() noexcept {
        next_.reset();
        count(layers_.sum([](const layer& one) { return one.shape().hash_count; }),
              layers_.sum([](const layer& one) { return one.storage().size(); }));
    }
    void count(std::uint64_t probes, std::uint64_t bits) noexcept {
        bloom_object::count(probes, bits, Kind::overhead(layer_count()) + bits);
    }

    rules_type rules_;
    detail::layer_stack<layer, server_allocator<layer>> layers_;
    /// Planned once, because a filter at its limit tries to grow with every item.
    std::optional<facts_type> next_;
};

} // namespace bloomery::redis_module
