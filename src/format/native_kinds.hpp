// The kinds of filter that are more than an array of bits, in native files.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/format/limits.hpp>
#include <bloomery/hash/native.hpp>

#include <cstdint>
#include <span>

namespace bloomery::format {

/// Whether a spec is of such a kind, with our own scheme. O(1).
bool is_native_kind(const spec& what) noexcept;

/// The filter whose any_filter::saved gave these words. The secret is that of fingerprints in a
/// list of exceptions, the hash's own if none is given. O(w). Throws bad_data if none did,
/// bad_argument for another key, unsupported, memory_refused.
any_filter restored_kind(const spec& what, const design& made_for, const native_hash& hash,
                         std::span<const std::uint64_t> words, const decode_options& options);

} // namespace bloomery::format
