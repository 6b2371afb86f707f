// A native file that is not in memory: queries that need only some of its pages.
//
// Nothing here reads. The caller fetches the parts of the file that a key needs, by HTTP range
// requests, from a disk or from a file in a browser, and passes them on. A filter of gigabytes is
// then queried for 4 KiB per key, or k times that in the classic layout.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/detail/layout/native.hpp>
#include <bloomery/detail/layout/reach.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/hash/native.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace bloomery::inline v0::format {

/// Some bytes of a file.
struct file_range {
    std::uint64_t offset;
    std::uint64_t size;
    friend bool operator==(const file_range&, const file_range&) = default;
};

/// Where a page of the payload is in a file, and the eight bytes of its checksum. O(1).
[[nodiscard]] BLOOMERY_EXPORT file_range page_range(const native_header& header,
                                                    std::uint64_t page) noexcept;
[[nodiscard]] BLOOMERY_EXPORT file_range checksum_range(const native_header& header,
                                                        std::uint64_t page) noexcept;

/// Queries of a native file by the pages that a key needs. Each page is compared with its checksum
/// when it arrives. Not thread-safe while pages arrive.
class BLOOMERY_EXPORT remote_filter {
public:
    /// From the header, the file's first 4096 bytes, and the size of the file. O(1). Throws
    /// bad_data, memory_refused, unsupported like decode_native_header and require_whole;
    /// bad_argument if the hash is keyed and the secret is missing or wrong; `unsealed` if the
    /// options say so; unsupported for what cannot be queried page by page: kinds other than bloom,
    /// and filters with the positions of another system.
    explicit remote_filter(byte_view header_page, std::uint64_t file_bytes,
                           const decode_options& options = {});

    [[nodiscard]] const native_header& header() const noexcept { return header_; }
    /// Makes the digests that the calls below take. O(1).
    [[nodiscard]] const native_hash& hash() const noexcept { return hash_; }

    /// The pages that these digests need and that are not here, in order and without repeats.
    /// O(n k log n).
    [[nodiscard]] std::vector<std::uint64_t> missing(std::span<const digest128> digests) const;

    /// Keeps a page: the bytes of page_range and the number in checksum_range. O(1). Throws
    /// bad_data if they do not match or have another size; bad_argument if there is no such page.
    void put(std::uint64_t page, byte_view bytes, std::uint64_t checksum);
    /// How many pages are here. O(1).
    [[nodiscard]] std::size_t page_count() const noexcept { return pages_.size(); }
    /// Drops all pages, to free their memory. O(pages).
    void forget() noexcept { pages_.clear(); }

    /// False if a key with this digest is definitely not in the filter. O(k). Throws bad_argument
    /// if a page is missing.
    [[nodiscard]] bool may_contain(digest128 digest) const;

private:
    using page = std::array<std::uint64_t, native_chunk_bytes / 8>;

    [[nodiscard]] const page& page_of(std::uint64_t bit) const;

    native_header header_;
    native_hash hash_;
    layout::reach reach_;
    layout::native block_; ///< one block: in it, the positions of a digest are the same as in all
    std::unordered_map<std::uint64_t, page> pages_;
};

/// The statistics of a native file from its payload, page after page, in constant memory.
class BLOOMERY_EXPORT remote_statistics {
public:
    static constexpr std::uint64_t most_cells = std::uint64_t{1} << 20U;

    /// For the header of a Bloom filter, and the number of equal parts whose fill ratio is told.
    /// O(cells). Throws unsupported for other kinds, bad_argument for 0 cells, more cells than bits
    /// or more than most_cells.
    remote_statistics(const native_header& header, std::uint64_t cells);

    /// Counts the next bytes of the payload: whole pages, or the rest. The checksums are those of
    /// these pages, eight bytes each. O(n). Throws bad_data for a damaged page, bad_argument for
    /// other sizes.
    void add(byte_view pages, byte_view checksums);
    /// How many bytes of the payload were counted. O(1).
    [[nodiscard]] std::uint64_t done() const noexcept { return done_; }

    /// After all pages. O(1). Throws bad_data if the number of bits contradicts the header,
    /// bad_argument if pages are missing.
    [[nodiscard]] statistics result() const;
    /// The fill ratio of each part. O(cells).
    [[nodiscard]] std::vector<double> density() const;

private:
    void count(std::span<const std::uint64_t> words);
    [[nodiscard]] std::uint64_t cell_start(std::uint64_t cell) const noexcept;

    native_header header_;
    std::uint64_t done_ = 0;
    std::uint64_t ones_ = 0;
    double rates_ = 0; ///< the sum of the rates of the blocks so far, times their bits
    std::uint64_t last_word_ = 0;
    std::size_t cell_ = 0; ///< of the next bit
    std::vector<std::uint64_t> cells_;
};

} // namespace bloomery::inline v0::format
