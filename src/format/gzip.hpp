// Gzipped files: one member, read and written in pieces.
//
// Without zlib (BLOOMERY_WITHOUT_ZLIB), both throw.
#pragma once

#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/format/native.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace bloomery::inline v0::format {

/// Whether bytes begin like a gzip file. O(1).
[[nodiscard]] bool is_gzip(byte_view bytes) noexcept;

/// The maximum expansion of one deflated byte: limits what a file of a given size can contain.
inline constexpr std::uint64_t most_gzip_ratio = 1032;

/// Decompresses only as much as requested, so that a small file cannot expand unnoticed.
class gzip_reader {
public:
    /// Throws unsupported without zlib, memory_refused.
    explicit gzip_reader(byte_view packed);
    gzip_reader(const gzip_reader&) = delete;
    gzip_reader& operator=(const gzip_reader&) = delete;
    ~gzip_reader();

    /// Fills `into` and returns the number of bytes: fewer only at the end. Throws bad_data if the
    /// file is damaged or truncated, or has trailing data.
    std::size_t read(std::span<std::byte> into);

private:
    struct state;
    std::unique_ptr<state> state_;
};

/// Compresses the output of `produce` into `write`, with the header of Go's writer: no name and no
/// time. The result decompresses to the same bytes, but other compressors give different files.
/// Throws unsupported without zlib, memory_refused, and what `write` throws.
void write_gzip(const std::function<void(const byte_consumer&)>& produce,
                const byte_consumer& write);

} // namespace bloomery::inline v0::format
