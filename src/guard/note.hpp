// The note next to a filter's file: which source it belongs to, and up to which mark it is
// complete.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace bloomery::inline v0::detail {

/// Lines of text, the last of which is a checksum.
struct guard_note {
    std::string source; ///< its name
    /// The source's mark: every key that it had then is in the filter, even after a power failure.
    std::optional<std::string> mark{};
    std::optional<std::uint64_t> count{}; ///< of keys in the source, when it was closed
    std::uint64_t layers = 1;
    bool closed = false;              ///< no guard was running when it was written
    std::array<std::byte, 16> boot{}; ///< the boot id when it was written

    friend bool operator==(const guard_note&, const guard_note&) = default;
};

/// O(text).
[[nodiscard]] std::string encode_note(const guard_note& note);
/// Nothing if the text is damaged, truncated or of a later version. O(text).
[[nodiscard]] std::optional<guard_note> decode_note(std::string_view text);

/// The path of a file's note.
[[nodiscard]] std::filesystem::path note_of(const std::filesystem::path& file);
/// Nothing also if it does not exist or cannot be read.
[[nodiscard]] std::optional<guard_note> read_note(const std::filesystem::path& file);
/// Replaces it, durably. Throws io_error.
void write_note(const std::filesystem::path& file, const guard_note& note);

} // namespace bloomery::inline v0::detail
