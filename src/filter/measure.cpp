#include <bloomery/filter/measure.hpp>

#include <cmath>

namespace bloomery {

double measured_rate::standard_error() const noexcept {
    return queries == 0 ? 0 : std::sqrt(value() * (1 - value()) / static_cast<double>(queries));
}

} // namespace bloomery
