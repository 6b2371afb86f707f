// The note beside a filter's file: of which source it is, and up to when it has everything.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace bloomery::detail {

/// See above. Lines of text, the last of which is a checksum.
struct guard_note {
    std::string source; ///< its name
    /// The source's mark: every key that it had then is in the filter, also after a power failure.
    std::optional<std::string> mark{};
    std::optional<std::uint64_t> count{}; ///< of keys in the source, when it was closed
    std::uint64_t layers = 1;
    bool closed = false;              ///< no guard was at work when it was written
    std::array<std::byte, 16> boot{}; ///< the run of the system in which it was written

    friend bool operator==(const guard_note&, const guard_note&) = default;
};

/// O(text).
[[nodiscard]] std::string encode_note(const guard_note& note);
/// Nothing for what no encode_note wrote: damaged, of a later version, truncated. O(text).
[[nodiscard]] std::optional<guard_note> decode_note(std::string_view text);

/// Where the note of a file lies.
[[nodiscard]] std::filesystem::path note_of(const std::filesystem::path& file);
/// Nothing also if there is none, or it cannot be read.
[[nodiscard]] std::optional<guard_note> read_note(const std::filesystem::path& file);
/// Replaces it, durably. Throws io_error.
void write_note(const std::filesystem::path& file, const guard_note& note);

} // namespace bloomery::detail
