// The rate of one layout as a function of size, k and n; caches the curve for each k, so that a
// search computes each only once.
#pragma once

#include <bloomery/plan/shape.hpp>

#include "block_curve.hpp"

#include <cstdint>
#include <map>

namespace bloomery::inline v0::plan {

class rate_model {
public:
    explicit rate_model(layout_kind layout) : facts_(facts_of(layout)) {}

    /// `units` are bits for the classic layout and blocks for the others; n is a whole number.
    [[nodiscard]] double operator()(std::uint64_t units, std::uint32_t k, double n);
    /// Poisson load, infinitely many blocks.
    [[nodiscard]] double limit(std::uint32_t k, double bits_per_item);
    [[nodiscard]] const layout_facts& facts() const { return facts_; }

private:
    independent_curve& curve(std::uint32_t k);

    const layout_facts& facts_;
    std::map<std::uint32_t, independent_curve> curves_;
};

} // namespace bloomery::inline v0::plan
