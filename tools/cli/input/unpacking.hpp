// Compressed input, as it is unpacked: gzip and Zstandard.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace bloomery::cli {

/// Fills a buffer with bytes of a file. Returns how many; 0 at its end.
using byte_reader = std::function<std::size_t(std::span<char>)>;

/// Unpacks what a reader gives, piece by piece.
class unpacker {
public:
    unpacker() = default;
    unpacker(const unpacker&) = delete;
    unpacker& operator=(const unpacker&) = delete;
    virtual ~unpacker() = default;

    /// The next bytes, at least one; none at the end. Throws bad_data that names the input if it is
    /// damaged or ends early, and what the reader throws.
    [[nodiscard]] virtual std::size_t read(const byte_reader& packed, std::span<char> into) = 0;
    /// Begins anew.
    virtual void reset() = 0;
};

/// The number of bytes that show whether an input is compressed.
inline constexpr std::size_t packing_mark_bytes = 4;

/// Whether more bytes are needed after these to tell.
[[nodiscard]] bool may_be_packed(std::string_view start) noexcept;

/// What unpacks an input that begins so, or nothing if that is not compressed. Throws unsupported
/// if this command was built without the library that could.
[[nodiscard]] std::unique_ptr<unpacker> unpacker_for(std::string_view start,
                                                     const std::string& name);

} // namespace bloomery::cli
