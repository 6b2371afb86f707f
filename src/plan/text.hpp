// Numbers as people read them, independent of the locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery::plan {

[[nodiscard]] std::string number(double value, int digits = 3); ///< three significant digits
[[nodiscard]] std::string grouped(std::uint64_t value);         ///< 1,000,000
/// 1 key, 1,000 hashes: the noun in the form that goes with the number.
[[nodiscard]] std::string counted(std::uint64_t value, std::string_view noun);
[[nodiscard]] std::string percent(double share);     ///< 1 %, 0.05 %, 1e-09
[[nodiscard]] std::string memory(double byte_count); ///< 1.2 MiB, 512 B

} // namespace bloomery::plan
