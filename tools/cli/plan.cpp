// bloomery plan: the size of a filter from any sufficient part of n, p, m, k and memory.
#include <bloomery/error.hpp>

#include "command.hpp"
#include "kind_choice.hpp"
#include "kind_plan.hpp"
#include "picture.hpp"
#include "plan_report.hpp"
#include "shape_options.hpp"
#include "units.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

namespace bloomery::cli {

namespace {

struct plan_options {
    shape_options shape;
    kind_choice kind;
    picture_options picture;
    std::string compat;
    bool steps = false;
    bool redis = false;
    bytes largest_bitmap{8U << 20U};
    bool json = false;
};

plan_report report_of(const plan_options& o) {
    plan_report report;
    if (!o.compat.empty()) {
        if (!o.shape.n || !o.shape.p || o.shape.m || o.shape.k || o.shape.memory) {
            throw bad_argument("--compat needs -n and -p, and takes no other size");
        }
        report.compat = o.compat;
        report.answer = compat_answer(o.compat, *o.shape.n, *o.shape.p);
    } else if (o.steps) {
        if (!o.shape.n || !o.shape.p || !o.shape.memory) {
            throw bad_argument("--steps needs -n, -p and the memory to start from (--bytes)");
        }
        report.steps = plan::iterate(*o.shape.n, *o.shape.p, *o.shape.memory);
        report.answer = plan::solve({o.shape.n, o.shape.p, bits{report.steps->result.bit_count},
                                     hashes{report.steps->result.hash_count}, std::nullopt,
                                     layout_kind::classic});
    } else {
        report.answer = plan::solve(question_of(o.shape));
        report.others = other_layouts(report.answer);
    }
    if (o.shape.layout.value_or(report.answer.filter.layout) != report.answer.filter.layout) {
        throw bad_argument("--compat and --steps choose the layout themselves; leave --layout out");
    }
    report.overfill = plan::overfill(report.answer.filter, report.answer.n);
    if (o.redis) {
        report.redis = plan::redis_cost_of(report.answer.n, report.answer.p, o.largest_bitmap);
    }
    return report;
}

int run_kind(const plan_options& o) {
    const shape_options& s = o.shape;
    if (!s.n || s.m || s.k || s.memory || s.layout || !o.compat.empty() || o.steps || o.redis) {
        throw bad_argument("--kind needs -n, and takes no other size than -n and -p");
    }
    const kind_plan made = plan_of(o.kind, *s.n, s.p.value_or(usual_rate));
    std::optional<chart> picture;
    if (o.picture.wanted()) {
        picture = kind_chart(made, new_filter(o.kind, s, std::nullopt));
        write_svg(*picture, o.picture);
    }
    o.json ? print_json(made) : print_text(made);
    if (picture) print_plot(*picture, o.picture);
    return some;
}

int run_plan(const plan_options& o) {
    require_place(o.picture, o.json);
    if (!o.kind.is_bloom()) return run_kind(o);
    const plan_report report = report_of(o);
    std::optional<chart> picture;
    if (o.picture.wanted()) {
        picture = plan_chart(report);
        write_svg(*picture, o.picture);
    }
    o.json ? print_json(report) : print_text(report);
    if (picture) print_plot(*picture, o.picture);
    return some;
}

} // namespace

void add_plan(CLI::App& app, int& result) {
    auto o = std::make_shared<plan_options>();
    CLI::App* verb = app.add_subcommand("plan", "Compute the size of a filter, exactly");
    add_goal_options(*verb, o->shape);
    add_array_options(*verb, o->shape);
    add_layout_option(*verb, o->shape.layout);
    add_kind_option(*verb, o->kind);
    verb->add_option("--compat", o->compat,
                     "Use the formula of another library instead of the exact one")
        ->type_name(fmt::format("{}", fmt::join(compat_names(), "|")));
    verb->add_flag("--steps", o->steps,
                   "Start with --bytes and enlarge until the rate holds, showing each step");
    verb->add_flag("--redis", o->redis, "Add the cost in Redis: shards, keys, bytes");
    verb->add_option_function<std::string>(
            "--largest-bitmap",
            [o](const std::string& s) { o->largest_bitmap = bytes{parse_bytes(s)}; },
            "With --redis: the largest bitmap of a shard (default: 8MiB)")
        ->type_name("SIZE");
    verb->add_flag("--json", o->json, "Print an object instead of text");
    add_picture_options(*verb, o->picture);
    verb->footer(
        "Say any two of: the keys (-n), the rate (-p), the array (-m or --bytes); -k may be "
        "added.\n"
        "Of -n alone the rate is 1 %. The answer is what create makes of the same options.\n"
        "Example: bloomery plan -n 1M -p 1%\n"
        "         bloomery plan -n 1M -p 1% --plot --svg rate.svg");
    verb->callback([o, &result] { result = run_plan(*o); });
}

} // namespace bloomery::cli
