// Native filters whose layout is known at run time only: the one place that lists them.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/plan/shape.hpp>
#include <bloomery/storage/words.hpp>

namespace bloomery {

/// An empty filter of that shape. O(w). Throws unsupported for a layout that is only planned yet,
/// bad_argument, memory_refused.
[[nodiscard]] any_filter make_filter(const plan::shape& shape, const native_hash& hash = {},
                                     design made_for = {});

/// The same over words filled elsewhere. O(1). Throws as above.
[[nodiscard]] any_filter make_filter(const plan::shape& shape, storage::heap_words<> words,
                                     const native_hash& hash, design made_for);

/// Whether filters of that layout can be made. O(1).
[[nodiscard]] bool is_available(layout_kind layout) noexcept;

} // namespace bloomery
