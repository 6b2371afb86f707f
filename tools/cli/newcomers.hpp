// Which keys of a batch are new, to a filter and among themselves, before any of them goes in.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bloomery::cli {

/// For who must act on the new keys first and remember them afterwards: `try_insert_many` would
/// remember them at once. Keeps its memory from batch to batch.
class newcomers {
public:
    /// Bit i of `fresh` is set if key i is surely not in `seen` and the first of its kind in the
    /// batch. O(n k); throws std::bad_alloc, and what the filter throws.
    void find(const any_filter& seen, any_filter::digests keys, bitmap& fresh);

    /// The digests of those that were found last.
    [[nodiscard]] any_filter::digests found() const noexcept { return found_; }

private:
    [[nodiscard]] bool is_first(digest128 key);

    bitmap maybe_;
    std::vector<digest128> found_;
    std::vector<std::uint32_t> table_; ///< 1 + place in found_, or 0; a power of two of them
};

} // namespace bloomery::cli
