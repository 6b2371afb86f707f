// What a filter that is more than an array of bits puts into a file.
#pragma once

#include <bloomery/cxx20.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace bloomery {

/// A filter's state as words: a record of its own making, then its arrays, which stay where they
/// are. Valid until the filter changes.
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

} // namespace bloomery
