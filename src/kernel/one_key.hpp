// Single keys in split blocks: see detail/kernel/one_key.hpp.
//
// Private to the kernels, and compiled once for each: everything is local to the including file.
#pragma once

#include <bloomery/detail/kernel/lanes.hpp>
#include <bloomery/detail/kernel/one_key.hpp>

#include <cstddef>
#include <cstdint>

namespace bloomery::inline v0::kernel {
namespace {

template <layout_kind Kind>
constexpr one_key_functions one_key_of() noexcept {
    using ops = lanes<Kind>;
    return {[](const std::uint64_t* block, std::uint64_t high) noexcept {
                return ops::test(block, high);
            },
            [](std::uint64_t* block, std::uint64_t high) noexcept {
                static_cast<void>(ops::set(block, high)); // the unused answer is not computed
            },
            [](std::uint64_t* block, std::uint64_t high) noexcept { return ops::set(block, high); },
            [](const std::uint64_t* block, std::uint64_t high, bool* answer) noexcept {
                *answer = ops::test(block, high);
                return 0;
            },
            [](std::uint64_t* block, std::uint64_t high, bool* answer) noexcept {
                *answer = ops::set(block, high);
                return 0;
            }};
}

constexpr one_key_table make_one_key() noexcept {
    one_key_table made{};
    made[static_cast<std::size_t>(layout_kind::split_8x32)] = one_key_of<layout_kind::split_8x32>();
    made[static_cast<std::size_t>(layout_kind::split_8x64)] = one_key_of<layout_kind::split_8x64>();
    made[static_cast<std::size_t>(layout_kind::split_16x32)] =
        one_key_of<layout_kind::split_16x32>();
    return made;
}

} // namespace
} // namespace bloomery::inline v0::kernel
