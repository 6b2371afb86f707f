// What the kinds of keys have in memory.
#pragma once

#include <bloomery/gpu/keys.hpp>

#include <cstdint>

namespace bloomery::inline v0::gpu::detail {

/// Bytes, which XXH3 hashes.
[[nodiscard]] inline bool is_string(keys::kind what) noexcept { return what >= keys::kind::record; }

/// The bytes of an offset; 0 for keys without offsets.
[[nodiscard]] inline std::uint64_t offset_bytes(keys::kind what) noexcept {
    switch (what) {
    case keys::kind::string32:
        return 4;
    case keys::kind::string64:
        return 8;
    default:
        return 0;
    }
}

} // namespace bloomery::inline v0::gpu::detail
