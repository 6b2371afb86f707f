// Numbers as Java prints them.
#pragma once

#include <string>

namespace bloomery::format {

/// Double.toString since Java 19: the fewest digits that tell the number from its neighbours, but
/// two at least; 0.001, 1.0E-4, 1.0E7. O(1); throws std::bad_alloc.
[[nodiscard]] std::string java_double(double value);

} // namespace bloomery::format
