// Encodes the parts of a compound key into a small buffer; the encoding shows where each part ends.
#pragma once

#include <bloomery/detail/key/bytes.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace bloomery::inline v0 {

/// Collects the bytes of a compound key. Most keys fit into its 256 inline bytes and need no
/// allocation.
///
/// The encoding is injective for each type, so that ("ab", "c") and ("a", "bc") are different keys,
/// and it is the same on every machine: integers are eight little-endian bytes, byte strings are
/// preceded by their length. See `feed` in key.hpp for the rule for each type.
class key_sink {
public:
    /// Feeds each part in turn; each must be a key. Defined in key.hpp.
    template <class... Parts>
    key_sink& put(const Parts&... parts);

    /// Appends raw bytes, without a length. O(n); throws std::bad_alloc.
    key_sink& append(byte_view part) {
        std::byte* const target = grow(part.size());
        if (!part.empty()) {
            std::memcpy(target, part.data(), part.size());
        }
        return *this;
    }

    /// Appends a 64-bit number, least significant byte first. O(1); throws std::bad_alloc.
    key_sink& append(std::uint64_t number) {
        std::byte* const target = grow(sizeof number);
        store(target, number);
        return *this;
    }

    /// Overwrites eight bytes that were written earlier: the count of a range whose length is known
    /// only at its end.
    void patch(std::size_t offset, std::uint64_t number) noexcept {
        store(data() + offset, number);
    }

    /// What was collected. Valid until the next call that appends.
    [[nodiscard]] byte_view bytes() const noexcept { return {data(), length_}; }
    [[nodiscard]] std::size_t byte_count() const noexcept { return length_; }

private:
    [[nodiscard]] bool is_inline() const noexcept { return spill_.empty(); }
    std::byte* data() noexcept { return is_inline() ? inline_.data() : spill_.data(); }
    [[nodiscard]] const std::byte* data() const noexcept {
        return is_inline() ? inline_.data() : spill_.data();
    }

    std::byte* grow(std::size_t count) {
        const std::size_t start = length_;
        const std::size_t wanted = start + count;
        if (is_inline() && wanted > inline_.size()) {
            spill_.resize(wanted * 2);
            std::memcpy(spill_.data(), inline_.data(), start);
        } else if (!is_inline() && wanted > spill_.size()) {
            spill_.resize(wanted * 2);
        }
        length_ = wanted;
        return data() + start;
    }

    static void store(std::byte* target, std::uint64_t number) noexcept {
        for (unsigned i = 0; i < sizeof number; ++i) {
            target[i] = static_cast<std::byte>(number >> (8 * i));
        }
    }

    std::size_t length_ = 0;
    std::array<std::byte, 256> inline_; // NOLINT: zeroing it would cost more than the hash
    std::vector<std::byte> spill_;
};

} // namespace bloomery::inline v0
