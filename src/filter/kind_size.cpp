#include <bloomery/detail/filter/kind_size.hpp>
#include <bloomery/detail/storage/bit_fields.hpp>
#include <bloomery/plan/family.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include <algorithm>

namespace bloomery::inline v0 {

namespace {

kind_size sized(const kind_choice& kind, items n, rate p) {
    switch (kind.kind) {
    case filter_kind::bloom: {
        const plan::shape found = plan::choose(n, p);
        return {found.byte_count(), 0, plan::expected_rate(found, n)};
    }
    case filter_kind::counting: {
        const std::uint32_t width = kind.counting.counter_bits;
        const plan::counter_plan found = kind.counting.layout == counter_layout::blocked
                                             ? plan::counting_plan_in_lines(n, p, width)
                                             : plan::counting_plan(n, p, width);
        return {found.byte_count, 0, found.expected_rate};
    }
    case filter_kind::spectral: {
        const plan::counter_plan found = plan::counting_plan(n, p, kind.spectral.counter_bits);
        std::uint64_t bytes = found.byte_count;
        if (kind.policy == spectral_policy::recurring_minimum) {
            // A second array of half as many counters, and a bit for each of the first.
            const std::uint64_t second = (found.positions.bit_count + 1) / 2;
            const std::uint64_t in_a_word = 64 / found.counter_bits;
            bytes += 8 * ((second + in_a_word - 1) / in_a_word) + found.positions.byte_count();
        }
        return {bytes, 0, found.expected_rate};
    }
    case filter_kind::dynamic_count: {
        const plan::shape counters = plan::for_rate(n, p);
        const std::uint32_t fixed =
            dynamic_count_filter(items{1}, rate{0.5}, kind.dynamic_count).fixed_bits();
        return {8 * storage::bit_fields<>::words_for(counters.bit_count, fixed), 0,
                plan::expected_rate(counters, n)};
    }
    case filter_kind::dleft: {
        const plan::dleft_plan_t found = plan::dleft_plan(n, p);
        const std::uint32_t cell_bits = found.remainder_bits + kind.dleft.counter_bits;
        return {dleft_filter::tables * found.buckets * cell_bits, // of 8 cells each
                0, found.expected_rate};
    }
    case filter_kind::accurate: {
        const accurate_options& of = kind.accurate;
        const auto found = plan::accurate_plan(p, of.block_bits, of.chosen_freeze());
        return {plan::accurate_blocks(n, found) * (found.block_bits / 8), 0, found.expected_rate};
    }
    case filter_kind::scalable: {
        const scalable_options& of = kind.scalable;
        const items first{std::max(n.value, of.least_items)};
        const auto found = plan::scalable_plan(first, p, first, of.growth, of.tightening);
        return {found.byte_count, 0, found.expected_rate};
    }
    default: {
        const plan::window_plan_t found = plan::window_plan(n, p, kind.window.generations);
        return {found.byte_count, 0, found.expected_rate};
    }
    }
}

} // namespace

kind_size size_of_kind(const kind_choice& kind, items n, rate p) {
    if (!kind.is_bloom()) { // which refuses what no filter can have
        static_cast<void>(make_of_kind(kind, items{1}, rate{0.5}));
    }
    kind_size found = sized(kind, n, p);
    found.bits_per_item = 8 * static_cast<double>(found.byte_count) / static_cast<double>(n.value);
    return found;
}

} // namespace bloomery::inline v0
