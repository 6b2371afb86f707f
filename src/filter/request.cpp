#include <bloomery/detail/filter/request.hpp>
#include <bloomery/detail/plan/text.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/plan/sizing.hpp>

namespace bloomery::inline v0 {

namespace {

/// The layout of a filter that is requested without one.
layout_kind layout_for(const plan::question& asked) {
    if (asked.m || asked.k) return layout_kind::classic; // it allows any number of both
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

bloom_size bloom_size_of(const filter_request& said) {
    if (!said.n && !said.p && !said.memory && said.m && said.k && !said.foldable) {
        return {{said.layout.value_or(layout_kind::classic), said.m->value, said.k->value}, {}};
    }
    if (said.foldable && (said.m || said.memory)) {
        throw bad_argument(
            "a filter that is going to be folded is made from a number of keys and a "
            "rate; it takes no bits or bytes");
    }
    const plan::answer answer = plan::solve(question_of(said));
    if (!answer.meets_rate) {
        throw bad_argument(plan::counted(answer.filter.bit_count, "bit") + " hold " +
                           plan::counted(answer.n.value, "key") + " only at a rate of " +
                           plan::percent(answer.expected_rate) + ", not " +
                           plan::percent(answer.p.value) +
                           "; give more bits or allow a higher rate");
    }
    if (!(answer.expected_rate < 1)) {
        throw bad_argument(plan::memory(static_cast<double>(answer.memory.value)) +
                           " cannot hold " + plan::counted(answer.n.value, "key") +
                           ": every answer would be maybe; give more memory");
    }
    return {said.foldable ? plan::foldable(answer.filter) : answer.filter,
            design{answer.n.value, answer.p.value}};
}

plan::question question_of(const filter_request& said) {
    plan::question asked{said.n, said.p, said.m, said.k, said.memory, layout_kind::classic};
    if (asked.n && !asked.p && !asked.m && !asked.memory) asked.p = usual_rate;
    asked.layout = said.layout ? *said.layout : layout_for(asked);
    return asked;
}

any_filter make_filter(const filter_request& said) {
    if (said.kind.is_bloom()) {
        const bloom_size size = bloom_size_of(said);
        return make_filter(size.shape, said.hash, size.made_for);
    }
    if (said.foldable) {
        throw bad_argument("only a Bloom filter can be folded, not one of the kind " +
                           std::string(name_of(said.kind.kind)));
    }
    if (!said.n || said.m || said.k || said.memory || said.layout) {
        throw bad_argument("a filter of the kind " + std::string(name_of(said.kind.kind)) +
                           " is made from a number of keys and a rate; it takes no bits, hashes, "
                           "bytes or layout");
    }
    return make_of_kind(said.kind, *said.n, said.p.value_or(usual_rate), said.hash);
}

} // namespace bloomery::inline v0
