// What the two halves of the native format share: the page of the header, and how it complains.
#pragma once

#include <bloomery/format/native.hpp>
#include <bloomery/hash/hash_id.hpp>

#include <array>
#include <cstddef>

namespace bloomery::format {

using native_header_page = std::array<std::byte, native_header_bytes>;

native_header_page encode_native_header(const native_header& header);

/// Throws bad_data with that sentence unless the condition holds.
void require(bool holds, const char* otherwise);

/// Whether a hash is of the family that native files can name.
bool is_native_hash(hash::hash_id id) noexcept;

} // namespace bloomery::format
