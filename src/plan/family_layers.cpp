// The kinds that are made of several filters: scalable and window.
#include <bloomery/error.hpp>
#include <bloomery/plan/family.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include "check.hpp"

#include <cmath>

namespace bloomery::inline v0::plan {
namespace {

constexpr std::uint32_t most_layers = 64;

void check_tightening(double tightening) {
    if (!(tightening > 0.0 && tightening < 1.0)) {
        throw bad_argument("the tightening ratio must be above 0 and below 1; 0.5 is usual");
    }
}

} // namespace

double scalable_rate(rate p, double tightening, std::uint32_t layers) {
    check_rate(p);
    check_tightening(tightening);
    double log_none = 0.0; // log P(no layer answers wrongly)
    double layer_rate = p.value * (1.0 - tightening);
    for (std::uint32_t i = 0; i < layers; ++i) {
        log_none += std::log1p(-layer_rate);
        layer_rate *= tightening;
    }
    return -std::expm1(log_none);
}

scalable_plan_t scalable_plan(items n, rate p, items first, std::uint32_t growth,
                              double tightening) {
    check_items(first);
    (void)probes_rate(n, p);
    check_tightening(tightening);
    if (growth < 2) {
        throw bad_argument("layers must grow at least twofold; otherwise there would be "
                           "thousands of them");
    }
    scalable_plan_t made{};
    double log_none = 0.0;
    double layer_rate = p.value * (1.0 - tightening);
    std::uint64_t layer_items = first.value;
    while (made.item_capacity < n.value) {
        if (made.layers.size() == most_layers || layer_rate < 0x1p-60 ||
            layer_items > max_bit_count / growth) {
            throw bad_argument(
                "a scalable filter that starts so small needs too many layers; start "
                "with a larger one");
        }
        made.layers.push_back(for_rate({layer_items}, {layer_rate}));
        made.byte_count += made.layers.back().byte_count();
        made.item_capacity += layer_items;
        log_none += std::log1p(-expected_rate(made.layers.back(), items{layer_items}));
        layer_items *= growth;
        layer_rate *= tightening;
    }
    made.bits_per_item =
        8.0 * static_cast<double>(made.byte_count) / static_cast<double>(made.item_capacity);
    made.expected_rate = -std::expm1(log_none);
    return made;
}

window_plan_t window_plan(items window, rate p, std::uint32_t generations) {
    (void)probes_rate(window, p);
    if (generations < 2 || generations > 64) {
        throw bad_argument("a window has between 2 and 64 generations; 8 is usual");
    }
    window_plan_t made{};
    made.generations = generations;
    // One generation is always being filled, so only G-1 of them cover the window.
    const std::uint64_t covering = generations - 1;
    made.items_per_generation = window.value / covering + (window.value % covering != 0 ? 1 : 0);
    const double each = -std::expm1(std::log1p(-p.value) / generations);
    made.positions = for_rate({made.items_per_generation}, {each});
    if (made.positions.bit_count > max_bit_count / generations) {
        throw bad_argument("such a long window needs more than 2^63 bits; shorten it");
    }
    made.byte_count = (made.positions.bit_count * generations + 63) / 64 * 8; // in whole words
    made.bits_per_item =
        8.0 * static_cast<double>(made.byte_count) / static_cast<double>(window.value);
    const double lane = expected_rate(made.positions, items{made.items_per_generation});
    made.expected_rate = -std::expm1(generations * std::log1p(-lane));
    return made;
}

} // namespace bloomery::inline v0::plan
