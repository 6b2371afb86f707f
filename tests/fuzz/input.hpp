// What the fuzz targets share: the fuzzer's bytes as values, and assertions.
#pragma once

#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/plan/shape.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

namespace bloomery::fuzz {

inline void must(bool holds) {
    if (!holds) {
        std::abort();
    }
}

/// The fuzzer's bytes, taken one value after another; zeros when they are used up.
class input {
public:
    input(const std::uint8_t* data, std::size_t size)
        : left_(std::as_bytes(std::span(data, size))) {}

    [[nodiscard]] bool empty() const { return left_.empty(); }
    byte_view bytes(std::size_t most) {
        const byte_view taken = left_.first(std::min(most, left_.size()));
        left_ = left_.subspan(taken.size());
        return taken;
    }
    byte_view rest() { return bytes(left_.size()); }
    std::uint64_t number(unsigned width = 8) {
        std::uint64_t value = 0;
        unsigned shift = 0;
        for (const std::byte b : bytes(width)) {
            value |= std::to_integer<std::uint64_t>(b) << shift;
            shift += 8;
        }
        return value;
    }
    std::uint8_t byte() { return static_cast<std::uint8_t>(number(1)); }
    std::string text(std::size_t most) {
        const byte_view taken = bytes(most);
        return {reinterpret_cast<const char*>(taken.data()), taken.size()}; // NOLINT
    }

private:
    byte_view left_;
};

/// A shape of any layout, with at most that many bits (512 or more).
inline plan::shape any_shape(input& from, std::uint64_t most_bits) {
    const plan::layout_facts& facts = plan::all_layouts.at(from.byte() % plan::all_layouts.size());
    const std::uint64_t blocks = 1 + from.number(2) % (most_bits / facts.block_bits);
    const std::uint32_t most_hashes =
        facts.kind == layout_kind::classic ? plan::max_classic_hash_count : plan::max_hash_count;
    const std::uint32_t k = 1 + from.byte() % most_hashes;
    return {facts.kind, blocks * facts.block_bits,
            facts.fixed_hashes != 0 ? facts.fixed_hashes : k};
}

/// Any of the four native hashes.
inline native_hash any_hash(input& from) {
    const unsigned which = from.byte();
    const std::uint64_t seed = from.number(2);
    const native_hash narrow =
        which % 4 < 2 ? native_hash::seeded(seed) : native_hash::keyed({seed, ~seed});
    return which % 2 == 0 ? narrow : narrow.widened();
}

} // namespace bloomery::fuzz
