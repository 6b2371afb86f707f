// What the parts of the native format share: the header page and its state, and the chunks of the
// payload with their checksums, which tell whether they can be trusted.
#pragma once

#include <bloomery/detail/format/side_files.hpp>
#include <bloomery/detail/hash/hash_id.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/hash/native.hpp>

#include "posix_file.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

namespace bloomery::inline v0::format {

using native_header_page = std::array<std::byte, native_header_bytes>;

/// Where the mutable part of the page begins, after the header's checksum.
inline constexpr std::size_t native_state_start = 2560;

native_header_page encode_native_header(const native_header& header);

/// Only the state of a file, from its header page, for rereading during a write. Throws bad_data if
/// both records are damaged.
native_state decode_native_state(byte_view page);

/// Writes a new state into a header page, over the older of the two records, so that a torn write
/// leaves the other intact.
void store_native_state(std::span<std::byte> page, const native_state& state);

/// Whether the end of the page, from native_state_start on, has the two records and zeros.
bool has_only_states(byte_view page);

/// Reads the header of an open file and checks the file's length. Throws like decode_native_header
/// and require_whole; io_error.
native_header read_native_header(const descriptor& file, const std::filesystem::path& path,
                                 const limits& most);

inline constexpr const char* cut_short =
    "the filter is truncated: it ends before its last bit; restore it from a copy";

/// Throws bad_data with that message unless the condition holds.
void require(bool holds, const char* otherwise);

/// Whether a spec is of a kind that is more than an array of bits, with our own scheme. O(1).
bool is_native_kind(const spec& what) noexcept;

/// Restores the filter whose any_filter::saved returned these words. The secret is that of the
/// fingerprints in an exception list; by default, the hash's own. O(w). Throws bad_data for invalid
/// words, bad_argument for a wrong secret, unsupported, memory_refused.
any_filter restored_kind(const spec& what, const design& made_for, const native_hash& hash,
                         std::span<const std::uint64_t> words, const decode_options& options);

/// Whether a hash is of the family that native files can name.
bool is_native_hash(hash::hash_id id) noexcept;

// Chunks.

/// The table entry of a chunk that changed since the file was sealed. No checksum is 0.
inline constexpr std::uint64_t no_checksum = 0;

inline constexpr std::size_t native_chunk_words = native_chunk_bytes / 8;

/// The checksum of chunk `number`. O(bytes).
std::uint64_t chunk_checksum(byte_view chunk, std::uint64_t number) noexcept;
/// The same for words in memory, in either byte order.
std::uint64_t chunk_checksum(std::span<const std::uint64_t> words, std::uint64_t number) noexcept;

enum class chunk_verdict {
    whole,    ///< it matches its checksum
    unsealed, ///< it was being changed when its writer died, and cannot be checked
    damaged,
};

/// Compares the checksum of a chunk with the table. In a sealed file they are equal. In an open
/// file, a chunk without a checksum is being changed. A wrong checksum is legitimate only if writes
/// were lost or reordered, which takes a power failure: during one boot, the page cache keeps
/// everything that a killed writer wrote, so a wrong checksum means damage.
chunk_verdict judge(std::uint64_t sum, std::uint64_t noted, const native_state& state) noexcept;

/// What a reader saw of a chunk in a file that may be written concurrently.
struct sight {
    std::uint64_t sum = 0;   ///< of the chunk
    std::uint64_t noted = 0; ///< in the table
    native_state state{};
    friend bool operator==(const sight&, const sight&) = default;
};

/// Retries until two reads agree. A chunk may seem damaged because a writer changed it, its
/// checksum or the state between our reads; it is damaged if a second read gives the same result.
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

/// The error message for a damaged chunk.
bad_data damaged_chunk(const native_header& header, std::uint64_t number);

/// The number of bytes of chunk `number`: native_chunk_bytes, except perhaps for the last.
std::size_t bytes_of_chunk(const native_header& header, std::uint64_t number) noexcept;

/// Throws bad_data unless the number of ones in a whole payload equals that in its state, or is at
/// least that if the file is open.
void check_ones(const native_header& header, std::uint64_t ones);

/// Throws bad_data if a bit past the end is set.
void check_end(const native_header& header, std::uint64_t last_word);

/// Throws `unsealed` if the policy is to refuse, the state is open, and there is no writer. This is
/// checked last, because the check takes the lock for a moment, and a writer that arrives just then
/// would find it taken.
template <class IsBeingWritten>
void check_policy(const native_state& state, after_crash policy, IsBeingWritten is_being_written) {
    if (!state.sealed && policy == after_crash::refuse && !is_being_written()) {
        throw unsealed("the filter's last writer died before sealing it; open it with recovery "
                       "to use it as it is, or restore it from a copy");
    }
}

/// The hash that a header names. Throws bad_argument if it is keyed and the secret is missing or
/// wrong.
native_hash hash_for(const native_header& header, const std::optional<hash::sip_key>& secret);

/// The filter for a header and its words: with that hash, or with another system's hash if the
/// header names one. O(1).
any_filter made_filter(const native_header& header, storage::heap_words<> words,
                       const native_hash& hash, const decode_options& options);

} // namespace bloomery::inline v0::format
