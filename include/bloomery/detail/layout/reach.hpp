// Which parts of an array a key touches, for code that tracks them, such as the pages of a file.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/layout/scheme.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/plan/shape.hpp>

#include <cstdint>

namespace bloomery::inline v0::layout {

/// The positions of a digest in an array of a native layout, as coarse as possible: each bit for
/// the classic layout, the first bit of the block for the others, which keep all bits in one block.
class reach {
public:
    explicit reach(const plan::shape& of)
        : block_bits_(plan::facts_of(of.layout).block_bits), blocks_(of.block_count()),
          walks_(of.layout == layout_kind::classic ? of.hash_count : 0) {}

    /// Calls `visit` with each position. O(k) for the classic layout, O(1) for the others.
    template <class Visit>
    void operator()(digest128 digest, Visit visit) const {
        if (walks_ == 0) {
            visit(hash::fastrange(digest.low, blocks_) * block_bits_);
            return;
        }
        auto walk = native_scheme::walk(digest);
        for (std::uint32_t i = 0; i < walks_; ++i) {
            visit(native_scheme::reduce(walk.next(), blocks_));
        }
    }

private:
    std::uint64_t block_bits_;
    std::uint64_t blocks_;
    std::uint32_t walks_;
};

} // namespace bloomery::inline v0::layout
