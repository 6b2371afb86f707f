// The keys of a batch that may be in a filter, or that definitely are not, one after the other.
//
// A loop over may_contain pays for one unpredictable branch per key; here the answers come as bits,
// and the next one is found by counting zeros.
#pragma once

#include <bloomery/detail/filter/bulk.hpp>
#include <bloomery/detail/own_copy.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <vector> // std::min and the like, without the rest of <algorithm>

namespace bloomery::inline v0::detail {

/// How many answers are kept at a time.
inline constexpr std::size_t survivor_chunk = 4096;

enum class presence : bool { possible, absent };

/// Calls `visit(position, key)` for each key that may be in, or for each that definitely is not, in
/// order. O(n k), allocates nothing; throws what the range, the keys' own functions and `visit`
/// throw.
template <presence Wanted, class Calls, class Keys, class Visit>
BLOOMERY_OWN_COPY void visit_where(const Calls& bits, const Keys& keys, Visit visit) {
    constexpr std::uint64_t inverted = Wanted == presence::absent ? ~std::uint64_t{0} : 0;
    using difference = std::ranges::range_difference_t<const Keys>;
    std::array<std::uint64_t, survivor_chunk / 64> answers;
    const auto begin = std::ranges::begin(keys);
    const auto count = static_cast<std::size_t>(std::ranges::size(keys));
    for (std::size_t from = 0; from < count; from += survivor_chunk) {
        const std::size_t now = std::min(survivor_chunk, count - from);
        const auto first = begin + static_cast<difference>(from);
        bits.contains(std::ranges::subrange(first, first + static_cast<difference>(now)),
                      answers.data());
        for (std::size_t word = 0; word * 64 < now; ++word) {
            std::uint64_t left = answers[word] ^ inverted;
            if (now - word * 64 < 64) {
                left &= (std::uint64_t{1} << (now - word * 64)) - 1;
            }
            for (; left != 0; left &= left - 1) {
                const std::size_t at =
                    from + word * 64 + static_cast<std::size_t>(std::countr_zero(left));
                visit(at, begin[static_cast<difference>(at)]);
            }
        }
    }
}

} // namespace bloomery::inline v0::detail
