// From saved words back to a filter.
#pragma once

#include "payload.hpp"

#include <cstdint>
#include <span>

namespace bloomery::testing {

template <class Filter>
Filter restored_from(const Filter& like, std::span<const std::uint64_t> words) {
    return Filter::restored(like.spec(), like.made_for(), like.hash(), words);
}

} // namespace bloomery::testing
