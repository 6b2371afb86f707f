// The classic layout of Bloom (1970): k probes anywhere in an array of m bits.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/kernel/bulk.hpp>
#include <bloomery/kernel/shared_words.hpp>
#include <bloomery/layout/expected_fpp.hpp>
#include <bloomery/layout/of_kind.hpp>
#include <bloomery/layout/scheme.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/plan/shape.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace bloomery::layout {

namespace detail {

/// Which layout a scheme's places follow: classic, unless it says otherwise, as those do that keep
/// a key within a block.
template <class Scheme>
inline constexpr layout_kind kind_of = layout_kind::classic;
template <class Scheme>
    requires requires { Scheme::kind; }
inline constexpr layout_kind kind_of<Scheme> = Scheme::kind;

/// The most probes that a scheme makes: what its original allows, or all that any does.
template <class Scheme>
inline constexpr std::uint32_t most_hashes =
    std::same_as<Scheme, native_scheme> ? plan::max_classic_hash_count
                                        : plan::max_foreign_hash_count;
template <class Scheme>
    requires requires { Scheme::most_hashes; }
inline constexpr std::uint32_t most_hashes<Scheme> = Scheme::most_hashes;

/// Whether a scheme has keys without a place, as some originals do.
template <class Scheme>
inline constexpr bool may_throw = false;
template <class Scheme>
    requires requires { Scheme::may_throw; }
inline constexpr bool may_throw<Scheme> = Scheme::may_throw;

} // namespace detail

/// Turns a digest into bits of an array of 64-bit words: bit i is bit i % 64 of word i / 64. A
/// value of two numbers that owns nothing; every call takes the words it works on.
///
/// Filters of other systems are this layout with another scheme (layout/foreign_schemes.hpp), those
/// that keep a key's bits in one block included: they find a bit at a time, without kernels. Where
/// an original throws for a key, so do `insert`, after the bits that it sets before it does, and
/// `may_contain`: `no_place`.
template <class Scheme = native_scheme>
class classic : public of_kind<detail::kind_of<Scheme>> {
public:
    using scheme = Scheme;
    using of_kind<detail::kind_of<Scheme>>::kind;
    static constexpr std::uint32_t most_hashes = detail::most_hashes<Scheme>;
    static constexpr bool may_throw = detail::may_throw<Scheme>;

    /// Throws bad_argument if there is no bit, no probe, or more than 255 probes (65,535 for
    /// most schemes of other systems).
    classic(bits m, hashes k) : bit_count_(m.value), hash_count_(k.value) {
        if (bit_count_ == 0) {
            throw bad_argument("a filter needs at least one bit");
        }
        if (hash_count_ == 0 || hash_count_ > most_hashes) {
            throw bad_argument("a filter needs between 1 and " + std::to_string(most_hashes) +
                               " hashes a key, not " + std::to_string(hash_count_));
        }
    }

    // Other systems have formulas of their own: format::foreign_format::create, plan/compat.hpp.
    [[nodiscard]] static plan::shape shape_for(items n, rate p)
        requires std::same_as<Scheme, native_scheme>
    {
        return plan::for_rate(n, p, kind);
    }
    [[nodiscard]] static plan::shape shape_for(bytes memory, items n)
        requires std::same_as<Scheme, native_scheme>
    {
        return plan::for_memory(memory, n, kind);
    }
    [[nodiscard]] static plan::shape shape_for(bits m, hashes k) {
        return {kind, m.value, k.value};
    }

    /// The same from a shape; throws also if it is of another layout.
    explicit classic(const plan::shape& of) : classic(bits{of.bit_count}, hashes{of.hash_count}) {
        if (of.layout != kind) {
            throw bad_argument("a shape of another layout");
        }
    }

    /// The same without a check, for a shape that went through one.
    classic(trusted /*checked*/, const plan::shape& of) noexcept
        : bit_count_(of.bit_count), hash_count_(of.hash_count) {}

    [[nodiscard]] std::uint64_t bit_count() const noexcept { return bit_count_; }
    [[nodiscard]] std::uint32_t hash_count() const noexcept { return hash_count_; }
    [[nodiscard]] std::uint64_t word_count() const noexcept {
        return bit_count_ / 64 + (bit_count_ % 64 != 0);
    }
    [[nodiscard]] plan::shape shape() const noexcept { return {kind, bit_count_, hash_count_}; }

    /// Sets the bits of a digest and tells whether any was clear before. O(k). With
    /// `access::shared` other threads may insert and ask meanwhile.
    template <kernel::access Who = kernel::access::alone, class Digest>
    bool insert(std::uint64_t* words, const Digest& digest) const noexcept(!may_throw) {
        if (is_nothing(digest)) {
            return false;
        }
        auto walk = Scheme::walk(digest);
        std::uint64_t fresh = 0;
        for (std::uint32_t i = 0; i < hash_count_; ++i) {
            kernel::set_bit<Who>(words, next_place(walk), fresh);
        }
        return fresh != 0;
    }

    /// Tells whether all bits of a digest are set. O(k), about two probes for a typical absent key.
    /// With `access::shared` other threads may insert meanwhile: a key that is being inserted may
    /// or may not be seen, one that was is.
    template <kernel::access Who = kernel::access::alone, class Digest>
    [[nodiscard]] bool may_contain(const std::uint64_t* words, const Digest& digest) const
        noexcept(!may_throw) {
        if (is_nothing(digest)) {
            return false;
        }
        auto walk = Scheme::walk(digest);
        for (std::uint32_t i = 0; i < hash_count_; ++i) {
            if (!kernel::bit_at<Who>(words, next_place(walk))) {
                return false;
            }
        }
        return is_native || hash_count_ != 0;
    }

    /// Throws no_place for a digest that `insert` throws for, and changes nothing. O(k).
    template <class Digest>
    void require_place(const Digest& digest) const noexcept(!may_throw) {
        if constexpr (may_throw) {
            auto walk = Scheme::walk(digest);
            for (std::uint32_t i = 0; i < hash_count_; ++i) {
                static_cast<void>(next_place(walk));
            }
        }
    }

    /// Asks the memory for the words of a digest ahead of time; never changes an answer. Reaches
    /// for L2, not L1: a batch keeps more lines in flight than L1 has miss buffers.
    template <class Digest>
    BLOOMERY_INLINE void prefetch(const std::uint64_t* words, const Digest& digest) const noexcept {
        if constexpr (!may_throw) {
            auto walk = Scheme::walk(digest);
            for (std::uint32_t i = 0; i < hash_count_; ++i) {
                __builtin_prefetch(words + next_place(walk) / 64, 0, 2);
            }
        }
    }

    /// The rate of false positives now: the fill to the power of k, of each block if there are
    /// blocks. O(words).
    [[nodiscard]] double expected_fpp(std::span<const std::uint64_t> words) const {
        return layout::expected_fpp(shape(), words);
    }

    /// Where the bulk calls of the kernels work.
    [[nodiscard]] kernel::target target(std::uint64_t* words) const noexcept
        requires std::same_as<Scheme, native_scheme>
    {
        return {kind, words, bit_count_, hash_count_};
    }

    /// The same of no bits, for a filter that was moved from: finds every key in `no_words`. Other
    /// systems divide by the number of bits: theirs makes no probe and denies every key.
    [[nodiscard]] classic without_bits() const noexcept {
        return {trusted{}, {kind, 0, is_native ? hash_count_ : 0}};
    }

    friend bool operator==(const classic&, const classic&) = default;

private:
    static constexpr bool is_native = std::same_as<Scheme, native_scheme>;

    template <class Walk>
    [[nodiscard]] std::uint64_t next_place(Walk& walk) const noexcept(!may_throw) {
        if constexpr (requires { Scheme::place(walk, bit_count_, hash_count_); }) {
            return Scheme::place(walk, bit_count_, hash_count_);
        } else {
            return Scheme::reduce(walk.next(), bit_count_);
        }
    }

    /// Some originals ignore the empty key.
    template <class Digest>
    [[nodiscard]] static bool is_nothing(const Digest& digest) noexcept {
        if constexpr (requires { Scheme::is_nothing(digest); }) {
            return Scheme::is_nothing(digest);
        } else {
            return false;
        }
    }

    std::uint64_t bit_count_;
    std::uint32_t hash_count_;
};

} // namespace bloomery::layout
