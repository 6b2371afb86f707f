// Many questions to a d-left filter at once: the four buckets of a key in one vector.
#pragma once

#include <bloomery/filter/dleft_bucket.hpp>
#include <bloomery/hash/digest.hpp>

#include <array>
#include <cstdint>

namespace bloomery::detail {

/// What a table moves buckets by: see dleft_filter.
inline constexpr std::array<std::uint32_t, 4> dleft_steps{0, 0x9e3779b1U, 0x85ebca77U, 0xc2b2ae3dU};

/// The buckets of up to 64 keys.
struct dleft_questions {
    std::array<std::array<std::uint64_t, 4>, 64> at; ///< the byte where each begins
    std::array<std::uint64_t, 64> remainder;
    std::uint32_t count = 0;
};

/// The two halves of a bulk question: find the buckets, and, when their memory has come, compare.
struct dleft_asker {
    void (*prepare)(const digest128* keys, std::uint32_t count, std::uint64_t buckets,
                    const dleft_bucket& bucket, dleft_questions& into);
    /// Bit i of the result tells whether a cell has key i.
    std::uint64_t (*answer)(const std::uint64_t* words, const dleft_bucket& bucket,
                            const dleft_questions& of);
};

/// The one for this processor; null if none beats asking for one key after the other. O(1).
[[nodiscard]] const dleft_asker* asker_for(std::uint64_t buckets,
                                           const dleft_bucket& bucket) noexcept;

} // namespace bloomery::detail
