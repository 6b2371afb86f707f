// Which processor's instructions the bulk calls use: chosen once, when first needed.
//
// All kernels set and read the same bits. The best one that the processor has is taken; the
// environment variable BLOOMERY_KERNEL names another (scalar, avx2, avx512, neon); empty is unset.
#pragma once

#include <bloomery/cxx20.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bloomery::kernel {

/// The kernels that bloomery knows, from the plainest to the best.
enum class id : std::uint8_t { scalar, neon, avx2, avx512 };

/// All of them, in that order.
inline constexpr std::array<id, 4> all{id::scalar, id::neon, id::avx2, id::avx512};

/// "scalar", "neon", "avx2" or "avx512". O(1).
[[nodiscard]] std::string_view name_of(id which) noexcept;

/// The kernel of that name, or nothing. O(1).
[[nodiscard]] std::optional<id> named(std::string_view name) noexcept;

/// Whether this build has the kernel and this processor can run it. O(1).
[[nodiscard]] bool is_usable(id which) noexcept;

/// The best usable kernel. O(1).
[[nodiscard]] id best() noexcept;

/// The kernel in use. O(1).
[[nodiscard]] id active() noexcept;

/// Takes another kernel from now on. Bits do not change, so any time is right, but calls that are
/// under way end as they began. O(1). Throws unsupported unless `is_usable`.
void use(id which);

/// What is wrong with BLOOMERY_KERNEL, in a sentence; nothing if it is unset or names a usable
/// kernel. A library cannot refuse its environment, so a bad value is ignored: programs that can
/// speak ask here. O(1); throws std::bad_alloc.
[[nodiscard]] std::optional<std::string> environment_complaint();

/// The bytes of this processor's second-level cache, or a usual size where it does not say. Arrays
/// that fit a few times into it are not asked for ahead. O(1).
[[nodiscard]] std::uint64_t cache_byte_count() noexcept;

} // namespace bloomery::kernel
