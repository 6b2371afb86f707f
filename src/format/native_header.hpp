// What the parts of the native format share: the page of the header, its state, and how they
// complain.
#pragma once

#include <bloomery/format/native.hpp>
#include <bloomery/hash/hash_id.hpp>

#include "posix_file.hpp"

#include <array>
#include <cstddef>
#include <filesystem>

namespace bloomery::format {

using native_header_page = std::array<std::byte, native_header_bytes>;

/// Where the part of the page that changes begins; the header's checksum stands before it.
inline constexpr std::size_t native_state_start = 2560;

native_header_page encode_native_header(const native_header& header);

/// The state of a file alone, from its page of header, for those who look again while a writer is
/// at work. Throws bad_data if both records of it are damaged.
native_state decode_native_state(byte_view page);

/// Writes a new state into a page of header: over the older of the two records, so that a torn
/// write leaves the other.
void store_native_state(std::span<std::byte> page, const native_state& state);

/// Whether the end of the page, from native_state_start on, has the two records and zeros.
bool has_only_states(byte_view page);

/// The header of an open file, whose length is then right. Throws as decode_native_header and
/// require_whole; io_error.
native_header read_native_header(const descriptor& file, const std::filesystem::path& path,
                                 const limits& most);

inline constexpr const char* cut_short =
    "the filter is truncated: it ends before its last bit; restore it from a copy";

/// Throws bad_data with that sentence unless the condition holds.
void require(bool holds, const char* otherwise);

/// Whether a hash is of the family that native files can name.
bool is_native_hash(hash::hash_id id) noexcept;

} // namespace bloomery::format
