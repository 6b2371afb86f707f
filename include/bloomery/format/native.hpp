// The native file: one page of header, the bits as they lie in memory, checksums. docs/format.md
// specifies it to the byte.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/format/limits.hpp>
#include <bloomery/hash/siphash.hpp>
#include <bloomery/key/bytes.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bloomery::format {

/// How the last writer left the file: the only part of a header that changes.
struct native_state {
    std::uint64_t generation = 1;     ///< one more each time that the file is opened or sealed
    bool sealed = true;               ///< no writer is at work, and none died at it
    std::uint64_t bits_set = 0;       ///< the ones in the payload when it was sealed last
    std::array<std::byte, 16> boot{}; ///< of an unsealed file: the system's boot id, or zeros

    friend bool operator==(const native_state&, const native_state&) = default;
};

/// What the header says. Everything that follows from something else is left out: it is derived
/// when read and compared with what the file says.
struct native_header {
    spec what;
    design made_for;
    std::string comment; ///< anything the owner wants to note, at most 2,048 bytes
    std::optional<hash::sip_key> secret{}; ///< of a keyed hash, if the owner wanted it in the file
    native_state state{};
    std::uint64_t kind_bytes = 0; ///< the payload of a kind that is more than an array of bits

    [[nodiscard]] std::uint64_t payload_bytes() const noexcept {
        return what.kind == filter_kind::bloom ? what.shape.byte_count() : kind_bytes;
    }
    [[nodiscard]] std::uint64_t chunk_count() const noexcept;
    [[nodiscard]] std::uint64_t file_bytes() const noexcept;
};

inline constexpr std::size_t native_header_bytes = 4096; ///< a page, so that the payload maps
inline constexpr std::size_t native_chunk_bytes = 4096;  ///< payload under one checksum: a page too
inline constexpr std::size_t native_longest_comment = 2048;

/// Receives the bytes of an encoded filter, piece by piece.
using byte_consumer = std::function<void(byte_view)>;
/// Fills a buffer with the bytes that come next, and tells how many: fewer only at the end.
using byte_source = std::function<std::size_t(std::span<std::byte>)>;
/// Fills a buffer with the payload's words from that word on.
using word_source = std::function<void(std::uint64_t first, std::span<std::uint64_t> into)>;

/// What a writer adds to a filter.
struct encode_options {
    std::string_view comment{};
    /// Puts the secret of a keyed hash into the file: everybody who can read it can then use the
    /// filter, and can make keys that collide in it. Without this the file has a check value only.
    bool keep_secret = false;
};

/// Writes a filter out. O(w), in memory of a 512th of the filter's. Throws unsupported for a filter
/// whose hash no file can name, bad_argument for a comment that is too long or a design that is
/// none, and what the consumer throws.
void encode_native(const any_filter& source, const byte_consumer& write,
                   const encode_options& options = {});

/// The same for words that come from anywhere; returns how many ones there were. The header goes
/// out first and says what it was given to say, so the caller compares. Throws as above, and what
/// the source throws.
std::uint64_t encode_native(const native_header& header, const word_source& words,
                            const byte_consumer& write);

/// The header of a filter that is to be written; its ones are not counted yet. O(1). Throws as
/// encode_native.
[[nodiscard]] native_header header_of(const any_filter& source, const encode_options& options = {});

/// Words in memory as a source of words; they must outlive it. O(1).
[[nodiscard]] word_source words_of(std::span<const std::uint64_t> words);

/// The payload of a filter, which must outlive the source and not change. As any_filter::saved.
[[nodiscard]] word_source words_of(const any_filter& source);

/// What to call a chunk of the payload: its number, and its bytes in the file. O(1).
[[nodiscard]] std::string name_of_chunk(const native_header& header, std::uint64_t number);

/// Whether the bytes begin as a native file does. O(1).
[[nodiscard]] bool looks_native(byte_view bytes) noexcept;

/// Reads the header alone; `bytes` may be longer or end with the header. O(1). Throws bad_data when
/// it is damaged or truncated, unsupported when it is from a later version or of an unknown kind,
/// memory_refused when it is past a limit.
[[nodiscard]] native_header decode_native_header(byte_view bytes, const limits& most = {});

/// Compares a length with the one that a header promises. O(1). Throws bad_data when it is less
/// (the file is truncated) or more (something follows).
void require_whole(const native_header& header, std::uint64_t file_bytes);

/// Reads a whole file: header, every checksum, every invariant. Allocates only after the length has
/// been found right, and no more than the input's size. O(w). Throws bad_data, unsupported,
/// bad_argument for a keyed filter whose secret is missing or wrong, memory_refused.
[[nodiscard]] any_filter decode_native(byte_view bytes, const decode_options& options = {});

/// The same from a pipe. Memory is touched as the bytes arrive, so that a header which promises
/// more than follows costs nothing.
[[nodiscard]] any_filter decode_native(const byte_source& bytes,
                                       const decode_options& options = {});

} // namespace bloomery::format
