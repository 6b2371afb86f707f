#include <bloomery/detail/filter/any_kinds.hpp>
#include <bloomery/detail/filter/kind_choice.hpp>
#include <bloomery/detail/text/units.hpp>
#include <bloomery/detail/text/words.hpp>
#include <bloomery/error.hpp>

#include <array>
#include <utility>

namespace bloomery::inline v0 {

namespace {

counter_layout parse_counter_layout(std::string_view said) {
    if (said == "flat") return counter_layout::flat;
    if (said == "blocked") return counter_layout::blocked;
    throw bad_argument("the parameter layout takes flat or blocked, not " + text::in_quotes(said));
}

spectral_policy parse_policy(std::string_view said) {
    constexpr std::array<std::pair<std::string_view, spectral_policy>, 3> policies{
        {{"minimum-selection", spectral_policy::minimum_selection},
         {"minimal-increase", spectral_policy::minimal_increase},
         {"recurring-minimum", spectral_policy::recurring_minimum}}};
    std::vector<std::string> names;
    for (const auto& [name, policy] : policies) {
        if (name == said) return policy;
        names.emplace_back(name);
    }
    text::refuse_unknown("policy", said, names);
}

std::uint32_t small(std::string_view value, std::string_view parameter) {
    return static_cast<std::uint32_t>(text::whole_number(value, parameter));
}

struct kind_parameter {
    filter_kind kind;
    std::string_view name;
    void (*set)(kind_choice& to, std::string_view value);
};

constexpr std::array<kind_parameter, 20> kind_parameter_names{{
    {filter_kind::counting, "bits",
     [](kind_choice& to, std::string_view v) { to.counting.counter_bits = small(v, "bits"); }},
    {filter_kind::counting, "layout",
     [](kind_choice& to, std::string_view v) { to.counting.layout = parse_counter_layout(v); }},
    {filter_kind::spectral, "policy",
     [](kind_choice& to, std::string_view v) { to.policy = parse_policy(v); }},
    {filter_kind::spectral, "bits",
     [](kind_choice& to, std::string_view v) { to.spectral.counter_bits = small(v, "bits"); }},
    {filter_kind::dynamic_count, "mean-count",
     [](kind_choice& to, std::string_view v) {
         to.dynamic_count.mean_count = text::positive_number(v, "mean-count");
     }},
    {filter_kind::dynamic_count, "fixed-bits",
     [](kind_choice& to, std::string_view v) {
         to.dynamic_count.fixed_bits = small(v, "fixed-bits");
     }},
    {filter_kind::dynamic_count, "shrink-percent",
     [](kind_choice& to, std::string_view v) {
         to.dynamic_count.shrink_percent = small(v, "shrink-percent");
     }},
    {filter_kind::dleft, "bits",
     [](kind_choice& to, std::string_view v) { to.dleft.counter_bits = small(v, "bits"); }},
    {filter_kind::dleft, "stash",
     [](kind_choice& to, std::string_view v) { to.dleft.stash_entries = small(v, "stash"); }},
    {filter_kind::accurate, "block-bits",
     [](kind_choice& to, std::string_view v) { to.accurate.block_bits = small(v, "block-bits"); }},
    {filter_kind::accurate, "freeze",
     [](kind_choice& to, std::string_view v) {
         to.accurate.freeze = text::positive_number(v, "freeze");
     }},
    {filter_kind::scalable, "growth",
     [](kind_choice& to, std::string_view v) { to.scalable.growth = small(v, "growth"); }},
    {filter_kind::scalable, "tightening",
     [](kind_choice& to, std::string_view v) {
         to.scalable.tightening = text::positive_number(v, "tightening");
     }},
    {filter_kind::scalable, "most-layers",
     [](kind_choice& to, std::string_view v) {
         to.scalable.most_layers = small(v, "most-layers");
     }},
    {filter_kind::scalable, "most-bytes",
     [](kind_choice& to, std::string_view v) { to.scalable.most_bytes = text::parse_bytes(v); }},
    {filter_kind::scalable, "fast",
     [](kind_choice& to, std::string_view v) {
         to.scalable.fast_layers = text::yes_or_no(v, "fast");
     }},
    {filter_kind::window, "span",
     [](kind_choice& to, std::string_view v) { to.window.span = text::parse_duration(v); }},
    {filter_kind::window, "generations",
     [](kind_choice& to, std::string_view v) { to.window.generations = small(v, "generations"); }},
    {filter_kind::window, "refresh",
     [](kind_choice& to, std::string_view v) {
         to.window.refresh = text::yes_or_no(v, "refresh");
     }},
    {filter_kind::window, "overfill",
     [](kind_choice& to, std::string_view v) {
         to.window.policy =
             text::yes_or_no(v, "overfill") ? when_crowded::overfill : when_crowded::shorten;
     }},
}};

filter_kind kind_named(std::string_view name) {
    for (const filter_kind kind : makeable_kinds) {
        if (name_of(kind) == name) return kind;
    }
    text::refuse_unknown("kind", name, kind_names());
}

void set_kind_parameter(kind_choice& to, const text::parameter& said) {
    std::vector<std::string> known;
    for (const kind_parameter& one : kind_parameter_names) {
        if (one.kind != to.kind) continue;
        if (one.name == said.name && said.value) return one.set(to, *said.value);
        known.emplace_back(one.name);
    }
    text::refuse_parameter("the kind " + std::string(name_of(to.kind)), said, known);
}

any_filter make_spectral(const kind_choice& kind, items n, rate p, const native_hash& hash) {
    switch (kind.policy) {
    case spectral_policy::minimal_increase:
        return minimal_increase_filter(n, p, kind.spectral, hash);
    case spectral_policy::recurring_minimum:
        return recurring_minimum_filter(n, p, kind.spectral, hash);
    case spectral_policy::minimum_selection:
        break;
    }
    return spectral_filter(n, p, kind.spectral, hash);
}

} // namespace

std::vector<std::string> kind_names() {
    std::vector<std::string> names;
    names.reserve(makeable_kinds.size());
    for (const filter_kind kind : makeable_kinds) names.emplace_back(name_of(kind));
    return names;
}

kind_choice parse_kind(std::string_view said) {
    kind_choice choice;
    choice.kind = kind_named(text::next_part(said));
    while (!said.empty()) set_kind_parameter(choice, text::parameter(text::next_part(said)));
    return choice;
}

any_filter make_of_kind(const kind_choice& kind, items n, rate p, const native_hash& hash) {
    switch (kind.kind) {
    case filter_kind::counting:
        return counting_filter(n, p, kind.counting, hash);
    case filter_kind::spectral:
        return make_spectral(kind, n, p, hash);
    case filter_kind::dynamic_count:
        return dynamic_count_filter(n, p, kind.dynamic_count, hash);
    case filter_kind::dleft:
        return dleft_filter(n, p, kind.dleft, hash);
    case filter_kind::accurate:
        return accurate_filter(n, p, kind.accurate, hash);
    case filter_kind::scalable:
        return scalable_filter(n, p, kind.scalable, hash);
    case filter_kind::window:
        return window_filter(n, p, kind.window, hash);
    default:
        throw bad_argument("a filter of the kind " + std::string(name_of(kind.kind)) +
                           " is not made from a number of keys and a rate");
    }
}

} // namespace bloomery::inline v0
