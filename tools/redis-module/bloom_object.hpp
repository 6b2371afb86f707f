// What a key of a Bloom filter holds: a stack of layers, of RedisBloom's kind or of ours.
//
// Commands speak to this and know neither. Calls are virtual once for a run of items, never for
// each.
#pragma once

#include <bloomery/key/bytes.hpp>

#include "call.hpp"
#include "memory.hpp"
#include "settings.hpp"
#include "totals.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace bloomery::redis_module {

/// What became of an item.
enum class outcome : std::uint8_t {
    present,    ///< it may have been in
    fresh,      ///< it was surely new, and is in
    full,       ///< there is no room, and the filter does not grow
    no_memory,  ///< there is no room, and growing failed
    over_limit, ///< there is no room, and growing would pass the memory limit
};

/// What BF.INFO tells.
struct bloom_facts {
    std::uint64_t capacity;
    std::uint64_t bytes;
    std::uint64_t filters;
    std::uint64_t items;
    std::optional<std::uint32_t> expansion; ///< none if it does not grow
    double rate;                            ///< that it was made for
    std::string_view layout;
};

/// The error of a filter that would take too many bytes: of the setting or, if that is not why, the
/// one given.
inline const char* bloom_over_limit(const char* no_memory) noexcept {
    return over_limit_text("ERR operation exceeds bloom object memory limit", no_memory);
}
inline constexpr const char* cannot_combine =
    "ERR the filters have different layouts or hashes and cannot be combined";

/// See above. Unless said otherwise, what throws std::bad_alloc has changed nothing.
class bloom_object : public server_allocated {
public:
    bloom_object() noexcept : counted_(bloom_totals) {}
    virtual ~bloom_object() = default;
    bloom_object(const bloom_object&) = delete;
    bloom_object& operator=(const bloom_object&) = delete;

    /// Adds at most `longest_run` items, in order, and tells what became of each; the filter may
    /// grow, but to no more than that many bytes. Stops after the first that finds it full; returns
    /// how many it tried.
    virtual std::size_t add(std::span<text* const> items, outcome* became,
                            std::uint64_t most_bytes) noexcept = 0;
    /// Asks for at most `longest_run` items; bit i of `maybe` is the answer to item i.
    virtual void ask(std::span<text* const> items, std::uint64_t* maybe) const noexcept = 0;

    [[nodiscard]] virtual bloom_facts facts() const noexcept = 0;
    /// A line for each layer, as BF.DEBUG gives it.
    [[nodiscard]] virtual std::string debug_line(std::size_t layer) const = 0;

    /// The first piece of a dump: all but the bits.
    [[nodiscard]] virtual std::vector<std::byte> header() const = 0;
    [[nodiscard]] virtual std::size_t layer_count() const noexcept = 0;
    /// The bits of a layer.
    [[nodiscard]] virtual std::span<const std::byte> bits(std::size_t layer) const noexcept = 0;
    [[nodiscard]] virtual std::span<std::byte> bits(std::size_t layer) noexcept = 0;

    /// A copy. Throws std::bad_alloc.
    [[nodiscard]] virtual std::unique_ptr<bloom_object> copy() const = 0;
    /// Exchanges the layers with those of another of the same kind, so that what the server knows
    /// of a key, such as when it ends, stays.
    virtual void swap(bloom_object& other) noexcept = 0;
    /// Forgets all items and all layers but the one that the filter began with.
    virtual void clear() noexcept = 0;
    /// Takes in all items of another: what was in either may be in after it. Throws refusal if the
    /// two have nothing in common, std::bad_alloc; and refusal if it would have more bytes than
    /// that.
    virtual void merge(const bloom_object& other, std::uint64_t most_bytes) = 0;
    /// Keeps what may be in both. Throws refusal if they are not of the same size.
    virtual void intersect(const bloom_object& other) = 0;

    virtual void save(stream* to) const noexcept = 0;
    /// Adds to a digest all that decides answers and growth.
    virtual void digest(digest_state* to) const noexcept = 0;
    /// Moves layer by layer, from that one on, until the server has enough; returns the next one.
    virtual std::size_t defrag(defrag_context* by, std::size_t from) = 0;

    [[nodiscard]] std::uint64_t bit_bytes() const noexcept {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < layer_count(); ++i) sum += bits(i).size();
        return sum;
    }

protected:
    /// Tells the totals of the server; to be called whenever layers come or go.
    void count() noexcept { counted_.set(facts().bytes, layer_count()); }

private:
    counted counted_;
};

} // namespace bloomery::redis_module
