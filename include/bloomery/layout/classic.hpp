// The classic layout of Bloom (1970): k probes anywhere in an array of m bits.
#pragma once

#include <bloomery/detail/kernel/bulk.hpp>
#include <bloomery/detail/kernel/shared_words.hpp>
#include <bloomery/detail/layout/expected_rate.hpp>
#include <bloomery/detail/layout/of_kind.hpp>
#include <bloomery/detail/layout/scheme.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/plan/shape.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

namespace bloomery::inline v0::layout {

namespace detail {

/// The layout of a scheme: classic, unless the scheme says otherwise because it keeps a key within
/// one block.
template <class Scheme>
inline constexpr layout_kind kind_of = layout_kind::classic;
template <class Scheme>
    requires requires { Scheme::kind; }
inline constexpr layout_kind kind_of<Scheme> = Scheme::kind;

/// The largest number of probes of a scheme: what the original allows, or the general limit.
template <class Scheme>
inline constexpr std::uint32_t most_hashes =
    std::same_as<Scheme, native_scheme> ? plan::max_classic_hash_count
                                        : plan::max_foreign_hash_count;
template <class Scheme>
    requires requires { Scheme::most_hashes; }
inline constexpr std::uint32_t most_hashes<Scheme> = Scheme::most_hashes;

/// Whether a scheme has keys without a position, as some originals do.
template <class Scheme>
inline constexpr bool may_throw = false;
template <class Scheme>
    requires requires { Scheme::may_throw; }
inline constexpr bool may_throw<Scheme> = Scheme::may_throw;

struct nothing_prepared {
    friend constexpr bool operator==(nothing_prepared, nothing_prepared) = default;
};

/// What a scheme computes once from the size of an array: its `size_type`, made from the bits, or
/// from bits and hashes.
template <class Scheme>
constexpr auto prepared_size([[maybe_unused]] std::uint64_t bit_count,
                             [[maybe_unused]] std::uint32_t hash_count) noexcept {
    if constexpr (requires { typename Scheme::size_type; }) {
        if constexpr (std::constructible_from<typename Scheme::size_type, std::uint64_t,
                                              std::uint32_t>) {
            return typename Scheme::size_type(bit_count, hash_count);
        } else {
            return typename Scheme::size_type(bit_count);
        }
    } else {
        return nothing_prepared{};
    }
}

} // namespace detail

/// Turns a digest into bits of an array of 64-bit words: bit i is bit i % 64 of word i / 64. A
/// value of two numbers that owns nothing; every call takes the words it works on.
///
/// Filters of other systems use this layout with another scheme
/// (detail/layout/foreign_schemes.hpp), including those that keep a key's bits in one block: they
/// find one bit at a time, without kernels. If the original throws for a key, `insert` and
/// `may_contain` throw `no_place`; `insert` first sets the bits that the original sets before it
/// throws.
template <class Scheme = native_scheme>
class classic : public of_kind<detail::kind_of<Scheme>> {
public:
    using scheme = Scheme;
    using of_kind<detail::kind_of<Scheme>>::kind;
    static constexpr std::uint32_t most_hashes = detail::most_hashes<Scheme>;
    static constexpr bool may_throw = detail::may_throw<Scheme>;
    /// Whether the scheme gives all bits of a digest at once, as the words of a block.
    template <class Unit, class Digest>
    static constexpr bool finds_blocks = std::same_as<std::remove_const_t<Unit>, std::uint64_t> &&
                                         requires(const Digest& key) { Scheme::block(key, 0); };

    /// Throws bad_argument for zero bits, zero probes, or more than 255 probes (65,535 for most
    /// schemes of other systems).
    BLOOMERY_OWN_COPY classic(bits m, hashes k) : classic(trusted{}, {kind, m.value, k.value}) {
        if (bit_count_ == 0) {
            throw bad_argument("a filter needs at least one bit");
        }
        if (hash_count_ == 0 || hash_count_ > most_hashes) {
            throw bad_argument("a filter needs between 1 and " + std::to_string(most_hashes) +
                               " hashes per key, not " + std::to_string(hash_count_));
        }
    }

    // Other systems have their own formulas: format::foreign_format::create, plan/compat.hpp.
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

    /// As above, from a shape; also throws if it has another layout.
    explicit classic(const plan::shape& of) : classic(bits{of.bit_count}, hashes{of.hash_count}) {
        if (of.layout != kind) {
            throw bad_argument("the shape has another layout");
        }
    }

    /// As above, without the check, for a shape that was checked before.
    classic(trusted /*checked*/, const plan::shape& of) noexcept
        : bit_count_(of.bit_count), hash_count_(of.hash_count),
          size_(detail::prepared_size<Scheme>(of.bit_count, of.hash_count)) {}

    [[nodiscard]] std::uint64_t bit_count() const noexcept { return bit_count_; }
    [[nodiscard]] std::uint32_t hash_count() const noexcept { return hash_count_; }
    [[nodiscard]] std::uint64_t word_count() const noexcept {
        return bit_count_ / 64 + (bit_count_ % 64 != 0);
    }
    [[nodiscard]] plan::shape shape() const noexcept { return {kind, bit_count_, hash_count_}; }

    /// Sets the bits of a digest. Returns whether any of them was clear before. O(k). With
    /// `access::shared`, other threads may insert and query concurrently.
    template <kernel::access Who = kernel::access::alone, class Unit, class Digest>
    BLOOMERY_OWN_COPY bool insert(Unit* words, const Digest& digest) const noexcept(!may_throw) {
        if (is_nothing(digest)) {
            return false;
        }
        std::uint64_t fresh = 0;
        if constexpr (Who == kernel::access::alone && finds_blocks<Unit, Digest>) {
            if (hash_count_ == plan::facts_of(kind).fixed_hashes) {
                const auto block = Scheme::block(digest, bit_count_);
                Unit* const at = words + block.first_word;
                for (std::size_t i = 0; i < block.bits.size(); ++i) {
                    fresh |= block.bits[i] & ~at[i];
                    at[i] |= block.bits[i];
                }
                return fresh != 0;
            }
        }
        each_place(digest, 0, hash_count_, [&](std::uint64_t place) {
            kernel::set_bit_in<Who>(words, place, fresh);
            return true;
        });
        return fresh != 0;
    }

    /// Returns whether all bits of a digest are set. O(k), about two probes for a typical absent
    /// key. With `access::shared`, other threads may insert concurrently: a key whose insert has
    /// returned is seen; one whose insert is still running may or may not be.
    template <kernel::access Who = kernel::access::alone, class Unit, class Digest>
    [[nodiscard]] BLOOMERY_OWN_COPY bool may_contain(const Unit* words, const Digest& digest) const
        noexcept(!may_throw) {
        if constexpr (Who == kernel::access::alone && finds_blocks<Unit, Digest>) {
            if (hash_count_ == plan::facts_of(kind).fixed_hashes) {
                const auto block = Scheme::block(digest, bit_count_);
                std::uint64_t missing = 0;
                for (std::size_t i = 0; i < block.bits.size(); ++i) {
                    missing |= block.bits[i] & ~words[block.first_word + i];
                }
                return missing == 0;
            }
        }
        return !is_nothing(digest) && each_place(digest, 0, hash_count_, [&](std::uint64_t place) {
            return kernel::bit_in<Who>(words, place);
        }) && (is_native || hash_count_ != 0);
    }

    /// Throws no_place if `insert` would throw for this digest; changes nothing. O(k).
    template <class Digest>
    void require_place(const Digest& digest) const noexcept(!may_throw) {
        if constexpr (may_throw) {
            each_place(digest, 0, hash_count_, [](std::uint64_t) { return true; });
        }
    }

    /// Prefetches the words of a digest; never changes an answer. It fetches into L2, not L1,
    /// because a batch keeps more lines in flight than L1 has miss buffers.
    template <class Unit, class Digest>
    BLOOMERY_INLINE void prefetch(const Unit* words, const Digest& digest) const noexcept {
        if constexpr (!may_throw) {
            each_place(digest, 0, hash_count_, [&](std::uint64_t place) {
                __builtin_prefetch(words + place / (8 * sizeof(Unit)), 0, 2);
                return kind == layout_kind::classic; // or all are in the same line
            });
        }
    }

    /// Calls `visit` with the bits of probes `first` up to `last` of a digest, in order, until it
    /// returns false; returns whether it never did. O(last).
    template <class Digest, class Visit>
    BLOOMERY_INLINE bool each_place(const Digest& digest, std::uint32_t first, std::uint32_t last,
                                    Visit visit) const noexcept(!may_throw) {
        auto walk = Scheme::walk(digest);
        for (std::uint32_t i = 0; i < first; ++i) {
            static_cast<void>(next_place(walk));
        }
        for (std::uint32_t i = first; i < last; ++i) {
            if (!visit(next_place(walk))) {
                return false;
            }
        }
        return true;
    }
    /// Whether a digest sets no bits and is never found: some originals ignore the empty key.
    template <class Digest>
    [[nodiscard]] static bool is_nothing(const Digest& digest) noexcept {
        if constexpr (requires { Scheme::is_nothing(digest); }) {
            return Scheme::is_nothing(digest);
        } else {
            return false;
        }
    }

    /// The next bit of a walk, `Scheme::walk(digest)`, over this array. O(1).
    template <class Walk>
    [[nodiscard]] BLOOMERY_INLINE std::uint64_t next_place(Walk& walk) const noexcept(!may_throw) {
        if constexpr (requires { Scheme::place(walk, size_); }) {
            return Scheme::place(walk, size_);
        } else {
            return place_of(walk.next());
        }
    }
    /// The bit of a raw location. O(1).
    [[nodiscard]] BLOOMERY_INLINE std::uint64_t place_of(std::uint64_t raw) const
        noexcept(!may_throw) {
        if constexpr (requires { Scheme::reduce(raw, size_); }) {
            return Scheme::reduce(raw, size_);
        } else {
            return Scheme::reduce(raw, bit_count_);
        }
    }

    /// The current false-positive rate: the fill ratio to the power of k, averaged over the blocks
    /// if there are any. O(words).
    [[nodiscard]] double expected_rate(std::span<const std::uint64_t> words) const {
        return layout::expected_rate(shape(), words);
    }

    /// The target of the kernels' bulk calls.
    template <class Word>
    [[nodiscard]] kernel::basic_target<Word> target(Word* words) const noexcept
        requires std::same_as<Scheme, native_scheme>
    {
        return {kind, words, bit_count_, hash_count_};
    }

    /// The layout of a moved-from filter, with no bits: maps every key to `no_words`. Other systems
    /// divide by the number of bits; their version makes no probes and denies every key.
    [[nodiscard]] classic without_bits() const noexcept {
        return {trusted{}, {kind, 0, is_native ? hash_count_ : 0}};
    }

    friend bool operator==(const classic&, const classic&) = default;

private:
    static constexpr bool is_native = std::same_as<Scheme, native_scheme>;

    std::uint64_t bit_count_;
    std::uint32_t hash_count_;
    [[no_unique_address]] decltype(detail::prepared_size<Scheme>(0, 0)) size_;
};

} // namespace bloomery::inline v0::layout
