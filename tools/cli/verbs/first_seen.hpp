// Which keys of a batch are new, to a filter and among themselves, before any of them goes in.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bloomery::cli {

/// For callers that act on the new keys before they insert them: `try_insert_many` would insert
/// them at once. Keeps its memory from batch to batch.
class first_seen {
public:
    /// Bit i of `fresh` is set if key i is definitely not in `seen` and the first of its kind in
    /// the batch. O(n k); throws std::bad_alloc, and what the filter throws.
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
