// What readers and writers of foreign formats share.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/format/foreign.hpp>
#include <bloomery/hash/digest_of.hpp>

#include "bit_order.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery::format {

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

/// What looks at a format whose bytes do not show which it is: it has to be named.
[[nodiscard]] inline likeness looks_like_nothing(byte_view /*bytes*/) { return likeness::no; }

/// Throws unsupported for a format that is for reading only.
void require_writable(const foreign_format& format);
/// Throws also bad_argument for a filter that was moved from.
void require_writable(const foreign_format& format, const any_filter& source);

/// A length as a file says it, for sentences.
[[nodiscard]] std::string in_bytes(std::uint64_t count);

/// Throws memory_refused: what has so many bytes, more than the limit.
[[noreturn]] void refuse_size(const std::string& what, std::uint64_t byte_count,
                              const limits& most);

/// Throws unless the hashes and bytes are within limits, before anything is allocated.
void check_limits(std::uint64_t hash_count, std::uint64_t byte_count, const limits& most);

/// Throws memory_refused for a filter of which the file claims more than `most` allows and carries
/// only so much.
void check_unseen(std::uint64_t claimed, std::uint64_t carried, const limits& most);

/// Throws bad_data unless exactly so many bytes are left. `what` names them.
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

/// The filter of a spec over an array as another system lays it out. Checks limits and that no bit
/// past the end is set. O(bytes). Throws bad_data, unsupported, memory_refused.
[[nodiscard]] any_filter filter_of(const spec& what, byte_view array, bit_order order,
                                   const limits& most, design made_for = {});

/// An empty filter of a spec. Throws bad_argument for one that the format cannot have.
[[nodiscard]] any_filter empty_filter(const spec& what, design made_for);

/// What a writer of `format` needs: a filter with that scheme and hash. Throws incompatible, with
/// what to do instead, for another.
template <class... Filters>
void require_type(const spec& what, const foreign_format& format);

/// The same for a list of schemes and hashes.
void require_one_of(const spec& what, std::initializer_list<spec> known,
                    const foreign_format& format);

/// Throws bad_data for a file of a neighbour of `format`, which has the same form.
void require_format(bool is_it, const foreign_format& format, const foreign_format& neighbour);

template <class... Filters>
void require_type(const spec& what, const foreign_format& format) {
    require_one_of(what, {spec_of<Filters>(0, 0)...}, format);
}

} // namespace bloomery::format
