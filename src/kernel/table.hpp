// What a kernel consists of: families of functions, each compiled for some kind of processor.
#pragma once

#include <bloomery/detail/kernel/accurate_ask.hpp>
#include <bloomery/detail/kernel/accurate_block.hpp>
#include <bloomery/detail/kernel/bulk.hpp>
#include <bloomery/detail/kernel/counter_line.hpp>
#include <bloomery/detail/kernel/dleft_ask.hpp>
#include <bloomery/detail/kernel/one_key.hpp>
#include <bloomery/kernel/kernel.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace bloomery::inline v0::kernel {

/// One bulk call. Either `hashed` or `integers` is set.
struct job {
    const digest128* hashed;
    const std::uint64_t* integers;
    std::size_t count;
    std::uint64_t seed;
    std::uint64_t* answers; ///< a bit for each key; null for insert
    bool ask_ahead;         ///< whether to prefetch
};

enum class verb : std::uint8_t { insert, try_insert, contains };
enum class source : std::uint8_t { hashed, integers };

/// What a verb works on: bits that it may change, or that it only reads.
template <verb Verb>
using target_for = std::conditional_t<Verb == verb::contains, const_target, target>;

template <class Target>
using bulk_call = void (*)(const Target&, const job&) noexcept;
/// By kind of key and access.
template <class Target>
using bulk_calls_of = std::array<std::array<bulk_call<Target>, 2>, 2>;

/// The bulk calls of one layout.
struct layout_functions {
    bulk_calls_of<target> insert;
    bulk_calls_of<target> try_insert;
    bulk_calls_of<const_target> contains;

    template <verb Verb>
    [[nodiscard]] constexpr const bulk_calls_of<target_for<Verb>>& of() const noexcept {
        if constexpr (Verb == verb::insert) {
            return insert;
        } else if constexpr (Verb == verb::try_insert) {
            return try_insert;
        } else {
            return contains;
        }
    }
};

/// The low words of the digests in a range of blocks: `from` and the `span` words above it.
struct low_words {
    std::uint64_t from;
    std::uint64_t span;
};

/// The keys of a batch that are in such a range, in order: where they go, and how many there are.
/// Behind those must be room for as many as the batch has, and for `keep_overrun` more.
template <class Key>
struct kept_keys {
    Key* keys;
    std::size_t count;
};
constexpr std::size_t keep_overrun = 8;

/// Bulk calls on plain layouts.
struct bulk_functions {
    std::array<layout_functions, plan::all_layouts.size()> functions;
    void (*keep_integers)(const std::uint64_t* keys, std::size_t count, std::uint64_t seed,
                          low_words wanted, kept_keys<std::uint64_t>& into) noexcept;
    void (*keep_digests)(const digest128* keys, std::size_t count, low_words wanted,
                         kept_keys<digest128>& into) noexcept;

    template <verb Verb>
    [[nodiscard]] bulk_call<target_for<Verb>> at(layout_kind layout, source from,
                                                 access who) const noexcept {
        return functions[static_cast<std::size_t>(layout)]
            .of<Verb>()[static_cast<std::size_t>(from)][static_cast<std::size_t>(who)];
    }
};

/// The digests of integers.
using mix_function = void(const std::uint64_t* keys, std::size_t count, std::uint64_t seed,
                          digest128* into) noexcept;

/// The state of a key in a line of counters before the operation.
struct line_answer {
    bool present; ///< all its counters were above 0
    bool stuck;   ///< one of them is at its maximum afterwards; not set by `contains`
};

/// Lines of four-bit counters: one key, or many, whose answers are set in a bitmap of zeros.
struct counter_functions {
    template <class Word>
    using one = line_answer (*)(Word* line, std::uint64_t high, std::uint32_t k) noexcept;
    template <class Word>
    using many = void (*)(const basic_counter_lines<Word>& on, digests keys,
                          std::uint64_t* answers) noexcept;

    one<std::uint64_t> insert;
    one<const std::uint64_t> contains;
    one<std::uint64_t> erase;
    many<std::uint64_t> insert_many;
    many<const std::uint64_t> contains_many;
    many<std::uint64_t> erase_many;
};

/// How keys change blocks of unary counters.
struct accurate_functions {
    std::array<detail::accurate_verbs, 4> line; ///< 512 bits, for 3, 4, 5 and any number of places
    detail::accurate_verbs dense;               ///< 2048 bits

    [[nodiscard]] const detail::accurate_verbs&
    verbs_for(const detail::accurate_cut& cut) const noexcept {
        if (cut.block_words != 8) {
            return dense;
        }
        return line[cut.hash_count >= 3 && cut.hash_count <= 5 ? cut.hash_count - 3 : 3];
    }
};

/// Queries of blocks of 512 bits, by the number of positions minus one.
using accurate_askers = std::array<detail::accurate_asker, 6>;

/// Queries of d-left buckets.
struct dleft_askers {
    detail::dleft_asker narrow; ///< for cells of at most 16 bits
    detail::dleft_asker any;
};

/// One family, and the kernel whose code it uses. Without functions: one key after the other, with
/// code for every processor.
template <class Functions>
struct family_of {
    id made_for = id::scalar;
    Functions* functions = nullptr;
};

/// A kernel. Plain data, so that nothing of it runs before the processor is known to have it.
struct table {
    id which;
    family_of<const bulk_functions> bulk;
    family_of<const one_key_table> one_key;
    family_of<mix_function> mix;
    family_of<const counter_functions> counters;
    family_of<const accurate_functions> accurate;
    family_of<const accurate_askers> accurate_ask;
    family_of<const dleft_askers> dleft;
};

/// The kernel in use; null until it is first needed.
extern std::atomic<const table*> current;
/// Chooses the one for this processor and environment, unless another thread has done so meanwhile.
const table& choose_at_first() noexcept;

/// The kernel in use. O(1).
[[nodiscard]] BLOOMERY_INLINE const table& in_use() noexcept {
    const table* const found = current.load(std::memory_order_relaxed);
    return found != nullptr ? *found : choose_at_first();
}

// What each kernel's file defines.

extern const bulk_functions scalar_bulk;
extern const bulk_functions neon_bulk;
extern const bulk_functions avx2_bulk;
extern const bulk_functions avx512_bulk;

extern const one_key_table scalar_one_key;
extern const one_key_table neon_one_key;
extern const one_key_table avx2_one_key;
extern const one_key_table avx512_one_key;

mix_function scalar_mix;
mix_function neon_mix;
mix_function avx2_mix;
mix_function avx512_mix;

extern const counter_functions scalar_counters;
extern const counter_functions avx2_counters;
extern const counter_functions avx512_counters;

extern const accurate_functions scalar_accurate;
extern const accurate_functions avx2_accurate;
extern const accurate_functions avx2_accurate_without_pdep;
extern const accurate_functions avx512_vbmi_accurate;

extern const accurate_askers avx512_vbmi_accurate_ask;

extern const dleft_askers avx2_dleft;
extern const dleft_askers avx512_vbmi_dleft;

} // namespace bloomery::inline v0::kernel
