// A filter in the memory of a GPU, for use in your own kernels.
#pragma once

#include <bloomery/detail/gpu/block.hpp>
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/plan/layout_kind.hpp>
#include <bloomery/hash/digest.hpp>

#include <cstdint>

namespace bloomery::inline v0::gpu {

/// The bits of a `gpu::filter`, passed to a kernel by value. It owns nothing: the filter must
/// outlive the kernel. `gpu::filter::ref` makes it.
///
/// Threads: any number may insert and query at once, also those of other kernels; a key whose
/// insert has returned is seen by whoever is ordered after it. Only for integer keys and digests;
/// in host code, only for a filter whose memory the processor can read. Costs one block: four or
/// eight loads, or as many atomic operations.
template <layout_kind Kind>
class ref {
    using block = detail::block<Kind>;

public:
    ref(std::uint64_t* words, std::uint64_t blocks, detail::mixer mix) noexcept
        : words_(words), blocks_(blocks), mix_(mix) {}

    /// The digest of an integer key, of any width: int 7 and uint64_t 7 are the same key.
    [[nodiscard]] BLOOMERY_INLINE_ANYWHERE digest128 digest(std::uint64_t key) const noexcept {
        return mix_(key);
    }

    /// False: the key was definitely never inserted. True: it was, or this is a false positive.
    [[nodiscard]] BLOOMERY_INLINE_ANYWHERE bool may_contain(std::uint64_t key) const noexcept {
        return may_contain(digest(key));
    }
    [[nodiscard]] BLOOMERY_INLINE_ANYWHERE bool may_contain(digest128 key) const noexcept {
        const std::uint64_t* const at = words_ + block::first(key.low, blocks_);
        std::uint64_t missing = 0;
        for (unsigned j = 0; j < block::words; ++j) {
            missing |= block::word(key.high, j) & ~read(at + j);
        }
        return missing == 0;
    }

    /// Adds a key.
    BLOOMERY_INLINE_ANYWHERE void insert(std::uint64_t key) const noexcept { insert(digest(key)); }
    BLOOMERY_INLINE_ANYWHERE void insert(digest128 key) const noexcept { (void)try_insert(key); }

    /// Adds a key and returns whether it was definitely new. Of threads that insert the same new
    /// key at once, at least one gets true.
    [[nodiscard]] BLOOMERY_INLINE_ANYWHERE bool try_insert(std::uint64_t key) const noexcept {
        return try_insert(digest(key));
    }
    [[nodiscard]] BLOOMERY_INLINE_ANYWHERE bool try_insert(digest128 key) const noexcept {
        std::uint64_t* const at = words_ + block::first(key.low, blocks_);
        std::uint64_t fresh = 0;
        for (unsigned j = 0; j < block::words; ++j) {
            const std::uint64_t bits = block::word(key.high, j);
            fresh |= bits & ~unite(at + j, bits);
        }
        return fresh != 0;
    }

private:
    BLOOMERY_INLINE_ANYWHERE static std::uint64_t read(const std::uint64_t* word) noexcept {
#if defined(__CUDA_ARCH__)
        return *word;
#else
        return __atomic_load_n(word, __ATOMIC_RELAXED);
#endif
    }
    /// Returns what the word was.
    BLOOMERY_INLINE_ANYWHERE static std::uint64_t unite(std::uint64_t* word,
                                                        std::uint64_t bits) noexcept {
#if defined(__CUDA_ARCH__)
        static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
        return atomicOr(reinterpret_cast<unsigned long long*>(word), bits);
#else
        return __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
#endif
    }

    std::uint64_t* words_;
    std::uint64_t blocks_;
    detail::mixer mix_;
};

} // namespace bloomery::inline v0::gpu
