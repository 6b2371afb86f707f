// Inserting a batch range by range of blocks.
#pragma once

#include <bloomery/detail/kernel/bulk.hpp>

namespace bloomery::inline v0::kernel {

/// Inserts a batch into an array that threads share: into memory of this thread first, a range at a
/// time, and from there with one atomic operation per word instead of one per word and key. Returns
/// false, and does nothing, if the batch is too small for that, the array too large, most keys are
/// in already, or the memory is refused.
bool insert_by_merging(const target& into, digests keys) noexcept;
bool insert_by_merging(const target& into, integers keys) noexcept;

} // namespace bloomery::inline v0::kernel
