// The statistics of several filters that are queried one after another.
#pragma once

#include <bloomery/detail/layout/ones.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/shape.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace bloomery::inline v0 {

/// The rate at which any of them says "maybe" to an absent key.
class joint_rate {
public:
    void add(double rate) noexcept { none_ += std::log1p(-rate); }
    [[nodiscard]] double value() const noexcept { return -std::expm1(none_); }

private:
    double none_ = 0; // the logarithm of the probability that none says "maybe"
};

/// Sums over filters that hold different keys.
class joint_statistics {
public:
    void add(const statistics& one) noexcept {
        all_.bit_count += one.bit_count;
        all_.bits_set += one.bits_set;
        all_.items.items += one.items.items;
        all_.items.saturated = all_.items.saturated || one.items.saturated;
        variance_ += one.items.standard_error * one.items.standard_error;
        rate_.add(one.expected_rate);
    }
    [[nodiscard]] statistics value() const noexcept {
        statistics all = all_;
        all.items.standard_error = std::sqrt(variance_);
        all.fill_ratio = all.bit_count == 0 ? 0
                                            : static_cast<double>(all.bits_set) /
                                                  static_cast<double>(all.bit_count);
        all.expected_rate = rate_.value();
        return all;
    }

private:
    statistics all_;
    joint_rate rate_;
    double variance_ = 0;
};

/// Of layers that have a shape and words. O(w).
template <class Layers>
[[nodiscard]] statistics statistics_of_layers(const Layers& layers) {
    joint_statistics all;
    for (const auto& layer : layers) {
        all.add(statistics_of(layer.shape(), count_ones(layer.words())));
    }
    return all.value();
}

/// A layer that there is, or that will be.
struct planned_layer {
    plan::shape shape;
    std::uint64_t capacity;
};

/// The expected rate of layers that n distinct keys fill one after another. `layer_at(i)` is called
/// for each in turn, and returns nothing if there is no room for more keys.
template <class LayerAt>
[[nodiscard]] double rate_of_layers(items n, LayerAt layer_at) {
    joint_rate all;
    std::uint64_t left = n.value;
    for (std::size_t at = 0; left != 0; ++at) {
        const std::optional<planned_layer> layer = layer_at(at);
        if (!layer) {
            break;
        }
        const std::uint64_t taken = layer->capacity < left ? layer->capacity : left;
        all.add(plan::expected_rate(layer->shape, items{taken}));
        left -= taken;
    }
    return all.value();
}

} // namespace bloomery::inline v0
