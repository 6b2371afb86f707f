#include "verbs/kind_plan.hpp"

#include <bloomery/detail/storage/bit_fields.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/family.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include "output/json_output.hpp"
#include "wording.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace bloomery::cli {

namespace {

using bloomery::name_of;

/// With what all kinds of counters have.
kind_plan of_counters(const plan::counter_plan& found) {
    return {.byte_count = found.byte_count,
            .expected_rate = found.expected_rate,
            .facts = {{"counters", std::to_string(found.positions.bit_count)},
                      {"counter bits", std::to_string(found.counter_bits)},
                      {"hashes", std::to_string(found.positions.hash_count)},
                      {"chance that a counter overflows", fmt::format("{:.2g}", found.overflow)}}};
}

kind_plan counting(const counting_options& of, items n, rate p) {
    return of_counters(of.layout == counter_layout::blocked
                           ? plan::counting_plan_in_lines(n, p, of.counter_bits)
                           : plan::counting_plan(n, p, of.counter_bits));
}

kind_plan spectral(const kind_choice& of, items n, rate p) {
    const plan::counter_plan found = plan::counting_plan(n, p, of.spectral.counter_bits);
    kind_plan made = of_counters(found);
    made.facts.pop_back(); // none does: large counts go into a map
    if (of.policy == spectral_policy::recurring_minimum) {
        const std::uint64_t second = (found.positions.bit_count + 1) / 2;
        const std::uint64_t in_a_word = 64 / found.counter_bits;
        made.byte_count += 8 * ((second + in_a_word - 1) / in_a_word); // and a mark for each first
        made.byte_count += found.positions.byte_count();
        made.facts.push_back({"second array", "half as many counters, and a bit for each"});
    }
    return made;
}

kind_plan dynamic_count(const dynamic_count_options& of, items n, rate p) {
    const plan::shape counters = plan::for_rate(n, p);
    const std::uint32_t fixed = dynamic_count_filter(items{1}, rate{0.5}, of).fixed_bits();
    return {.byte_count = 8 * storage::bit_fields<>::words_for(counters.bit_count, fixed),
            .expected_rate = plan::expected_rate(counters, n),
            .facts = {{"counters", std::to_string(counters.bit_count)},
                      {"hashes", std::to_string(counters.hash_count)},
                      {"fixed bits", std::to_string(fixed)},
                      {"each bit of overflow", format_bytes(counters.byte_count())}}};
}

kind_plan dleft(const dleft_options& of, items n, rate p) {
    const plan::dleft_plan_t found = plan::dleft_plan(n, p);
    constexpr std::uint64_t tables = dleft_filter::tables;
    const std::uint32_t cell_bits = found.remainder_bits + of.counter_bits; // 8 cells in a bucket
    return {.byte_count = tables * found.buckets * cell_bits,
            .expected_rate = found.expected_rate,
            .facts = {{"tables", std::to_string(tables)},
                      {"buckets per table", std::to_string(found.buckets)},
                      {"remainder bits", std::to_string(found.remainder_bits)}}};
}

kind_plan accurate(const accurate_options& of, items n, rate p) {
    const plan::accurate_plan_t found = plan::accurate_plan(p, of.block_bits, of.chosen_freeze());
    return {.byte_count = plan::accurate_blocks(n, found) * (found.block_bits / 8),
            .expected_rate = found.expected_rate,
            .facts = {{"block bits", std::to_string(found.block_bits)},
                      {"first-level bits", std::to_string(found.first_level_bits)},
                      {"hashes", std::to_string(found.hash_count)},
                      {"chance that a block freezes", fmt::format("{:.2g}", found.freeze)}}};
}

/// What a scalable filter is when ten times the keys of its first layer are in.
std::string tenfold(const scalable_options& of, items first, rate p) {
    const items n{first.value * 10};
    plan::scalable_plan_t ten{};
    try {
        ten = plan::scalable_plan(n, p, first, of.growth, of.tightening);
    } catch (const bad_argument&) {
        return "it cannot grow that far";
    }
    if (ten.layers.size() > of.most_layers || ten.byte_count > of.most_bytes) {
        return "its limits forbid growing that far";
    }
    return fmt::format("{}, {}, {:.1f} bits per key, a rate of {}",
                       counted(ten.layers.size(), "layer"), format_bytes(ten.byte_count),
                       8 * static_cast<double>(ten.byte_count) / static_cast<double>(n.value),
                       format_rate(ten.expected_rate));
}

kind_plan scalable(const scalable_options& of, items n, rate p) {
    const items first{std::max(n.value, of.least_items)};
    const auto one = plan::scalable_plan(first, p, first, of.growth, of.tightening);
    return {.byte_count = one.byte_count,
            .expected_rate = one.expected_rate,
            .facts = {{"at ten times the keys", tenfold(of, first, p)}}};
}

kind_plan window(const window_options& of, items n, rate p) {
    const plan::window_plan_t found = plan::window_plan(n, p, of.generations);
    return {.byte_count = found.byte_count,
            .expected_rate = found.expected_rate,
            .facts = {{"generations", std::to_string(found.generations)},
                      {"keys per generation", std::to_string(found.items_per_generation)},
                      {"hashes", std::to_string(found.positions.hash_count)}}};
}

kind_plan sized(const kind_choice& kind, items n, rate p) {
    switch (kind.kind) {
    case filter_kind::counting:
        return counting(kind.counting, n, p);
    case filter_kind::spectral:
        return spectral(kind, n, p);
    case filter_kind::dynamic_count:
        return dynamic_count(kind.dynamic_count, n, p);
    case filter_kind::dleft:
        return dleft(kind.dleft, n, p);
    case filter_kind::accurate:
        return accurate(kind.accurate, n, p);
    case filter_kind::scalable:
        return scalable(kind.scalable, n, p);
    default:
        return window(kind.window, n, p);
    }
}

} // namespace

kind_plan plan_of(const kind_choice& kind, items n, rate p) {
    static_cast<void>(make_of_kind(kind, items{1}, rate{0.5})); // refuses what no filter can have
    kind_plan made = sized(kind, n, p);
    made.kind = kind.kind;
    made.n = n;
    made.p = p;
    made.bits_per_item = 8 * static_cast<double>(made.byte_count) / static_cast<double>(n.value);
    return made;
}

chart kind_chart(const kind_plan& made, const any_filter& filter) {
    rate_curve curve;
    curve.subtitle = fmt::format("{}, {}", name_of(made.kind), format_bytes(made.byte_count));
    curve.rate_at = [&filter](std::uint64_t keys) { return filter.rate_at(items{keys}); };
    curve.made_for = chart_point{static_cast<double>(made.n.value), curve.rate_at(made.n.value)};
    return chart_of(curve);
}

void print_text(const kind_plan& made) {
    fmt::print("{} at a rate of {} ({})\n\n", counted(made.n.value, "key"),
               format_rate(made.p.value), format_one_in(made.p.value));
    fmt::print("kind      {}\n", name_of(made.kind));
    fmt::print("memory    {}, {:.2f} bits per key\n", format_bytes(made.byte_count),
               made.bits_per_item);
    fmt::print("rate      {}\n", format_rate(made.expected_rate));
    for (const fact& each : made.facts) {
        fmt::print("detail    {}: {}\n", each.name, fact_text(each));
    }
}

void print_json(const kind_plan& made) {
    const nlohmann::ordered_json out{{"n", made.n.value},
                                     {"p", made.p.value},
                                     {"kind", name_of(made.kind)},
                                     {"bytes", made.byte_count},
                                     {"bits_per_key", made.bits_per_item},
                                     {"expected_rate", made.expected_rate},
                                     {"facts", facts_json(made.facts)}};
    fmt::print("{}\n", out.dump(2));
}

} // namespace bloomery::cli
