// What the operating system says of the machine that the command runs on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace bloomery::cli {

/// Nothing where the system does not say.
struct machine {
    std::optional<std::string> processor;
    std::optional<std::uint64_t> memory_bytes;
    std::optional<std::string> huge_pages; ///< transparent ones: "always", "madvise" or "never"
};

/// Reads /proc and /sys, which any user may; what is not there is left out. Throws std::bad_alloc.
[[nodiscard]] machine look_at_machine();

} // namespace bloomery::cli
