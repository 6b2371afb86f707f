// Files of other systems' filters: one registry, one function for each thing to do with a format.
//
// docs/formats.md lists them, with what each loses and where its traps are.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/fact.hpp>
#include <bloomery/format/limits.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/key/bytes.hpp>
#include <bloomery/plan/quantity.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::format {

/// What the bytes of a format do not say, and what a new filter is made from. Which of them a
/// format needs is in docs/formats.md; a reader refuses with a sentence if one is missing, and does
/// not look at the others.
struct foreign_options {
    format::limits limits{};
    std::optional<items> n{};                 ///< how many keys it is made for
    std::optional<rate> p{};                  ///< and the rate of false positives then
    std::optional<bits> m{};                  ///< how many bits it has
    std::optional<hashes> k{};                ///< and how many hashes for each key
    std::optional<double> bits_per_item{};    ///< LevelDB, RocksDB
    std::optional<std::uint64_t> seed{};      ///< Spark, DataSketches
    std::optional<unsigned> hash_type{};      ///< Hadoop, HBase: 0 Jenkins, 1 Murmur2, 2 Murmur3
    std::string funnel{};                     ///< of a Java-serialised Guava filter: see guava.cpp
    std::string column{};                     ///< of a .parquet file: path, such as "a.b"
    std::optional<std::uint64_t> row_group{}; ///< of a .parquet file, from 0
    std::optional<unsigned> word_bits{};      ///< hutool's single filters: 32 (as if left out), 64
    /// What hutool's BitMapBloomFilter and BitSetBloomFilter take first in their constructors.
    std::optional<std::uint64_t> size_argument{};
    std::optional<unsigned> growth{}; ///< RedisBloom's EXPANSION; 2 if it is not given
    bool nonscaling = false;          ///< RedisBloom's NONSCALING: full is full
    /// RedisBloom's own option bits, which BF.RESERVE sets to 5; see filter/layered.hpp.
    std::optional<unsigned> redisbloom_options{};
};

/// How much bytes look like a format.
enum class likeness {
    no,       ///< they are not of it
    possible, ///< nothing in them says otherwise
    sure,     ///< lengths or marks agree that could hardly do so by chance
};

/// Something that the original tells of a filter, under its own name.
using foreign_fact = fact;

/// One format. Its functions may be called by any number of threads at once.
struct foreign_format {
    std::string_view name;    ///< as `--format` knows it
    std::string_view what;    ///< in a line: which program's, which of its forms
    std::string_view keys;    ///< the kind of key that its users mostly have, as `--key` names it
    std::string_view needs{}; ///< what must be told because the bytes do not say; empty: nothing

    /// Looks at a whole file. O(1) but for texts. Never throws.
    likeness (*looks)(byte_view bytes);

    /// Reads a filter. Every length is compared with the bytes present before anything is
    /// allocated. O(bytes). Throws bad_data, unsupported, bad_argument for an option that is
    /// missing or wrong, memory_refused.
    any_filter (*decode)(byte_view bytes, const foreign_options& options);

    /// Writes a filter; nullptr where the format is for reading only. O(w). Throws incompatible for
    /// a filter that is not of the format's hash and scheme, and what the consumer throws.
    void (*encode)(const any_filter& source, const byte_consumer& write,
                   const foreign_options& options) = nullptr;

    /// Makes an empty filter, of n and p by the original's own formula, or of m and k; nullptr
    /// where the original has no such thing. O(w). Throws bad_argument where the original refuses,
    /// memory_refused.
    any_filter (*create)(const foreign_options& options) = nullptr;

    /// The statistics that the original has, as it computes them, and what its file keeps besides
    /// the bits; nullptr where there is nothing. O(w).
    std::vector<foreign_fact> (*facts)(const any_filter& of) = nullptr;
};

/// All of them, sorted by name. O(1).
[[nodiscard]] std::span<const foreign_format* const> foreign_formats() noexcept;

/// The format of that name. Throws bad_argument with the list of names if there is none.
[[nodiscard]] const foreign_format& foreign_format_named(std::string_view name);

/// Which formats a whole file may be of: the sure ones if there are any, or else the possible ones.
/// O(formats).
[[nodiscard]] std::vector<const foreign_format*> detect(byte_view bytes);

/// The one format that the bytes are of. Throws bad_data, with the candidates, if they do not tell.
[[nodiscard]] const foreign_format& detect_one(byte_view bytes);

/// A filter of another system as bytes. As format.encode.
[[nodiscard]] std::vector<std::byte> encoded(const any_filter& source, const foreign_format& format,
                                             const foreign_options& options = {});

} // namespace bloomery::format
