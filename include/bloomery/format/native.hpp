// The native file: one page of header, the bits as they lie in memory, checksums. docs/format.md
// specifies it to the byte.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/format/limits.hpp>
#include <bloomery/key/bytes.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace bloomery::format {

/// What the header says. Everything that follows from something else is left out: it is derived
/// when read and compared with what the file says.
struct native_header {
    spec what;
    design made_for;
    std::uint64_t bits_set = 0;
    std::string comment; ///< anything the owner wants to note, at most 2,048 bytes

    [[nodiscard]] std::uint64_t payload_bytes() const noexcept { return what.shape.byte_count(); }
    [[nodiscard]] std::uint64_t chunk_count() const noexcept;
    [[nodiscard]] std::uint64_t file_bytes() const noexcept;
};

inline constexpr std::size_t native_header_bytes = 4096; ///< a page, so that the payload maps
inline constexpr std::size_t native_chunk_bytes = 65536; ///< payload under one checksum
inline constexpr std::size_t native_longest_comment = 2048;

/// Receives the bytes of an encoded filter, piece by piece.
using byte_consumer = std::function<void(byte_view)>;

/// Writes a filter out. O(w), in constant memory. Throws unsupported for a filter whose hash no
/// file can name, bad_argument for a comment that is too long or a design that is none, and what
/// the consumer throws.
void encode_native(const any_filter& source, const byte_consumer& write,
                   std::string_view comment = {});

/// Whether the bytes begin as a native file does. O(1).
[[nodiscard]] bool looks_native(byte_view bytes) noexcept;

/// Reads the header alone; `bytes` may be longer or end with the header. O(1). Throws bad_data when
/// it is damaged or truncated, unsupported when it is from a later version or of an unknown kind.
[[nodiscard]] native_header decode_native_header(byte_view bytes, const limits& most = {});

/// Compares a length with the one that a header promises. O(1). Throws bad_data when it is less
/// (the file is truncated) or more (something follows).
void require_whole(const native_header& header, std::uint64_t file_bytes);

/// Reads a whole file: header, every checksum, every invariant. Allocates only after the length has
/// been found right, and no more than the input's size. O(w). Throws bad_data, unsupported,
/// bad_argument for a keyed filter whose secret is missing or wrong, memory_refused.
[[nodiscard]] any_filter decode_native(byte_view bytes, const decode_options& options = {});

} // namespace bloomery::format
