// Files that were packed with gzip: one member, read and written piece by piece.
//
// Built with BLOOMERY_WITHOUT_ZLIB, both refuse.
#pragma once

#include <bloomery/format/native.hpp>
#include <bloomery/key/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace bloomery::format {

/// Whether bytes begin as those of gzip do. O(1).
[[nodiscard]] bool is_gzip(byte_view bytes) noexcept;

/// No byte packed by deflate stands for more than so many: what is promised can be held against
/// what is there.
inline constexpr std::uint64_t most_gzip_ratio = 1032;

/// Unpacks as much as is asked for, so that a small file cannot become a large one unseen.
class gzip_reader {
public:
    /// Throws unsupported without zlib, memory_refused.
    explicit gzip_reader(byte_view packed);
    gzip_reader(const gzip_reader&) = delete;
    gzip_reader& operator=(const gzip_reader&) = delete;
    ~gzip_reader();

    /// Fills `into`, or as much of it as there is, and returns how much: less only at the end.
    /// Throws bad_data if the file is damaged or truncated, or goes on after its end.
    std::size_t read(std::span<std::byte> into);

private:
    struct state;
    std::unique_ptr<state> state_;
};

/// Packs what `produce` writes into `write`, with the header that Go's writer makes: no name and no
/// time. The result unpacks to the same bytes; it is not the same as another packer's. Throws
/// unsupported without zlib, memory_refused, and what `write` throws.
void write_gzip(const std::function<void(const byte_consumer&)>& produce,
                const byte_consumer& write);

} // namespace bloomery::format
