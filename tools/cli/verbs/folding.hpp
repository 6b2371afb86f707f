// Making a filled filter smaller.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/spec.hpp>

#include <string>

namespace bloomery::cli {

/// Throws unsupported unless filters of this sort can be folded.
void require_foldable(const spec& what, const std::string& path);

/// The same, and bad_argument unless it was made for a rate.
void require_sealable(const spec& what, const design& made_for, const std::string& path);

/// Folds to the rate that a filter was made for. One that is overfilled is left alone, with a
/// warning. Throws as above.
void seal(any_filter& filled, const std::string& path);

} // namespace bloomery::cli
