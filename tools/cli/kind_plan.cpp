#include "kind_plan.hpp"

#include <bloomery/error.hpp>
#include <bloomery/plan/family.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>
#include <bloomery/storage/bit_fields.hpp>

#include "fact_json.hpp"
#include "units.hpp"

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
    kind_plan made;
    made.byte_count = found.byte_count;
    made.fpp = found.fpp;
    made.facts = {{"counters", std::to_string(found.positions.bit_count)},
                  {"counter bits", std::to_string(found.counter_bits)},
                  {"hashes", std::to_string(found.positions.hash_count)},
                  {"chance that a counter overflows", fmt::format("{:.2g}", found.overflow)}};
    return made;
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
        made.facts.push_back({"the second part", "half as many counters, and a bit for each one"});
    }
    return made;
}

kind_plan dynamic_count(const dynamic_count_options& of, items n, rate p) {
    const plan::shape counters = plan::for_rate(n, p);
    const std::uint32_t fixed = dynamic_count_filter(items{1}, rate{0.5}, of).fixed_bits();
    kind_plan made;
    made.byte_count = 8 * storage::bit_fields<>::words_for(counters.bit_count, fixed);
    made.fpp = plan::fpp(counters, n);
    made.facts = {{"counters", std::to_string(counters.bit_count)},
                  {"hashes", std::to_string(counters.hash_count)},
                  {"fixed bits", std::to_string(fixed)},
                  {"each bit of overflow", format_bytes(counters.byte_count())}};
    return made;
}

kind_plan dleft(const dleft_options& of, items n, rate p) {
    const plan::dleft_plan_t found = plan::dleft_plan(n, p);
    kind_plan made;
    constexpr std::uint64_t tables = dleft_filter::tables;
    made.byte_count =
        tables * found.buckets * (found.remainder_bits + of.counter_bits); // of 8 cells
    made.fpp = found.fpp;
    made.facts = {{"tables", std::to_string(tables)},
                  {"buckets per table", std::to_string(found.buckets)},
                  {"remainder bits", std::to_string(found.remainder_bits)}};
    return made;
}

kind_plan accurate(const accurate_options& of, items n, rate p) {
    const plan::accurate_plan_t found = plan::accurate_plan(p, of.block_bits, of.chosen_freeze());
    kind_plan made;
    made.byte_count = plan::accurate_blocks(n, found) * (found.block_bits / 8);
    made.fpp = found.fpp;
    made.facts = {{"block bits", std::to_string(found.block_bits)},
                  {"first-level bits", std::to_string(found.first_level_bits)},
                  {"hashes", std::to_string(found.hash_count)},
                  {"chance that a block freezes", fmt::format("{:.2g}", found.freeze)}};
    return made;
}

/// What a scalable filter is when ten times the keys of its first layer are in.
std::string tenfold(const scalable_options& of, items first, rate p) {
    const items n{first.value * 10};
    plan::scalable_plan_t ten{};
    try {
        ten = plan::scalable_plan(n, p, first, of.growth, of.tightening);
    } catch (const bad_argument&) {
        return "it does not grow so far";
    }
    if (ten.layers.size() > of.most_layers || ten.byte_count > of.most_bytes) {
        return "it may not grow so far";
    }
    return fmt::format("{}, {}, {:.1f} bits per key, a rate of {}",
                       counted(ten.layers.size(), "layer"), format_bytes(ten.byte_count),
                       8 * static_cast<double>(ten.byte_count) / static_cast<double>(n.value),
                       format_rate(ten.fpp));
}

kind_plan scalable(const scalable_options& of, items n, rate p) {
    const items first{std::max(n.value, of.least_items)};
    const auto one = plan::scalable_plan(first, p, first, of.growth, of.tightening);
    kind_plan made;
    made.byte_count = one.byte_count;
    made.fpp = one.fpp;
    made.facts = {{"at ten times the keys", tenfold(of, first, p)}};
    return made;
}

kind_plan window(const window_options& of, items n, rate p) {
    const plan::window_plan_t found = plan::window_plan(n, p, of.generations);
    kind_plan made;
    made.byte_count = found.byte_count;
    made.fpp = found.fpp;
    made.facts = {{"generations", std::to_string(found.generations)},
                  {"keys per generation", std::to_string(found.items_per_generation)},
                  {"hashes", std::to_string(found.positions.hash_count)}};
    return made;
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
    require_makeable(kind);
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
    curve.rate_at = [&filter](std::uint64_t keys) { return filter.fpp_at(items{keys}); };
    curve.made_for = chart_point{static_cast<double>(made.n.value), curve.rate_at(made.n.value)};
    return chart_of(curve);
}

void print_text(const kind_plan& made) {
    fmt::print("{} at a rate of {} ({})\n\n", counted(made.n.value, "key"),
               format_rate(made.p.value), format_one_in(made.p.value));
    fmt::print("kind      {}\n", name_of(made.kind));
    fmt::print("memory    {}, {:.2f} bits per key\n", format_bytes(made.byte_count),
               made.bits_per_item);
    fmt::print("rate      {}\n", format_rate(made.fpp));
    for (const fact& each : made.facts) {
        fmt::print("of it     {}: {}\n", each.name, fact_text(each));
    }
}

void print_json(const kind_plan& made) {
    const nlohmann::ordered_json out{{"n", made.n.value},
                                     {"p", made.p.value},
                                     {"kind", name_of(made.kind)},
                                     {"bytes", made.byte_count},
                                     {"bits_per_key", made.bits_per_item},
                                     {"fpp", made.fpp},
                                     {"facts", facts_json(made.facts)}};
    fmt::print("{}\n", out.dump(2));
}

} // namespace bloomery::cli
