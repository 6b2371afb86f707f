#include "shape_options.hpp"

#include <bloomery/error.hpp>
#include <bloomery/filter/make.hpp>
#include <bloomery/plan/choose.hpp>
#include <bloomery/plan/solve.hpp>

#include "command.hpp"
#include "nearest.hpp"
#include "units.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace bloomery::cli {

namespace {

/// The layout of a filter that is asked for without one.
layout_kind layout_for(const plan::question& asked) {
    if (asked.m || asked.k) return layout_kind::classic; // it has every number of both
    const rate p = asked.p.value_or(usual_rate);
    if (!asked.memory) return plan::choose(asked.n.value_or(items{1}), p).layout;
    if (asked.n) return plan::choose(*asked.memory, *asked.n).layout;
    plan::question least = asked;
    least.layout = layout_kind::classic;
    const layout_kind found = plan::choose(plan::solve(least).n, p).layout;
    constexpr std::uint64_t line = 64;
    return asked.memory->value < line ? layout_kind::classic : found;
}

} // namespace

void add_goal_options(CLI::App& verb, shape_options& to) {
    verb.add_option_function<std::string>(
            "-n,--items", [&to](const std::string& s) { to.n = items{parse_count(s)}; },
            "How many distinct keys: 1000000, 10M, 1e9")
        ->type_name("N");
    verb.add_option_function<std::string>(
            "-p,--rate", [&to](const std::string& s) { to.p = rate{parse_rate(s)}; },
            "The rate of false positives: 1%, 0.001, 1e-6, 1in1000")
        ->type_name("P");
}

void add_array_options(CLI::App& verb, shape_options& to) {
    verb.add_option_function<std::string>(
            "-b,--bytes", [&to](const std::string& s) { to.memory = bytes{parse_bytes(s)}; },
            "The memory to use: 64MiB, 10MB")
        ->type_name("SIZE");
    verb.add_option_function<std::string>(
            "-m,--bits", [&to](const std::string& s) { to.m = bits{parse_count(s)}; },
            "The number of bits")
        ->type_name("M");
    verb.add_option_function<std::string>(
            "-k,--hashes",
            [&to](const std::string& s) {
                const std::uint64_t count = parse_count(s);
                if (count == 0 || count > plan::max_hash_count) {
                    throw bad_argument(fmt::format("-k takes 1 to {} hashes per key, not {}",
                                                   plan::max_hash_count, count));
                }
                to.k = hashes{static_cast<std::uint32_t>(count)};
            },
            "The number of hashes for each key; left out, the best one")
        ->type_name("K");
}

void add_layout_option(CLI::App& verb, std::optional<layout_kind>& to) {
    std::vector<std::string> known;
    known.reserve(plan::all_layouts.size());
    for (const plan::layout_facts& facts : plan::all_layouts) known.emplace_back(facts.name);
    verb.add_option_function<std::string>(
            "--layout",
            [&to, known](const std::string& name) {
                to = plan::layout_named(name);
                if (!to) refuse_unknown("layout", name, known);
            },
            "Where a key's bits are: anywhere (classic), or in one cache line (blocked, split)")
        ->type_name(fmt::format("{}", fmt::join(known, "|")));
}

void add_shape_options(CLI::App& verb, shape_options& to) {
    add_goal_options(verb, to);
    add_array_options(verb, to);
    add_layout_option(verb, to.layout);
    verb.add_option_function<std::string>(
            "--seed", [&to](const std::string& s) { to.seed = parse_count(s); },
            "Makes filters that err on other keys than those of another seed")
        ->type_name("NUMBER");
}

plan::question question_of(const shape_options& said) {
    plan::question asked{said.n, said.p, said.m, said.k, said.memory, layout_kind::classic};
    if (asked.n && !asked.p && !asked.m && !asked.memory) asked.p = usual_rate;
    asked.layout = said.layout ? *said.layout : layout_for(asked);
    return asked;
}

native_hash hash_of(const shape_options& said, const std::optional<hash::sip_key>& secret) {
    if (secret && said.seed != 0) {
        throw bad_argument("a keyed filter has a secret instead of a seed; leave --seed out");
    }
    return secret ? native_hash::keyed(*secret) : native_hash::seeded(said.seed);
}

any_filter new_filter(const shape_options& said, const std::optional<hash::sip_key>& secret) {
    const native_hash hash = hash_of(said, secret);
    if (!said.n && !said.p && said.m && said.k) {
        return make_filter(
            {said.layout.value_or(layout_kind::classic), said.m->value, said.k->value}, hash);
    }
    const plan::answer answer = plan::solve(question_of(said));
    if (!answer.meets_rate) {
        throw bad_argument(fmt::format(
            "{} hold {} only at a rate of {}, not {}; give more bits or allow a higher rate",
            counted(answer.filter.bit_count, "bit"), counted(answer.n.value, "key"),
            format_rate(answer.fpp), format_rate(answer.p.value)));
    }
    if (!(answer.fpp < 1)) {
        throw bad_argument(
            fmt::format("{} cannot hold {}: every answer would be maybe; give more memory",
                        format_bytes(answer.memory.value), counted(answer.n.value, "key")));
    }
    return make_filter(answer.filter, hash, design{answer.n.value, answer.p.value});
}

} // namespace bloomery::cli
