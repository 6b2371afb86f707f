// What a filter that is more than an array of bits puts into a file.
#pragma once

#include <bloomery/detail/cxx20.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace bloomery::inline v0 {

/// How much memory a file may ask for without containing it, by default: for the omitted bits of an
/// empty filter, or for the next layer of one that grows.
inline constexpr std::uint64_t usual_unseen_bytes = std::uint64_t{1} << 28U;

/// How large a filter with so many bytes in its file may become in one step: the limit, or sixteen
/// times what is there. O(1).
[[nodiscard]] constexpr std::uint64_t most_claimed_bytes(std::uint64_t carried,
                                                         std::uint64_t most_unseen) noexcept {
    constexpr std::uint64_t factor = 16;
    const std::uint64_t grown = carried > UINT64_MAX / factor ? UINT64_MAX : carried * factor;
    return grown > most_unseen ? grown : most_unseen;
}

/// The state of a filter as words: a record that its kind defines, then its arrays, which are not
/// copied. Valid until the filter changes.
struct saved_words {
    std::vector<std::uint64_t> record{};
    std::vector<std::span<const std::uint64_t>> arrays{};

    /// Record and arrays together. O(arrays).
    [[nodiscard]] std::uint64_t word_count() const noexcept {
        std::uint64_t total = record.size();
        for (const auto& array : arrays) {
            total += array.size();
        }
        return total;
    }
};

namespace detail {

/// Whether the library has compiled any_filter's model of a kind, so that programs need not.
template <class Kind>
inline constexpr bool is_compiled = false;

} // namespace detail

} // namespace bloomery::inline v0
