// How much a reader believes of bytes it was given.
#pragma once

#include <bloomery/hash/siphash.hpp>

#include <cstdint>
#include <optional>

namespace bloomery::format {

/// The most that a decoded filter may ask for. Lengths are compared with the bytes present first,
/// so these matter for formats that can promise more than they carry, and as a cap on what is
/// allocated.
struct limits {
    std::uint64_t largest_filter_bytes = std::uint64_t{1} << 40U;
    std::uint32_t most_hashes = 255;
};

/// What a reader needs to know besides the bytes.
struct decode_options {
    format::limits limits{};
    /// The secret of a keyed filter; without it such a filter can be described but not asked.
    std::optional<hash::sip_key> secret{};
};

} // namespace bloomery::format
