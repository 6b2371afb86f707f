// The bits of two layers of one size, together.
#pragma once

#include <bloomery/plan/shape.hpp>

#include "memory.hpp"

#include <cstdint>

namespace bloomery::redis_module {

/// The numbers of ones of two arrays of one size, and of their union.
struct ones_of {
    std::uint64_t first;
    std::uint64_t second;
    std::uint64_t both;
};
/// In one pass; neither changes. O(bytes).
[[nodiscard]] ones_of count_ones(const server_bytes& a, const server_bytes& b) noexcept;

void unite(server_bytes& into, const server_bytes& other) noexcept;
void keep_common(server_bytes& into, const server_bytes& other) noexcept;

/// The estimated number of keys of an array with so many ones, between two bounds: filters count
/// the keys that they took, but not those of a union.
[[nodiscard]] std::uint64_t likely_items(const plan::shape& of, std::uint64_t ones,
                                         std::uint64_t least, std::uint64_t most);

/// The estimated number of keys that both have, at most so many. The common ones do not show it,
/// because some coincide by chance.
[[nodiscard]] std::uint64_t likely_common_items(const plan::shape& of, const server_bytes& a,
                                                const server_bytes& b, std::uint64_t most);

} // namespace bloomery::redis_module
