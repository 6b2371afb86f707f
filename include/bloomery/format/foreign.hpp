// Other systems' filters: a registry of formats, and functions to read, write and create their
// files.
//
// docs/formats.md lists them, with what each loses and its pitfalls.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/plan/quantity.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::inline v0::format {

/// Parameters that the bytes of a format do not contain, or from which a new filter is created.
/// docs/formats.md says which of them a format needs; a reader reports a missing one and ignores
/// the others.
struct foreign_options {
    format::limits limits{};
    std::optional<items> n{};                 ///< the number of keys it is made for
    std::optional<rate> p{};                  ///< and the false-positive rate with that many
    std::optional<bits> m{};                  ///< the number of bits
    std::optional<hashes> k{};                ///< and of hashes per key
    std::optional<double> bits_per_item{};    ///< LevelDB, RocksDB
    std::optional<std::uint64_t> seed{};      ///< Spark, DataSketches
    std::optional<unsigned> hash_type{};      ///< Hadoop, HBase: 0 Jenkins, 1 Murmur2, 2 Murmur3
    std::string funnel{};                     ///< of a Java-serialised Guava filter: see guava.cpp
    std::string column{};                     ///< of a .parquet file: path, such as "a.b"
    std::optional<std::uint64_t> row_group{}; ///< of a .parquet file, from 0
    std::optional<unsigned> word_bits{};      ///< hutool's single filters: 32 (the default), 64
    /// The first constructor argument of hutool's BitMapBloomFilter and BitSetBloomFilter.
    std::optional<std::uint64_t> size_argument{};
    std::optional<unsigned> growth{}; ///< RedisBloom's EXPANSION; 2 by default
    bool nonscaling = false;          ///< RedisBloom's NONSCALING: does not grow
    /// RedisBloom's own option bits, which BF.RESERVE sets to 5; see detail/filter/layered.hpp.
    std::optional<unsigned> redisbloom_options{};
    std::string domains{}; ///< Milvus: the kinds of keys, "int64", "utf8" or "both"
};

/// How well bytes match a format.
enum class likeness {
    no,       ///< they are not in this format
    possible, ///< nothing contradicts it
    sure,     ///< lengths or magic numbers match that are very unlikely to match by chance
};

/// A property that the original reports about a filter, under the original's name.
using foreign_fact = fact;

/// One format. Its functions are thread-safe.
struct foreign_format {
    std::string_view name;    ///< as in `--format`
    std::string_view what;    ///< one line: which program, and which of its forms
    std::string_view keys;    ///< the kind of key that its users mostly have, as in `--key`
    std::string_view needs{}; ///< required parameters that the bytes do not contain; may be empty

    /// Inspects a whole file. O(1) except for text formats. Never throws.
    likeness (*looks)(byte_view bytes);

    /// Reads a filter. Every length is compared with the bytes present before anything is
    /// allocated. O(bytes). Throws bad_data, unsupported, bad_argument for a missing or wrong
    /// option, memory_refused.
    any_filter (*decode)(byte_view bytes, const foreign_options& options);

    /// Writes a filter; nullptr for a read-only format. O(w). Throws incompatible for a filter with
    /// another hash or scheme than the format's, and what the consumer throws.
    void (*encode)(const any_filter& source, const byte_consumer& write,
                   const foreign_options& options) = nullptr;

    /// Creates an empty filter, from n and p with the original's own formula, or from m and k;
    /// nullptr if the original has no such operation. O(w). Throws bad_argument where the original
    /// refuses, memory_refused.
    any_filter (*create)(const foreign_options& options) = nullptr;

    /// The statistics of the original, computed in the same way, and the other contents of its
    /// file; nullptr if there are none. O(w).
    std::vector<foreign_fact> (*facts)(const any_filter& of) = nullptr;
};

/// All formats, sorted by name. O(1).
[[nodiscard]] BLOOMERY_EXPORT std::span<const foreign_format* const> foreign_formats() noexcept;

/// The format of that name. Throws bad_argument, with the list of names, if there is none.
[[nodiscard]] BLOOMERY_EXPORT const foreign_format& foreign_format_named(std::string_view name);

/// Which formats a whole file may have: the sure ones if there are any, otherwise the possible
/// ones. O(formats).
[[nodiscard]] BLOOMERY_EXPORT std::vector<const foreign_format*> detect(byte_view bytes);

/// The only format that matches the bytes. Throws bad_data, with the candidates, if that is not
/// clear.
[[nodiscard]] BLOOMERY_EXPORT const foreign_format& detect_one(byte_view bytes);

/// Another system's filter as bytes. Costs and throws like format.encode.
[[nodiscard]] BLOOMERY_EXPORT std::vector<std::byte> encoded(const any_filter& source,
                                                             const foreign_format& format,
                                                             const foreign_options& options = {});

} // namespace bloomery::inline v0::format

namespace bloomery::inline v0 {

// Files of other systems, read and written as a whole: a reader sees the old file or the new one.

/// The bytes of a file, up to the limit. O(bytes). Throws io_error, memory_refused if it is larger,
/// bad_data if it is not a regular file.
[[nodiscard]] BLOOMERY_EXPORT std::vector<std::byte> read_whole(const std::string& path,
                                                                const format::limits& most = {});

/// The first `wanted` bytes of a file, or all of it if it is shorter. Throws io_error, bad_data if
/// it is not a regular file.
[[nodiscard]] BLOOMERY_EXPORT std::vector<std::byte> read_start(const std::string& path,
                                                                std::size_t wanted);

/// Reads the filter in another system's file. O(bytes). Throws io_error, and what the format's
/// decode throws; each message begins with the file name.
[[nodiscard]] BLOOMERY_EXPORT any_filter load(const std::string& path,
                                              const format::foreign_format& format,
                                              const format::foreign_options& options = {});

/// Writes a filter to another system's file, in the same way as the native `save`. O(w). Throws
/// io_error, unsupported for a read-only format, and what its encode throws.
BLOOMERY_EXPORT void save(const any_filter& source, const std::string& path,
                          const format::foreign_format& format,
                          const format::foreign_options& options = {},
                          if_exists policy = if_exists::replace);

/// Loads such a filter, calls `change` on it and saves it, while a lock keeps other bloomery
/// writers out (the original's own programs do not use this lock). Throws like load and save, and
/// what `change` throws; the file is then unchanged.
BLOOMERY_EXPORT void update(const std::string& path, const format::foreign_format& format,
                            const std::function<void(any_filter&)>& change,
                            const format::foreign_options& options = {});

} // namespace bloomery::inline v0

namespace bloomery::inline v0::format {

// The Bloom filters in a .parquet file.
//
// The formats `parquet`, `parquet-bitset` and `parquet-file` read the filters themselves.

/// The physical types of Parquet, with Parquet's numbers.
enum class parquet_type : std::uint8_t {
    boolean = 0,
    int32 = 1,
    int64 = 2,
    int96 = 3,
    float32 = 4,
    float64 = 5,
    byte_array = 6,
    fixed_len_byte_array = 7,
};

/// Parquet's name for a type, such as BYTE_ARRAY. O(1).
[[nodiscard]] BLOOMERY_EXPORT std::string_view name_of(parquet_type type) noexcept;

/// A column of a row group that has a filter.
struct parquet_column_filter {
    std::uint64_t row_group = 0; ///< from 0
    std::string path;            ///< its path in the schema, separated by dots
    parquet_type type = parquet_type::byte_array;
    std::uint64_t offset = 0;              ///< where its filter begins, including the header
    std::optional<std::uint64_t> length{}; ///< of header and bits, if the file says so
    std::string other_file{};              ///< the file that holds it, if not this one
    bool encrypted = false;
};

/// All filters of a .parquet file, in file order. Reads only the footer. O(footer) time and memory.
/// Throws bad_data if the file is damaged or not a .parquet file, unsupported if its footer is
/// encrypted.
[[nodiscard]] BLOOMERY_EXPORT std::vector<parquet_column_filter> parquet_filters(byte_view file);

/// One of them. O(filter). Throws bad_data, unsupported if it is encrypted or in another file,
/// memory_refused.
[[nodiscard]] BLOOMERY_EXPORT any_filter parquet_filter_at(byte_view file,
                                                           const parquet_column_filter& which,
                                                           const limits& most = {});

} // namespace bloomery::inline v0::format
