// What a key of a Bloom filter holds: a stack of layers, of RedisBloom's kind or of ours.
//
// Commands use this and know neither. Calls are virtual once per run of items, not per item.
#pragma once

#include <bloomery/detail/key/bytes.hpp>

#include "call.hpp"
#include "memory.hpp"
#include "settings.hpp"
#include "totals.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::redis_module {

/// What became of an item.
enum class outcome : std::uint8_t {
    present,    ///< it may have been in
    fresh,      ///< it was definitely new, and is in
    full,       ///< there is no room, and the filter does not grow
    no_memory,  ///< there is no room, and growing failed
    over_limit, ///< there is no room, and growing would exceed the memory limit
    too_many,   ///< there is no room, and growing would exceed the limit on layers
    too_long,   ///< it was not tried, because the command took too long
};

/// What BF.INFO shows.
struct bloom_facts {
    std::uint64_t capacity;
    std::uint64_t bytes;
    std::uint64_t filters;
    std::uint64_t items;
    std::optional<std::uint32_t> expansion; ///< none if it does not grow
    double rate;                            ///< that it was made for
    std::string_view layout;
};

/// The error for a filter that would take too many bytes: that of the setting or, if that is not
/// the reason, the one given.
inline const char* bloom_over_limit(const char* no_memory) noexcept {
    return over_limit_text("ERR operation exceeds bloom object memory limit", no_memory);
}

/// The error for a filter that would have so many layers.
inline std::string too_many_layers(std::uint64_t layers) {
    return "ERR the filter would have " + std::to_string(layers) +
           " layers, more than bf-max-expansions allows";
}

/// See above. A call that throws std::bad_alloc has changed nothing.
class bloom_object : public server_allocated {
public:
    bloom_object() noexcept : counted_(bloom_totals) {}
    virtual ~bloom_object() = default;
    bloom_object(const bloom_object&) = delete;
    bloom_object& operator=(const bloom_object&) = delete;

    /// Adds at most `longest_run` items, in order, and stores what became of each; the filter may
    /// grow up to the limits. Stops after the first item that finds it full; returns the
    /// number of items tried.
    virtual std::size_t add(std::span<text* const> items, outcome* became,
                            const filter_limits& most) noexcept = 0;
    /// Queries at most `longest_run` items; bit i of `maybe` is the answer for item i.
    virtual void ask(std::span<text* const> items, std::uint64_t* maybe) const noexcept = 0;

    [[nodiscard]] virtual bloom_facts facts() const noexcept = 0;
    /// The line of BF.DEBUG for a layer.
    [[nodiscard]] virtual std::string debug_line(std::size_t layer) const = 0;

    /// The first piece of a dump: all but the bits.
    [[nodiscard]] virtual std::vector<std::byte> header() const = 0;
    [[nodiscard]] virtual std::size_t layer_count() const noexcept = 0;
    /// How many items it takes before it has to grow.
    [[nodiscard]] virtual std::uint64_t room() const noexcept = 0;
    /// How many bits an item sets.
    [[nodiscard]] virtual std::uint32_t hash_count() const noexcept = 0;
    /// The bits of a layer.
    [[nodiscard]] virtual std::span<const std::byte> bits(std::size_t layer) const noexcept = 0;
    [[nodiscard]] virtual std::span<std::byte> bits(std::size_t layer) noexcept = 0;

    /// A copy. Throws std::bad_alloc.
    [[nodiscard]] virtual std::unique_ptr<bloom_object> copy() const = 0;
    /// Swaps the layers with those of another filter of the same kind, which keeps what the server
    /// knows about a key, such as when it expires.
    virtual void swap(bloom_object& other) noexcept = 0;
    /// Removes all items, and all layers except the one that the filter began with.
    virtual void clear() noexcept = 0;
    /// Becomes the union with another. Throws refusal if the two cannot be combined or the result
    /// would exceed the limits, and std::bad_alloc.
    virtual void merge(const bloom_object& other, const filter_limits& most) = 0;
    /// Becomes the intersection. Throws refusal if they are not of the same size.
    virtual void intersect(const bloom_object& other) = 0;

    virtual void save(stream* to) const noexcept = 0;
    /// Adds everything that decides answers and growth to a digest.
    virtual void digest(digest_state* to) const noexcept = 0;
    /// Moves layer by layer, from that one on, until the server has enough; returns the next one.
    virtual std::size_t defrag(defrag_context* by, std::size_t from) = 0;

    [[nodiscard]] std::uint64_t bit_bytes() const noexcept { return bit_bytes_; }
    /// How many bits the query of one item reads at most.
    [[nodiscard]] std::uint64_t probes() const noexcept { return probes_; }

protected:
    /// Updates the totals, of the server too; call it whenever layers come or go.
    void count(std::uint64_t probes, std::uint64_t bit_bytes, std::uint64_t all_bytes) noexcept {
        probes_ = probes;
        bit_bytes_ = bit_bytes;
        counted_.set(all_bytes, layer_count());
    }

private:
    std::uint64_t probes_ = 0;
    std::uint64_t bit_bytes_ = 0;
    counted counted_;
};

} // namespace bloomery::redis_module
