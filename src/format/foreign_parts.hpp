// What readers and writers of foreign formats share.
#pragma once

#include <bloomery/detail/hash/digest_of.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/format/foreign.hpp>
#include <bloomery/plan/compat.hpp>

#include "bit_order.hpp"

#include <cstdint>
#include <exception>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace bloomery::inline v0::format {

// Every format; src/format/foreign.cpp lists them.
extern const foreign_format additive_8_format;
extern const foreign_format cassandra_format;
extern const foreign_format cassandra_old_format;
extern const foreign_format datasketches_format;
extern const foreign_format dcso_format;
extern const foreign_format go_format;
extern const foreign_format go_fnv_format;
extern const foreign_format go_fnv_gob_format;
extern const foreign_format go_fnv_json_format;
extern const foreign_format go_gob_format;
extern const foreign_format go_json_format;
extern const foreign_format guava_format;
extern const foreign_format guava_32_format;
extern const foreign_format guava_java_format;
extern const foreign_format hadoop_format;
extern const foreign_format hadoop_counting_format;
extern const foreign_format hash_code_6_format;
extern const foreign_format hash_code_6_mended_format;
extern const foreign_format hbase_format;
extern const foreign_format hutool_bitmap_format;
extern const foreign_format hutool_bitset_format;
extern const foreign_format hutool_default_format;
extern const foreign_format hutool_elf_format;
extern const foreign_format hutool_fnv_format;
extern const foreign_format hutool_hf_format;
extern const foreign_format hutool_hfip_format;
extern const foreign_format hutool_js_format;
extern const foreign_format hutool_pjw_format;
extern const foreign_format hutool_rs_format;
extern const foreign_format hutool_sdbm_format;
extern const foreign_format hutool_tianl_format;
extern const foreign_format leveldb_format;
extern const foreign_format milvus_format;
extern const foreign_format parquet_format;
extern const foreign_format parquet_bitset_format;
extern const foreign_format parquet_file_format;
extern const foreign_format redisbloom_format;
extern const foreign_format redisson_format;
extern const foreign_format redisson_dump_format;
extern const foreign_format rocksdb_format;
extern const foreign_format rocksdb_5_format;
extern const foreign_format setbit_format;
extern const foreign_format spark_format;
extern const foreign_format spark_2_format;

/// `looks` for a format whose bytes do not identify it: it has to be specified.
[[nodiscard]] inline likeness looks_like_nothing(byte_view /*bytes*/) { return likeness::no; }

/// `looks` for bytes that could hardly fit by chance.
[[nodiscard]] constexpr likeness sure_if(bool fits) noexcept {
    return fits ? likeness::sure : likeness::no;
}

/// `looks` for bytes that only formats with another hash could also have.
[[nodiscard]] constexpr likeness possible_if(bool fits) noexcept {
    return fits ? likeness::possible : likeness::no;
}

/// The same for a check that throws if the bytes cannot be read.
template <class Check>
[[nodiscard]] likeness sure_if_readable(Check fits) noexcept {
    try {
        return sure_if(fits());
    } catch (const std::exception&) {
        return likeness::no;
    }
}

/// Throws unsupported for a read-only format.
void require_writable(const foreign_format& format);
/// Also throws bad_argument for a moved-from filter.
void require_writable(const foreign_format& format, const any_filter& source);

/// Double.toString since Java 19: the fewest digits that distinguish the number from its
/// neighbours, but at least two; 0.001, 1.0E-4, 1.0E7. O(1); throws std::bad_alloc.
[[nodiscard]] std::string java_double(double value);

/// A length for error messages.
[[nodiscard]] std::string in_bytes(std::uint64_t count);

/// Throws memory_refused: the named thing has more bytes than the limit.
[[noreturn]] void refuse_size(const std::string& what, std::uint64_t byte_count,
                              const limits& most);

/// Throws unless the hashes and bytes are within limits, before anything is allocated.
void check_limits(std::uint64_t hash_count, std::uint64_t byte_count, const limits& most);

/// The same for a number of layers.
void check_layers(std::uint64_t count, const limits& most);

/// Throws claim_refused if the file claims more than `most` allows for what it contains.
void check_unseen(std::uint64_t claimed, std::uint64_t carried, const limits& most);

/// Throws bad_data unless exactly that many bytes are left. `what` names them.
void require_left(std::uint64_t left, std::uint64_t expected, std::string_view what);

/// The spec of a foreign filter of one type. O(1).
template <class Filter>
[[nodiscard]] spec spec_of(std::uint64_t bit_count, std::uint64_t hash_count,
                           typename Filter::hash_type hash = {}) {
    using layout_type = typename Filter::layout_type;
    spec what;
    what.scheme = layout_type::scheme::id;
    what.hash = id_of(hash);
    what.seed = seed_of(hash);
    what.shape = {layout_type::kind, bit_count, static_cast<std::uint32_t>(hash_count)};
    return what;
}

/// The filter for a spec and an array in another system's bit order. Checks limits, and that no bit
/// past the end is set. O(bytes). Throws bad_data, unsupported, memory_refused.
[[nodiscard]] any_filter filter_of(const spec& what, byte_view array, bit_order order,
                                   const limits& most, design made_for = {});

/// The same for an array without its trailing zeros, whose size the options give. Also throws
/// bad_data if there are more bytes than the filter can have.
[[nodiscard]] any_filter filter_of_used(const spec& what, byte_view used, bit_order order,
                                        const limits& most, design made_for = {});

/// The size of a new filter, and what it is made for.
struct new_size {
    plan::compat_shape shape;
    design made_for{};
};

/// The bits and hashes of the options, or what the original's formula makes of their items and
/// rate; `usual` is its default rate, if it has one. Throws bad_argument with the given message if
/// the options have neither pair.
[[nodiscard]] new_size new_size_of(const foreign_options& options,
                                   plan::compat_shape (*formula)(items, rate),
                                   const char* otherwise, std::optional<rate> usual = {});

/// An empty filter of a spec. Throws bad_argument for one that the format cannot have.
[[nodiscard]] any_filter empty_filter(const spec& what, design made_for);

/// The filter for a writer of `format`, which needs that scheme and hash. Throws incompatible for
/// any other, with what to do instead.
template <class... Filters>
void require_type(const spec& what, const foreign_format& format);

/// The same for a list of schemes and hashes.
void require_one_of(const spec& what, std::initializer_list<spec> known,
                    const foreign_format& format);

/// Throws bad_data for a file in a related format with the same layout as `format`.
void require_format(bool is_it, const foreign_format& format, const foreign_format& neighbour);

template <class... Filters>
void require_type(const spec& what, const foreign_format& format) {
    require_one_of(what, {spec_of<Filters>(0, 0)...}, format);
}

} // namespace bloomery::inline v0::format
