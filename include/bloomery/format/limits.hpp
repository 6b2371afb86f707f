// How much a reader believes of bytes it was given.
#pragma once

#include <bloomery/filter/saved_words.hpp>
#include <bloomery/hash/siphash.hpp>

#include <cstdint>
#include <optional>

namespace bloomery {

/// What to do with a file that its last writer did not live to seal. Its bits are those that were
/// inserted, and all that were synced are there; but those added since the last sync cannot be
/// checked against a checksum.
enum class after_crash {
    recover, ///< take the bits as they are; the next writer seals the file again
    refuse,  ///< throw `unsealed`, and leave the decision to somebody who has a copy
};

} // namespace bloomery

namespace bloomery::format {

/// The most that a decoded filter may ask for. Lengths are compared with the bytes present first,
/// so these matter where the bytes come through a pipe and nobody knows how many there will be, and
/// as a cap on what is allocated.
struct limits {
    std::uint64_t largest_filter_bytes = std::uint64_t{1} << 40U;
    std::uint32_t most_hashes = 65535;
    std::uint32_t most_layers = 64; ///< of a filter that grows by adding layers
    /// What a file may claim and not carry: the bits of an empty filter that are left out, what a
    /// packed one unpacks to, the next layer of one that grows. Sixteen times what it carries is
    /// allowed always. Raise it for files that you trust.
    std::uint64_t most_unseen_bytes = usual_unseen_bytes;
};

/// What a reader needs to know besides the bytes.
struct decode_options {
    format::limits limits{};
    /// The secret of a keyed filter. Without it, and unless the file keeps it, such a filter can be
    /// described but not asked. Of a filter with exceptions, the secret of their fingerprints too.
    std::optional<hash::sip_key> secret{};
    after_crash policy = after_crash::recover;
};

} // namespace bloomery::format
