#include "kind_choice.hpp"

#include <bloomery/error.hpp>

#include "command.hpp"
#include "nearest.hpp"
#include "parameters.hpp"
#include "quoted.hpp"
#include "units.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <utility>
#include <vector>

namespace bloomery::cli {

namespace {

using bloomery::name_of;

bool parse_switch(const std::string& text, const char* parameter) {
    if (text == "yes" || text == "no") return text == "yes";
    throw bad_argument(
        fmt::format("the parameter {} is yes or no, not {}", parameter, in_quotes(text)));
}

counter_layout parse_counter_layout(const std::string& text) {
    if (text == "flat") return counter_layout::flat;
    if (text == "blocked") return counter_layout::blocked;
    throw bad_argument(
        fmt::format("the parameter layout is flat or blocked, not {}", in_quotes(text)));
}

spectral_policy parse_policy(const std::string& text) {
    constexpr std::array<std::pair<std::string_view, spectral_policy>, 3> policies{
        {{"minimum-selection", spectral_policy::minimum_selection},
         {"minimal-increase", spectral_policy::minimal_increase},
         {"recurring-minimum", spectral_policy::recurring_minimum}}};
    std::vector<std::string> names;
    for (const auto& [name, policy] : policies) {
        if (name == text) return policy;
        names.emplace_back(name);
    }
    refuse_unknown("policy", text, names);
}

using text = const std::string&;

struct parameter {
    filter_kind kind;
    std::string_view name;
    void (*set)(kind_choice& to, text value);
};

constexpr std::array<parameter, 20> kind_parameter_names{{
    {filter_kind::counting, "bits",
     [](kind_choice& to, text v) {
         to.counting.counter_bits = small_number<std::uint32_t>(v, "bits");
     }},
    {filter_kind::counting, "layout",
     [](kind_choice& to, text v) { to.counting.layout = parse_counter_layout(v); }},
    {filter_kind::spectral, "policy", [](kind_choice& to, text v) { to.policy = parse_policy(v); }},
    {filter_kind::spectral, "bits",
     [](kind_choice& to, text v) {
         to.spectral.counter_bits = small_number<std::uint32_t>(v, "bits");
     }},
    {filter_kind::dynamic_count, "mean-count",
     [](kind_choice& to, text v) { to.dynamic_count.mean_count = positive(v, "mean-count"); }},
    {filter_kind::dynamic_count, "fixed-bits",
     [](kind_choice& to, text v) {
         to.dynamic_count.fixed_bits = small_number<std::uint32_t>(v, "fixed-bits");
     }},
    {filter_kind::dynamic_count, "shrink-percent",
     [](kind_choice& to, text v) {
         to.dynamic_count.shrink_percent = small_number<std::uint32_t>(v, "shrink-percent");
     }},
    {filter_kind::dleft, "bits",
     [](kind_choice& to, text v) {
         to.dleft.counter_bits = small_number<std::uint32_t>(v, "bits");
     }},
    {filter_kind::dleft, "stash",
     [](kind_choice& to, text v) {
         to.dleft.stash_entries = small_number<std::uint32_t>(v, "stash");
     }},
    {filter_kind::accurate, "block-bits",
     [](kind_choice& to, text v) {
         to.accurate.block_bits = small_number<std::uint32_t>(v, "block-bits");
     }},
    {filter_kind::accurate, "freeze",
     [](kind_choice& to, text v) { to.accurate.freeze = positive(v, "freeze"); }},
    {filter_kind::scalable, "growth",
     [](kind_choice& to, text v) {
         to.scalable.growth = small_number<std::uint32_t>(v, "growth");
     }},
    {filter_kind::scalable, "tightening",
     [](kind_choice& to, text v) { to.scalable.tightening = positive(v, "tightening"); }},
    {filter_kind::scalable, "most-layers",
     [](kind_choice& to, text v) {
         to.scalable.most_layers = small_number<std::uint32_t>(v, "most-layers");
     }},
    {filter_kind::scalable, "most-bytes",
     [](kind_choice& to, text v) { to.scalable.most_bytes = parse_bytes(v); }},
    {filter_kind::scalable, "fast",
     [](kind_choice& to, text v) { to.scalable.fast_layers = parse_switch(v, "fast"); }},
    {filter_kind::window, "span",
     [](kind_choice& to, text v) { to.window.span = parse_duration(v); }},
    {filter_kind::window, "generations",
     [](kind_choice& to, text v) {
         to.window.generations = small_number<std::uint32_t>(v, "generations");
     }},
    {filter_kind::window, "refresh",
     [](kind_choice& to, text v) { to.window.refresh = parse_switch(v, "refresh"); }},
    {filter_kind::window, "overfill",
     [](kind_choice& to, text v) {
         to.window.policy =
             parse_switch(v, "overfill") ? when_crowded::overfill : when_crowded::shorten;
     }},
}};

constexpr std::array makeable{
    filter_kind::bloom, filter_kind::counting, filter_kind::spectral, filter_kind::dynamic_count,
    filter_kind::dleft, filter_kind::accurate, filter_kind::scalable, filter_kind::window};

filter_kind kind_named(std::string_view name) {
    for (const filter_kind kind : makeable) {
        if (name_of(kind) == name) return kind;
    }
    refuse_unknown("kind", name, kind_names());
}

void set_kind_parameter(kind_choice& to, std::string_view said) {
    const auto [name, value] = split_parameter(said);
    std::vector<std::string> known;
    for (const parameter& one : kind_parameter_names) {
        if (one.kind != to.kind) continue;
        if (one.name == name && value) return one.set(to, *value);
        known.emplace_back(one.name);
    }
    refuse_parameter(fmt::format("the kind {}", name_of(to.kind)), said, known);
}

template <class Kind, class Options>
any_filter made(items n, rate p, const Options& options, const native_hash& hash) {
    return Kind(n, p, options, hash);
}

any_filter made_spectral(items n, rate p, const kind_choice& kind, const native_hash& hash) {
    switch (kind.policy) {
    case spectral_policy::minimal_increase:
        return made<minimal_increase_filter>(n, p, kind.spectral, hash);
    case spectral_policy::recurring_minimum:
        return made<recurring_minimum_filter>(n, p, kind.spectral, hash);
    case spectral_policy::minimum_selection:
        break;
    }
    return made<spectral_filter>(n, p, kind.spectral, hash);
}

any_filter made_of_kind(items n, rate p, const kind_choice& kind, const native_hash& hash) {
    switch (kind.kind) {
    case filter_kind::counting:
        return made<counting_filter>(n, p, kind.counting, hash);
    case filter_kind::spectral:
        return made_spectral(n, p, kind, hash);
    case filter_kind::dynamic_count:
        return made<dynamic_count_filter>(n, p, kind.dynamic_count, hash);
    case filter_kind::dleft:
        return made<dleft_filter>(n, p, kind.dleft, hash);
    case filter_kind::accurate:
        return made<accurate_filter>(n, p, kind.accurate, hash);
    case filter_kind::scalable:
        return made<scalable_filter>(n, p, kind.scalable, hash);
    default:
        return made<window_filter>(n, p, kind.window, hash);
    }
}

} // namespace

std::vector<std::string> kind_names() {
    std::vector<std::string> names;
    names.reserve(makeable.size());
    for (const filter_kind kind : makeable) names.emplace_back(name_of(kind));
    return names;
}

kind_choice parse_kind(std::string_view said) {
    kind_choice choice;
    std::string_view rest = said;
    choice.kind = kind_named(next_part(rest));
    while (!rest.empty()) set_kind_parameter(choice, next_part(rest));
    return choice;
}

void add_kind_option(CLI::App& verb, kind_choice& to) {
    verb.add_option_function<std::string>(
            "--kind", [&to](const std::string& said) { to = parse_kind(said); },
            fmt::format("The kind of filter ({}), with its parameters: counting,layout=blocked "
                        "or window,span=24h",
                        fmt::join(kind_names(), ", ")))
        ->type_name("KIND[,PARAMETER=VALUE...]");
}

any_filter new_filter(const kind_choice& kind, const shape_options& said,
                      const std::optional<hash::sip_key>& secret) {
    if (kind.is_bloom()) return new_filter(said, secret);
    if (!said.n || said.m || said.k || said.memory || said.layout) {
        throw bad_argument(fmt::format(
            "a filter of the kind {} is made from -n and -p; it takes no --bits, -k, --bytes or "
            "--layout",
            name_of(kind.kind)));
    }
    return made_of_kind(*said.n, said.p.value_or(usual_rate), kind, hash_of(said, secret));
}

void require_makeable(const kind_choice& kind) {
    static_cast<void>(made_of_kind(items{1}, rate{0.5}, kind, native_hash{}));
}

std::uint64_t clock_now() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::seconds>(now).count());
}

void advance_clock(any_filter& of) {
    if (auto* const window = of.get_if<window_filter>()) window->advance(clock_now());
}

} // namespace bloomery::cli
