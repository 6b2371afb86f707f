// Commands in the server's protocol.
#pragma once

#include <bloomery/detail/export.hpp>

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bloomery::inline v0::redis {

/// The slot of a key, of 16384: CRC-16 of the part between the first opening brace and the next
/// closing one, if that is not empty, or else of the whole key. O(key).
[[nodiscard]] BLOOMERY_EXPORT std::uint16_t slot_of(std::string_view key) noexcept;

/// A command, encoded as it is sent.
class BLOOMERY_EXPORT request {
public:
    /// A command with the given number of words, including its name, for one key; without a key it
    /// goes to any server. Exactly that many words must follow.
    explicit request(std::size_t words, std::optional<std::string_view> key = std::nullopt);

    /// A whole command with its key as the second word, as in most commands.
    template <class... Words>
    [[nodiscard]] static request of(std::string_view name, std::string_view key,
                                    const Words&... words) {
        request made(2 + sizeof...(words), key);
        made.add(name).add(key);
        (made.add(words), ...);
        return made;
    }

    /// The next word. O(word); throws std::bad_alloc.
    request& add(std::string_view word);
    template <std::integral Number>
    request& add(Number word) {
        char digits[24]; // NOLINT: a buffer
        const auto end = std::to_chars(digits, digits + sizeof digits, word).ptr;
        return add(std::string_view(digits, static_cast<std::size_t>(end - digits)));
    }

    /// Marks it as a write, for which replicas can be waited for.
    request& writes() noexcept {
        is_write_ = true;
        return *this;
    }
    /// Marks it as not idempotent: never sent again if its answer was lost.
    request& only_once() noexcept {
        only_once_ = true;
        return *this;
    }

    [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }
    [[nodiscard]] std::string& bytes() noexcept { return bytes_; }
    [[nodiscard]] std::optional<std::uint16_t> slot() const noexcept { return slot_; }
    [[nodiscard]] bool is_write() const noexcept { return is_write_; }
    [[nodiscard]] bool is_only_once() const noexcept { return only_once_; }

private:
    void begin(char mark, std::size_t number);

    std::string bytes_;
    std::optional<std::uint16_t> slot_;
    bool is_write_ = false;
    bool only_once_ = false;
};

} // namespace bloomery::inline v0::redis
