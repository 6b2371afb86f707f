#include "verbs/plan_report.hpp"

#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "output/text_table.hpp"
#include "wording.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace bloomery::cli {

namespace {

using json = nlohmann::ordered_json;
using side = text_table::side;

using compat_formula = plan::compat_shape (*)(items, rate);

constexpr std::array<std::pair<std::string_view, compat_formula>, 8> compat_formulas{{
    {"guava", plan::guava_shape},
    {"guava-33.4", plan::guava_33_4_shape},
    {"go", plan::go_shape},
    {"redisson", plan::redisson_shape},
    {"spark", plan::spark_shape},
    {"cassandra", plan::cassandra_shape},
    {"datasketches", plan::datasketches_shape},
    {"dcso", plan::dcso_shape},
}};

plan::shape compat_shape_of(const std::string& name, items n, rate p) {
    for (const auto& [known, formula] : compat_formulas) {
        if (name != known) continue;
        const plan::compat_shape found = formula(n, p);
        return {layout_kind::classic, found.bit_count, found.hash_count};
    }
    if (name == "parquet") return {layout_kind::split_8x32, plan::parquet_bytes(n, p).value * 8, 8};
    refuse_unknown("formula", name, compat_names());
}

json plan_json(const plan::answer& a) {
    return {{"layout", plan::name_of(a.filter.layout)},
            {"bits", a.filter.bit_count},
            {"hashes", a.filter.hash_count},
            {"bytes", a.memory.value},
            {"bits_per_key", a.bits_per_item},
            {"expected_rate", a.expected_rate},
            {"item_capacity", a.item_capacity},
            {"meets_rate", a.meets_rate}};
}

void add_row(text_table& to, const plan::answer& a, bool chosen) {
    to.add({fmt::format("{} {}", chosen ? '*' : ' ', plan::name_of(a.filter.layout)),
            grouped(a.filter.bit_count), std::to_string(a.filter.hash_count),
            format_bytes(a.memory.value), fmt::format("{:.3f}", a.bits_per_item),
            format_rate(a.expected_rate)});
}

void print_layouts(const plan_report& report) {
    text_table table({{"  layout", side::left, 13},
                      {"bits", side::right, 17},
                      {"k", side::right, 3},
                      {"memory", side::right, 10},
                      {"bits/key", side::right, 8},
                      {"exact rate"}});
    add_row(table, report.answer, true);
    for (const plan::answer& other : report.others) add_row(table, other, false);
    fmt::print("{}", table.text());
}

void print_steps(const plan::iteration& loop) {
    fmt::print("steps, starting from the given memory:\n");
    text_table table({{"bits", side::right, 18},
                      {"k", side::right, 3},
                      {"textbook", side::left, 10},
                      {"exact rate"}});
    for (const plan::iteration_step& step : loop.steps) {
        table.add({grouped(step.bit_count), std::to_string(step.hash_count),
                   format_rate(step.textbook_rate), format_rate(step.expected_rate)});
    }
    fmt::print("{}", table.text());
    fmt::print("the minimum for this rate is {} and {}: {:.1f} % fewer\n\n",
               counted(loop.minimum.bit_count, "bit"), counted(loop.minimum.hash_count, "hash"),
               100 * loop.excess_bits / (1 + loop.excess_bits));
}

} // namespace

std::vector<std::string> compat_names() {
    std::vector<std::string> names;
    names.reserve(compat_formulas.size() + 1);
    for (const auto& [name, formula] : compat_formulas) names.emplace_back(name);
    names.emplace_back("parquet");
    return names;
}

plan::answer compat_answer(const std::string& name, items n, rate p) {
    plan::answer a{};
    a.filter = compat_shape_of(name, n, p);
    a.n = n;
    a.p = p;
    a.expected_rate = plan::expected_rate(a.filter, n);
    a.bits_per_item = static_cast<double>(a.filter.bit_count) / static_cast<double>(n.value);
    a.memory = bytes{a.filter.byte_count()};
    a.meets_rate = a.expected_rate <= p.value;
    return a;
}

std::vector<plan::answer> other_layouts(const plan::answer& found) {
    std::vector<plan::answer> others;
    if (!(found.p.value < 1)) return others; // so small that there is no rate to compare at
    for (const plan::layout_facts& facts : plan::all_layouts) {
        if (facts.kind == found.filter.layout) continue;
        try {
            others.push_back(plan::solve(
                {found.n, found.p, std::nullopt, std::nullopt, std::nullopt, facts.kind}));
        } catch (const bad_argument&) {
            continue; // this layout does not reach the rate at any size
        }
    }
    return others;
}

chart plan_chart(const plan_report& report) {
    const plan::shape& shape = report.answer.filter;
    rate_curve curve;
    curve.subtitle = fmt::format("{}, {} bits ({}), {} per key", plan::name_of(shape.layout),
                                 grouped(shape.bit_count), format_bytes(shape.byte_count()),
                                 counted(shape.hash_count, "hash"));
    curve.rate_at = [&shape](std::uint64_t keys) {
        return plan::expected_rate(shape, items{keys});
    };
    curve.made_for =
        chart_point{static_cast<double>(report.answer.n.value), report.answer.expected_rate};
    return chart_of(curve);
}

void print_text(const plan_report& report) {
    const plan::answer& a = report.answer;
    fmt::print("{} at a rate of {} ({})\n\n", counted(a.n.value, "key"), format_rate(a.p.value),
               format_one_in(a.p.value));
    if (report.steps) print_steps(*report.steps);
    print_layouts(report);
    if (!report.others.empty()) {
        fmt::print("\n* what create makes from these options; --layout selects another\n");
    }
    if (!a.meets_rate) {
        fmt::print("\n{} misses the requested rate: it gives {}\n",
                   report.compat.empty() ? "this filter" : "the formula of " + report.compat,
                   format_rate(a.expected_rate));
    }
    fmt::print("\nif the {} filter is overfilled:\n", plan::name_of(a.filter.layout));
    for (const plan::overfilled& o : report.overfill) {
        fmt::print("  {:>4.1f} x  {:>17}  {}\n", o.factor,
                   grouped(static_cast<std::uint64_t>(o.items)), format_rate(o.expected_rate));
    }
    if (const auto& r = report.redis) {
        fmt::print("\nin Redis: {} of {}, {}, about {} in all\n", counted(r->shards, "bitmap"),
                   format_bytes(r->bitmap_bytes), counted(r->keys, "key"),
                   format_bytes(r->total_bytes));
    }
}

void print_json(const plan_report& report) {
    json out{{"n", report.answer.n.value}, {"p", report.answer.p.value}};
    if (!report.compat.empty()) out["compat"] = report.compat;
    out.update(plan_json(report.answer));
    if (!report.compat.empty()) out.erase("item_capacity");
    out["overfill"] = json::array();
    for (const plan::overfilled& o : report.overfill) {
        out["overfill"].push_back({{"factor", o.factor},
                                   {"items", static_cast<std::uint64_t>(o.items)},
                                   {"expected_rate", o.expected_rate}});
    }
    if (!report.others.empty()) {
        out["other_layouts"] = json::array();
        for (const plan::answer& other : report.others) {
            out["other_layouts"].push_back(plan_json(other));
        }
    }
    if (report.steps) {
        out["steps"] = json::array();
        for (const plan::iteration_step& step : report.steps->steps) {
            out["steps"].push_back({{"bits", step.bit_count},
                                    {"hashes", step.hash_count},
                                    {"textbook_rate", step.textbook_rate},
                                    {"expected_rate", step.expected_rate}});
        }
        out["minimum"] = {{"bits", report.steps->minimum.bit_count},
                          {"hashes", report.steps->minimum.hash_count}};
    }
    if (const auto& r = report.redis) {
        out["redis"] = {{"shards", r->shards},
                        {"items_per_shard", r->items_per_shard},
                        {"bits_per_shard", r->shard.bit_count},
                        {"hashes", r->shard.hash_count},
                        {"bitmap_bytes", r->bitmap_bytes},
                        {"keys", r->keys},
                        {"total_bytes", r->total_bytes}};
    }
    fmt::print("{}\n", out.dump(2));
}

} // namespace bloomery::cli
