// Selects the processor instructions that the library uses: once, on first use.
//
// All kernels set and read the same bits. The best kernel that the processor supports is used; the
// environment variable BLOOMERY_KERNEL selects another (scalar, neon, avx2, avx512, avx512_vbmi);
// an empty value counts as unset.
#pragma once

#include <bloomery/detail/export.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bloomery::inline v0::kernel {

/// The kernels, from the simplest to the best. `avx512_vbmi` is `avx512` plus VBMI, VBMI2 and GFNI
/// (Ice Lake, Zen 4 and later).
enum class id : std::uint8_t { scalar, neon, avx2, avx512, avx512_vbmi };

/// All of them, in that order.
inline constexpr std::array<id, 5> all{id::scalar, id::neon, id::avx2, id::avx512, id::avx512_vbmi};

/// "scalar", "neon", "avx2", "avx512" or "avx512_vbmi". O(1).
[[nodiscard]] BLOOMERY_EXPORT std::string_view name_of(id which) noexcept;

/// The kernel of that name, or nothing. O(1).
[[nodiscard]] BLOOMERY_EXPORT std::optional<id> named(std::string_view name) noexcept;

/// Whether this build has the kernel and this processor can run it. O(1).
[[nodiscard]] BLOOMERY_EXPORT bool is_usable(id which) noexcept;

/// The best usable kernel. O(1).
[[nodiscard]] BLOOMERY_EXPORT id best() noexcept;

/// The kernel in use. O(1).
[[nodiscard]] BLOOMERY_EXPORT id active() noexcept;

/// Switches to another kernel. The bits are the same, so this is safe at any time; calls that are
/// running finish with the old kernel, and existing accurate filters keep theirs. O(1). Throws
/// unsupported unless `is_usable`.
BLOOMERY_EXPORT void use(id which);

/// A family of functions that are compiled for several kinds of processors.
struct family {
    std::string_view name;
    id code; ///< the kernel whose code is in use
};

/// The families of the kernel in use: "bulk" (calls on plain layouts), "one_key" (single
/// keys in split layouts, where they are not inlined), "mix" (bulk hashing of integers),
/// "counter_lines" (blocked counting filters), "accurate_update" and "accurate_ask" (accurate
/// filters), "dleft_ask" (bulk queries of d-left filters). If a kernel has nothing better, it uses
/// the functions of a simpler one. O(1).
[[nodiscard]] BLOOMERY_EXPORT std::array<family, 7> families() noexcept;

/// A sentence about what is wrong with BLOOMERY_KERNEL; nothing if it is unset or names a usable
/// kernel. A library cannot reject its environment, so an invalid value is ignored: programs that
/// can print a message call this. O(1); throws std::bad_alloc.
[[nodiscard]] BLOOMERY_EXPORT std::optional<std::string> environment_complaint();

/// The size of this processor's second-level cache in bytes, or a typical size if it is unknown.
/// Arrays up to a few times this size are not prefetched. O(1).
[[nodiscard]] BLOOMERY_EXPORT std::uint64_t cache_byte_count() noexcept;

} // namespace bloomery::inline v0::kernel
