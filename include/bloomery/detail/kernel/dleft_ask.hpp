// Bulk queries of a d-left filter: the four buckets of a key in one vector.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kernel/dleft_bucket.hpp>
#include <bloomery/hash/digest.hpp>

#include <array>
#include <cstdint>

namespace bloomery::inline v0::detail {

/// The offset by which a table moves buckets: see dleft_filter.
inline constexpr std::array<std::uint32_t, 4> dleft_steps{0, 0x9e3779b1U, 0x85ebca77U, 0xc2b2ae3dU};

/// The buckets of up to 64 keys.
struct dleft_questions {
    std::array<std::array<std::uint64_t, 4>, 64> at; ///< the byte where each begins
    std::array<std::uint64_t, 64> remainder;
    std::uint32_t count = 0;
};

/// The two halves of a bulk query: find the buckets and, when their memory has arrived, compare.
struct dleft_asker {
    void (*prepare)(const digest128* keys, std::uint32_t count, std::uint64_t buckets,
                    const dleft_bucket& bucket, dleft_questions& into);
    /// Bit i of the result is whether a cell has key i.
    std::uint64_t (*answer)(const std::uint64_t* words, const dleft_bucket& bucket,
                            const dleft_questions& of);
};

/// The functions of the kernel in use; null if none is faster than single-key queries. O(1).
[[nodiscard]] BLOOMERY_EXPORT const dleft_asker* asker_for(std::uint64_t buckets,
                                                           const dleft_bucket& bucket) noexcept;

} // namespace bloomery::inline v0::detail
