// bloomery plan: the size of a filter from any sufficient part of n, p, m, k and memory.
#include <bloomery/error.hpp>

#include "command.hpp"
#include "options/number_options.hpp"
#include "options/shape_options.hpp"
#include "verbs/kind_plan.hpp"
#include "verbs/picture.hpp"
#include "verbs/plan_report.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

namespace bloomery::cli {

namespace {

struct plan_options {
    shape_options shape;
    picture_options picture;
    std::string compat;
    bool steps = false;
    bool redis = false;
    bytes largest_bitmap{8U << 20U};
    bool json = false;
};

plan_report report_of(const plan_options& o) {
    check_hash_count(o.shape);
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
    const kind_plan made = plan_of(s.kind, *s.n, s.p.value_or(usual_rate));
    print_with_picture(
        o.picture, [&] { o.json ? print_json(made) : print_text(made); },
        [&] { return kind_chart(made, new_filter(s, std::nullopt)); });
    return some;
}

int run_plan(const plan_options& o) {
    require_place(o.picture, o.json);
    if (!o.shape.kind.is_bloom()) return run_kind(o);
    const plan_report report = report_of(o);
    print_with_picture(
        o.picture, [&] { o.json ? print_json(report) : print_text(report); },
        [&] { return plan_chart(report); });
    return some;
}

} // namespace

void add_plan(CLI::App& app, int& result) {
    auto o = std::make_shared<plan_options>();
    CLI::App* verb = app.add_subcommand("plan", "Compute the exact size of a filter");
    add_goal_options(*verb, o->shape);
    add_array_options(*verb, o->shape);
    add_layout_option(*verb, o->shape);
    add_kind_option(*verb, o->shape);
    verb->add_option("--compat", o->compat,
                     "Use the formula of another library instead of the exact one")
        ->type_name(fmt::format("{}", fmt::join(compat_names(), "|")));
    verb->add_flag("--steps", o->steps,
                   "Start with --bytes and grow until the rate is met, showing each step");
    verb->add_flag("--redis", o->redis, "Also show the cost in Redis: shards, keys, bytes");
    add_number(*verb, "--largest-bitmap", o->largest_bitmap, "SIZE",
               "With --redis: maximum size of a shard (default: 8MiB)");
    verb->add_flag("--json", o->json, "Print JSON instead of text");
    add_picture_options(*verb, o->picture);
    verb->footer(
        "Give any two of: the number of keys (-n), the rate (-p), the size (-m or --bytes); -k "
        "is optional.\n"
        "With -n alone the rate is 1 %. The result is what create makes from the same options.\n"
        "Example: bloomery plan -n 1M -p 1%\n"
        "         bloomery plan -n 1M -p 1% --plot --svg rate.svg");
    verb->callback([o, &result] { result = run_plan(*o); });
}

} // namespace bloomery::cli
