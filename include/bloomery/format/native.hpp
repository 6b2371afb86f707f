// The native file: a header page, the bits as they are in memory, checksums. docs/format.md
// specifies every byte.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/saved_words.hpp>
#include <bloomery/detail/hash/siphash.hpp>
#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/spec.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::inline v0 {

// How far a reader trusts its input.

/// What to do with a file whose last writer died before sealing it. It contains all synced keys and
/// only bits that were set by inserts, but what was added since the last sync cannot be checked
/// against a checksum.
enum class after_crash {
    recover, ///< accept the bits as they are; the next writer seals the file again
    refuse,  ///< throw `unsealed`
};

} // namespace bloomery::inline v0

namespace bloomery::inline v0::format {

/// Limits on a decoded filter. Lengths are first compared with the bytes present, so these limits
/// matter for input from a pipe, whose length is unknown, and as a cap on allocations.
struct limits {
    std::uint64_t largest_filter_bytes = std::uint64_t{1} << 40U;
    std::uint32_t most_hashes = 65535;
    std::uint32_t most_layers = 64; ///< for a filter that grows by adding layers
    /// How much memory a file may claim beyond what it contains: the omitted bits of an empty
    /// filter, the unpacked size of a compressed one, the next layer of one that grows. Sixteen
    /// times what the file contains is always allowed. Raise this for files that you trust.
    std::uint64_t most_unseen_bytes = usual_unseen_bytes;
};

/// Options for reading a filter.
struct decode_options {
    format::limits limits{};
    /// The secret of a keyed filter. Without it, and unless the file contains it, such a filter can
    /// be described but not queried. For a filter with exceptions, also the secret of their
    /// fingerprints.
    std::optional<hash::sip_key> secret{};
    after_crash policy = after_crash::recover;
};

/// How the last writer left the file: the only part of a header that changes.
struct native_state {
    std::uint64_t generation = 1;     ///< increases each time the file is opened or sealed
    bool sealed = true;               ///< no writer has it open, and none died with it open
    std::uint64_t bits_set = 0;       ///< the ones in the payload when it was last sealed
    std::array<std::byte, 16> boot{}; ///< of an unsealed file: the system's boot id, or zeros

    friend bool operator==(const native_state&, const native_state&) = default;
};

/// The contents of a header. Values that follow from others are omitted: they are derived when read
/// and compared with the file.
struct BLOOMERY_EXPORT native_header {
    spec what;
    design made_for;
    std::string comment;                   ///< any text of the owner, at most 2,048 bytes
    std::optional<hash::sip_key> secret{}; ///< of a keyed hash, if stored in the file
    native_state state{};
    std::uint64_t kind_bytes = 0; ///< the payload of a kind that is more than an array of bits

    [[nodiscard]] std::uint64_t payload_bytes() const noexcept {
        return what.kind == filter_kind::bloom ? what.shape.byte_count() : kind_bytes;
    }
    [[nodiscard]] std::uint64_t chunk_count() const noexcept;
    [[nodiscard]] std::uint64_t file_bytes() const noexcept;
};

inline constexpr std::size_t native_header_bytes =
    4096; ///< a page, so that the payload can be mapped
inline constexpr std::size_t native_chunk_bytes = 4096; ///< payload per checksum: also a page
inline constexpr std::size_t native_longest_comment = 2048;

/// Receives the bytes of an encoded filter in pieces.
using byte_consumer = std::function<void(byte_view)>;
/// Fills a buffer with the next bytes, and returns how many: fewer only at the end.
using byte_source = std::function<std::size_t(std::span<std::byte>)>;
/// Fills a buffer with words of the payload, starting at `first`.
using word_source = std::function<void(std::uint64_t first, std::span<std::uint64_t> into)>;

/// Options for writing a filter.
struct encode_options {
    std::string_view comment{};
    /// Stores the secret of a keyed hash in the file: anyone who can read the file can then use the
    /// filter, and can construct colliding keys. Without this, the file contains only a check
    /// value.
    bool keep_secret = false;
};

/// Encodes a filter. O(w), using 1/512 of the filter's memory. Throws unsupported for a filter
/// whose hash has no number in the format, bad_argument for a comment that is too long or an
/// invalid design, and what the consumer throws.
BLOOMERY_EXPORT void encode_native(const any_filter& source, const byte_consumer& write,
                                   const encode_options& options = {});

/// The same for words from any source; returns the number of ones. The header is written first and
/// unchanged, so the caller must compare its bits_set with the result. Throws as above, and what
/// the source throws.
BLOOMERY_EXPORT std::uint64_t encode_native(const native_header& header, const word_source& words,
                                            const byte_consumer& write);

/// The header for a filter that is about to be written; its ones are not counted yet. O(1). Throws
/// like encode_native.
[[nodiscard]] BLOOMERY_EXPORT native_header header_of(const any_filter& source,
                                                      const encode_options& options = {});

/// A word source over words in memory, which must outlive it. O(1).
[[nodiscard]] BLOOMERY_EXPORT word_source words_of(std::span<const std::uint64_t> words);

/// A word source over the payload of a filter, which must outlive it and not change. Costs and
/// throws like any_filter::saved.
[[nodiscard]] BLOOMERY_EXPORT word_source words_of(const any_filter& source);

/// The name of a chunk of the payload for messages: its number, and its bytes in the file. O(1).
[[nodiscard]] BLOOMERY_EXPORT std::string name_of_chunk(const native_header& header,
                                                        std::uint64_t number);

/// Whether the bytes begin like a native file. O(1).
[[nodiscard]] BLOOMERY_EXPORT bool looks_native(byte_view bytes) noexcept;

/// Reads only the header; `bytes` may contain more than the header. O(1). Throws bad_data if it is
/// damaged or truncated, unsupported if it is from a later version or of an unknown kind,
/// memory_refused if it exceeds a limit.
[[nodiscard]] BLOOMERY_EXPORT native_header decode_native_header(byte_view bytes,
                                                                 const limits& most = {});

/// Compares a file length with the one in the header. O(1). Throws bad_data if the file is shorter
/// (truncated) or longer (trailing data).
BLOOMERY_EXPORT void require_whole(const native_header& header, std::uint64_t file_bytes);

/// Reads a whole file and checks the header, every checksum and every invariant. Allocates only
/// after the length was checked, and no more than the input's size. O(w). Throws bad_data,
/// unsupported, bad_argument for a keyed filter whose secret is missing or wrong, memory_refused.
[[nodiscard]] BLOOMERY_EXPORT any_filter decode_native(byte_view bytes,
                                                       const decode_options& options = {});

/// The same from a pipe. Memory is touched only as bytes arrive, so a header that promises more
/// than follows costs nothing.
[[nodiscard]] BLOOMERY_EXPORT any_filter decode_native(const byte_source& bytes,
                                                       const decode_options& options = {});

// Reads and checks a filter's file in pieces, without holding it in memory.

/// Reads the payload of a native file in pieces, also while a writer adds to it: a piece that
/// changes during the read is read again. Not thread-safe.
class BLOOMERY_EXPORT native_reader {
public:
    /// Needs no secret, but checks one if it is given. O(1). Throws io_error, bad_data,
    /// unsupported, memory_refused, bad_argument for a wrong secret, `unsealed` if the policy says
    /// so and no writer has the file open; each message begins with the file name.
    explicit native_reader(const std::string& path, const decode_options& options = {});
    native_reader(native_reader&&) noexcept;
    native_reader& operator=(native_reader&&) noexcept;
    ~native_reader();

    /// The header as it was when the file was opened. O(1).
    [[nodiscard]] const native_header& header() const noexcept;

    /// Fills `into` with the words from `first` on. Both ends must be chunk boundaries. O(n).
    /// Throws bad_data if a chunk is damaged or the file has become shorter; io_error.
    void read(std::uint64_t first, std::span<std::uint64_t> into);

    /// The same, but returns the numbers of damaged chunks instead of throwing.
    [[nodiscard]] std::vector<std::uint64_t> try_read(std::uint64_t first,
                                                      std::span<std::uint64_t> into);

    /// After reading everything: compares the number of ones with the header, and checks for bits
    /// past the end. O(1). Throws bad_data.
    void check_whole(std::uint64_t ones, std::uint64_t last_word) const;

    /// How many of the chunks read have no checksum, because a writer is changing them or died
    /// doing so. O(1).
    [[nodiscard]] std::uint64_t unsealed_chunks() const noexcept;
    /// Whether a writer currently has the file open. O(1). Throws io_error.
    [[nodiscard]] bool is_being_written() const;

private:
    struct file;
    std::unique_ptr<file> file_;
};

/// Whether a writer currently has that file open; false if it cannot be opened. O(1). Throws
/// io_error.
[[nodiscard]] BLOOMERY_EXPORT bool is_being_written(const std::string& path);

/// What `verify` found in a file with a valid header.
struct verification {
    native_header header;
    bool being_written = false;
    std::uint64_t unsealed_chunks = 0;           ///< cannot be checked: see `native_state::sealed`
    std::vector<std::uint64_t> damaged_chunks{}; ///< their numbers, in order
};

/// Checks every checksum and invariant of a file in constant memory. O(w). Throws like
/// native_reader and check_whole; damaged chunks are reported, not thrown.
[[nodiscard]] BLOOMERY_EXPORT verification verify(const std::string& path,
                                                  const decode_options& options = {});

} // namespace bloomery::inline v0::format
