// Native filters as handles.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/plan/shape.hpp>
#include <bloomery/storage/words.hpp>

namespace bloomery {

/// An empty filter of that shape. O(w). Throws bad_argument, memory_refused.
[[nodiscard]] any_filter make_filter(const plan::shape& shape, const native_hash& hash = {},
                                     design made_for = {});

/// The same over words filled elsewhere. O(1). Throws as above.
[[nodiscard]] any_filter make_filter(const plan::shape& shape, storage::heap_words<> words,
                                     const native_hash& hash, design made_for);

} // namespace bloomery
