// What the operating system says of the machine that the command runs on, and what compiled it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bloomery::cli {

/// The compiler of the including file and its version.
#if defined(__clang__)
inline constexpr std::string_view compiler = __VERSION__; // says its name itself
#else
inline constexpr std::string_view compiler = "g++ " __VERSION__;
#endif

/// Nothing where the system does not say.
struct machine {
    std::optional<std::string> processor;
    std::optional<std::uint64_t> memory_bytes;
    std::optional<std::string> huge_pages; ///< transparent ones: "always", "madvise" or "never"
};

/// Reads /proc and /sys, which any user may; what is not there is left out. Throws std::bad_alloc.
[[nodiscard]] machine look_at_machine();

} // namespace bloomery::cli
