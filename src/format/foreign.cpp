#include <bloomery/error.hpp>
#include <bloomery/format/foreign.hpp>

#include "foreign_parts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace bloomery::inline v0::format {

namespace {

constexpr std::array all{
    &additive_8_format,      &cassandra_format,      &cassandra_old_format,
    &datasketches_format,    &dcso_format,           &go_format,
    &go_fnv_format,          &go_fnv_gob_format,     &go_fnv_json_format,
    &go_gob_format,          &go_json_format,        &guava_format,
    &guava_32_format,        &guava_java_format,     &hadoop_format,
    &hadoop_counting_format, &hash_code_6_format,    &hash_code_6_mended_format,
    &hbase_format,           &hutool_bitmap_format,  &hutool_bitset_format,
    &hutool_default_format,  &hutool_elf_format,     &hutool_fnv_format,
    &hutool_hf_format,       &hutool_hfip_format,    &hutool_js_format,
    &hutool_pjw_format,      &hutool_rs_format,      &hutool_sdbm_format,
    &hutool_tianl_format,    &leveldb_format,        &milvus_format,
    &parquet_format,         &parquet_bitset_format, &parquet_file_format,
    &redisbloom_format,      &redisson_format,       &redisson_dump_format,
    &rocksdb_format,         &rocksdb_5_format,      &setbit_format,
    &spark_format,           &spark_2_format};

std::string names(std::span<const foreign_format* const> of) {
    std::string list;
    for (const foreign_format* const one : of) {
        list += (list.empty() ? "" : ", ") + std::string(one->name);
    }
    return list;
}

/// As a hex dump shows them: `50 4b 03 04`.
std::string first_bytes(byte_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string shown;
    for (const std::byte one : bytes.first(std::min<std::size_t>(bytes.size(), 4))) {
        const auto value = std::to_integer<std::size_t>(one);
        shown += shown.empty() ? "" : " ";
        shown += {digits[value / 16], digits[value % 16]};
    }
    return shown;
}

} // namespace

std::span<const foreign_format* const> foreign_formats() noexcept { return all; }

const foreign_format& foreign_format_named(std::string_view name) {
    for (const foreign_format* const one : all) {
        if (one->name == name) {
            return *one;
        }
    }
    throw bad_argument("there is no format " + std::string(name) + "; choose one of: native, " +
                       names(all));
}

std::vector<const foreign_format*> detect(byte_view bytes) {
    std::vector<const foreign_format*> sure;
    std::vector<const foreign_format*> possible;
    for (const foreign_format* const one : all) {
        switch (one->looks(bytes)) {
        case likeness::sure:
            sure.push_back(one);
            break;
        case likeness::possible:
            possible.push_back(one);
            break;
        case likeness::no:
            break;
        }
    }
    return sure.empty() ? possible : sure;
}

const foreign_format& detect_one(byte_view bytes) {
    const std::vector<const foreign_format*> found = detect(bytes);
    if (found.size() == 1 && found.front()->looks(bytes) == likeness::sure) {
        return *found.front();
    }
    if (bytes.empty()) {
        throw bad_data("not a filter: it is empty");
    }
    throw bad_data(found.empty() ? "not a filter (first bytes " + first_bytes(bytes) + ")"
                                 : "not a bloomery filter; it may be one of: " + names(found));
}

std::vector<std::byte> encoded(const any_filter& source, const foreign_format& format,
                               const foreign_options& options) {
    require_writable(format, source);
    std::vector<std::byte> all_bytes;
    format.encode(
        source,
        [&](byte_view part) { all_bytes.insert(all_bytes.end(), part.begin(), part.end()); },
        options);
    return all_bytes;
}

} // namespace bloomery::inline v0::format
