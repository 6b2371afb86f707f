// Numbers as people read them, independent of the locale.
#pragma once

#include <bloomery/detail/export.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery::inline v0::plan {

[[nodiscard]] BLOOMERY_EXPORT std::string number(double value,
                                                 int digits = 3); ///< three significant digits
[[nodiscard]] BLOOMERY_EXPORT std::string grouped(std::uint64_t value); ///< 1,000,000
/// The noun in the form that goes with the number: key, keys, hashes, queries.
[[nodiscard]] BLOOMERY_EXPORT std::string noun_for(std::uint64_t value, std::string_view noun);
/// 1 key, 1,000 hashes: both.
[[nodiscard]] BLOOMERY_EXPORT std::string counted(std::uint64_t value, std::string_view noun);
[[nodiscard]] BLOOMERY_EXPORT std::string percent(double share);     ///< 1 %, 0.05 %, 1e-09
[[nodiscard]] BLOOMERY_EXPORT std::string memory(double byte_count); ///< 1.2 MiB, 512 B

} // namespace bloomery::inline v0::plan
