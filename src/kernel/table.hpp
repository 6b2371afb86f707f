// What a kernel consists of: one function for each layout, verb, kind of key and access.
#pragma once

#include <bloomery/kernel/bulk.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace bloomery::kernel {

/// One bulk call. Either `hashed` or `integers` is there.
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

using bulk_function = void (*)(const target&, const job&) noexcept;
using mix_function = void (*)(const std::uint64_t* keys, std::size_t count, std::uint64_t seed,
                              digest128* into) noexcept;

/// Plain data, so that nothing of a kernel runs before the processor is known to have it.
struct table {
    std::array<std::array<std::array<std::array<bulk_function, 2>, 2>, 3>, plan::all_layouts.size()>
        functions;
    mix_function mix;

    [[nodiscard]] bulk_function at(layout_kind layout, verb what, source from,
                                   access who) const noexcept {
        return functions[static_cast<std::size_t>(layout)][static_cast<std::size_t>(what)]
                        [static_cast<std::size_t>(from)][static_cast<std::size_t>(who)];
    }
};

extern const table scalar_table;
extern const table neon_table;
extern const table avx2_table;
extern const table avx512_table;

} // namespace bloomery::kernel
