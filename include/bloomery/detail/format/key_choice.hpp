// Which encoding of keys a filter needs, where that depends on more than its format.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/key/key_encoding.hpp>
#include <bloomery/filter/any_filter.hpp>

#include <optional>

namespace bloomery::inline v0::format {

/// The encoding for the keys of a filter when the caller asks for `said`: the same, except that
/// Milvus's filters take integers as integers, so that i64le becomes integer. Throws bad_argument
/// for an encoding of numbers that Milvus does not have. O(1).
[[nodiscard]] BLOOMERY_EXPORT key_encoding encoding_for(const any_filter& of, key_encoding said);

/// The encoding to use without a request, if the filter itself shows it: integer for one of Milvus
/// that holds only integers. O(1), never throws.
[[nodiscard]] BLOOMERY_EXPORT std::optional<key_encoding> encoding_in(const any_filter& of);

} // namespace bloomery::inline v0::format
