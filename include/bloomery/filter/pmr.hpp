// A filter with memory from a polymorphic resource, in its own header because <memory_resource> is
// large.
#pragma once

#include <bloomery/filter/filter.hpp>

#include <memory_resource>

namespace bloomery::inline v0::pmr {

using filter = basic_filter<layout::native, native_hash,
                            storage::heap_words<std::pmr::polymorphic_allocator<std::uint64_t>>>;

} // namespace bloomery::inline v0::pmr
