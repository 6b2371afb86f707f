// The chunks of the payload and their checksums: which may be believed.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/hash/native.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace bloomery::format {

/// What the table says of a chunk that changed since the file was sealed. No checksum is 0.
inline constexpr std::uint64_t no_checksum = 0;

inline constexpr std::size_t native_chunk_words = native_chunk_bytes / 8;

/// The checksum of chunk `number`. O(bytes).
std::uint64_t chunk_checksum(byte_view chunk, std::uint64_t number) noexcept;
/// The same for words as they lie in memory, of whichever byte order.
std::uint64_t chunk_checksum(std::span<const std::uint64_t> words, std::uint64_t number) noexcept;

enum class chunk_verdict {
    whole,    ///< it matches its checksum
    unsealed, ///< it was being written when its writer ended, and cannot be checked
    damaged,
};

/// Compares what a chunk sums up to with what the table says. In a sealed file they are equal. In
/// one that is open, a chunk without a checksum is one being changed. One with a wrong checksum can
/// come about only where writes were lost or came in another order, which takes a power failure:
/// within one run of the system the page cache keeps what a killed writer wrote, and then it is
/// damage.
chunk_verdict judge(std::uint64_t sum, std::uint64_t noted, const native_state& state) noexcept;

/// What a reader saw of a chunk, in a file where a writer may be at work.
struct sight {
    std::uint64_t sum = 0;   ///< of the chunk
    std::uint64_t noted = 0; ///< in the table
    native_state state{};
    friend bool operator==(const sight&, const sight&) = default;
};

/// Looks until nothing moves. A chunk may seem damaged because a writer changed it, its checksum or
/// the state between our looks at them; it is if it still does when we look again and see the same.
template <class Look>
chunk_verdict settle(Look look) {
    for (sight before;;) {
        const sight now = look();
        const chunk_verdict verdict = judge(now.sum, now.noted, now.state);
        if (verdict != chunk_verdict::damaged || now == before) {
            return verdict;
        }
        before = now;
    }
}

/// The system's boot id; zeros where there is none.
std::array<std::byte, 16> current_boot();

/// The sentence about a damaged chunk.
bad_data damaged_chunk(const native_header& header, std::uint64_t number);

/// The number of bytes of chunk `number`: all have native_chunk_bytes but perhaps the last.
std::size_t bytes_of_chunk(const native_header& header, std::uint64_t number) noexcept;

/// Throws bad_data unless the ones of a whole payload are as many as its state says, or at least
/// as many if the file is open.
void check_ones(const native_header& header, std::uint64_t ones);

/// Throws bad_data if a bit past the end is set.
void check_end(const native_header& header, std::uint64_t last_word);

/// Throws `unsealed` if the policy is to refuse, the state is open, and no writer is at work, which
/// is asked only then: to ask takes the lock for a moment, and a writer that comes just now would
/// find it taken.
template <class IsBeingWritten>
void check_policy(const native_state& state, after_crash policy, IsBeingWritten is_being_written) {
    if (!state.sealed && policy == after_crash::refuse && !is_being_written()) {
        throw unsealed("the filter's last writer did not live to seal it; take it as it is by "
                       "opening it with recovery, or restore it from a copy");
    }
}

/// The hash that a header names. Throws bad_argument if it is keyed and the secret is missing or
/// another one.
native_hash hash_for(const native_header& header, const std::optional<hash::sip_key>& secret);

/// The filter of a header over its words: with that hash, or with the one of another system that
/// the header names. O(1).
any_filter made_filter(const native_header& header, storage::heap_words<> words,
                       const native_hash& hash, const decode_options& options);

} // namespace bloomery::format
