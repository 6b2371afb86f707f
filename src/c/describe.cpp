// Descriptions of filters, plans and advice.
#include <bloomery/detail/format/format_choice.hpp>
#include <bloomery/detail/hash/hash_id.hpp>
#include <bloomery/detail/key/json_object.hpp>
#include <bloomery/detail/layout/scheme.hpp>
#include <bloomery/detail/text/units.hpp>
#include <bloomery/detail/text/words.hpp>
#include <bloomery/plan/advise.hpp>

#include "handle.hpp"

#include <utility>

namespace bloomery::inline v0::c {

namespace {

bloomery_info info_from(const any_filter& of) {
    const spec what = of.spec();
    const design made_for = of.made_for();
    bloomery_info told{};
    told.kind = name_of(what.kind).data();
    told.layout = plan::name_of(what.shape.layout).data();
    told.scheme = layout::name_of(what.scheme).data();
    told.hash = hash::name(what.hash).data();
    told.seed = what.seed;
    told.bit_count = what.shape.bit_count;
    told.hash_count = what.shape.hash_count;
    told.keyed = hash::is_keyed(what.hash);
    told.can_erase = of.can_erase();
    told.can_count = of.can_count();
    told.hashes_ahead = of.hashes_ahead();
    told.can_share = of.can_share();
    told.item_capacity = made_for.item_capacity;
    told.target_rate = made_for.target_rate;
    told.byte_count = of.byte_count();
    told.intersected = made_for.intersected;
    told.may_lack_places = of.may_lack_places();
    return told;
}

bloomery_statistics statistics_from(const any_filter& of) {
    const statistics now = of.stats();
    bloomery_statistics told{};
    told.bit_count = now.bit_count;
    told.bits_set = now.bits_set;
    told.fill_ratio = now.fill_ratio;
    told.items = now.items.items;
    told.standard_error = now.items.standard_error;
    told.expected_rate = now.expected_rate;
    told.unit = static_cast<std::uint32_t>(now.unit);
    told.unit_bits = now.unit_bits;
    told.saturated = now.items.saturated;
    told.intersected = now.intersected;
    return told;
}

static_assert(static_cast<int>(place_unit::bit) == BLOOMERY_UNIT_BIT &&
              static_cast<int>(place_unit::counter) == BLOOMERY_UNIT_COUNTER &&
              static_cast<int>(place_unit::cell) == BLOOMERY_UNIT_CELL &&
              static_cast<int>(place_unit::first_level_bit) == BLOOMERY_UNIT_FIRST_LEVEL_BIT);

void add_facts(text::json_object& to, std::string_view name, const std::vector<fact>& facts) {
    text::json_object all;
    for (const fact& one : facts) {
        std::string word = one.name;
        for (char& c : word) {
            c = c == ' ' || c == '-' ? '_' : c;
        }
        all.text(word, one.value);
    }
    to.raw(name, all.done());
}

// The names are those of the command's `info --json`.
std::string described(const any_filter& of, std::optional<std::string_view> format) {
    const bloomery_info what = info_from(of);
    const statistics now = of.stats();
    text::json_object out;
    out.text("kind", what.kind);
    out.text("layout", what.layout);
    out.number("hashes", what.hash_count);
    out.number("bytes", what.byte_count);
    out.text("scheme", what.scheme);
    out.text("hash", what.hash);
    out.text("seed", std::to_string(what.seed)); // past 2^53 a JSON number would be rounded
    out.number("item_capacity", what.item_capacity);
    out.number("target_rate", what.target_rate);
    out.text("unit", plural_of(now.unit));
    out.number("units", now.bit_count);
    out.number("bits_per_unit", now.unit_bits);
    out.number("units_in_use", now.bits_set);
    out.number("fill_ratio", now.fill_ratio);
    out.flag("intersected", now.intersected);
    out.number("estimated_items", now.items.items);
    out.number("standard_error", now.items.standard_error);
    out.flag("saturated", now.items.saturated);
    out.number("expected_rate", now.expected_rate);
    out.flag("can_erase", what.can_erase);
    out.flag("can_count", what.can_count);
    add_facts(out, "facts", of.facts());
    if (format) {
        const format::format_choice chosen = format::parse_format(*format);
        if (chosen.foreign != nullptr && chosen.foreign->facts != nullptr) {
            add_facts(out, "original", chosen.foreign->facts(of));
        }
    }
    return out.done();
}

using set_situation = void (*)(plan::situation& to, std::string_view value);

/// Like a rate, except that 0 and 1 are allowed.
double share_in(std::string_view said) {
    if (said == "0" || said == "0%") return 0;
    if (said == "1" || said == "100%") return 1;
    return text::parse_rate(said);
}

template <std::optional<items> plan::situation::* Field>
void set_items(plan::situation& to, std::string_view value) {
    to.*Field = items{text::parse_count(value)};
}
template <bool plan::situation::* Field>
void set_need(plan::situation& to, std::string_view value) {
    to.*Field = text::yes_or_no(value, "of a need");
}

// The names are those of the options of the command's `advise`.
constexpr std::array<std::pair<std::string_view, set_situation>, 24> situation_names{{
    {"items", set_items<&plan::situation::n>},
    {"at-least", set_items<&plan::situation::n_low>},
    {"at-most", set_items<&plan::situation::n_high>},
    {"known-negatives", set_items<&plan::situation::known_negatives>},
    {"window", set_items<&plan::situation::window>},
    {"rate", [](plan::situation& to, std::string_view v) { to.p = rate{text::parse_rate(v)}; }},
    {"key-bytes", [](plan::situation& to,
                     std::string_view v) { to.key_bytes = text::positive_number(v, "key-bytes"); }},
    {"integers-below",
     [](plan::situation& to, std::string_view v) { to.integer_range = text::parse_count(v); }},
    {"cache", [](plan::situation& to,
                 std::string_view v) { to.last_level_cache = bytes{text::parse_bytes(v)}; }},
    {"positives",
     [](plan::situation& to, std::string_view v) { to.positive_fraction = share_in(v); }},
    {"probe-ns",
     [](plan::situation& to, std::string_view v) {
         to.probe_cost_ns = text::positive_number(v, "probe-ns");
     }},
    {"backend-ns",
     [](plan::situation& to, std::string_view v) {
         to.backend_cost_ns = text::positive_number(v, "backend-ns");
     }},
    {"remove", set_need<&plan::situation::needs_removal>},
    {"count", set_need<&plan::situation::needs_counts>},
    {"skewed", set_need<&plan::situation::counts_skewed>},
    {"adaptive", set_need<&plan::situation::adaptive_width>},
    {"query-bound", set_need<&plan::situation::query_bound>},
    {"memory-bound", set_need<&plan::situation::memory_bound>},
    {"merge", set_need<&plan::situation::needs_merge>},
    {"fixed", set_need<&plan::situation::fixed_set>},
    {"one-line", set_need<&plan::situation::one_line_per_query>},
    {"lean", set_need<&plan::situation::refuses_overhead>},
    {"untrusted", set_need<&plan::situation::untrusted_keys>},
    {"no-error", [](plan::situation& to,
                    std::string_view v) { to.error_allowed = !text::yes_or_no(v, "no-error"); }},
}};

plan::situation situation_in(std::string_view said) {
    plan::situation told;
    while (!said.empty()) {
        const text::parameter one(text::next_part(said));
        std::vector<std::string> known;
        set_situation set = nullptr;
        for (const auto& [name, sets] : situation_names) {
            set = name == one.name ? sets : set;
            known.emplace_back(name);
        }
        if (set == nullptr || !one.value) {
            text::refuse_parameter("a situation", one, known);
        }
        set(told, *one.value);
    }
    return told;
}

std::string option_text(const plan::option& of) {
    text::json_object out;
    out.text("kind", plan::name_of(of.what));
    out.number("bytes", of.bytes);
    out.number("bits_per_key", of.bits_per_item);
    out.number("expected_rate", of.expected_rate);
    out.text("sentence", of.sentence);
    out.flag("available", of.what != plan::kind::binary_fuse && of.what != plan::kind::cuckoo);
    return out.done();
}

std::string advised(std::string_view situation) {
    const plan::advice advice = plan::advise(situation_in(situation));
    text::json_object out;
    out.text("headline", advice.headline);
    out.raw("recommended", option_text(advice.recommended));
    out.texts("reasons", advice.reasons);
    out.raw("runner_up", option_text(advice.runner_up));
    out.texts("warnings", advice.warnings);
    if (advice.filter) {
        text::json_object shape;
        shape.text("layout", plan::name_of(advice.filter->layout));
        shape.number("bits", advice.filter->bit_count);
        shape.number("hashes", advice.filter->hash_count);
        out.raw("filter", shape.done());
    }
    return out.done();
}

} // namespace

} // namespace bloomery::inline v0::c

using namespace bloomery;

bloomery_status bloomery_info_of(const bloomery_filter* filter, bloomery_info* info) {
    return c::guarded([&] {
        c::give(info, c::info_from(c::described_in(filter)), "the output parameter for the facts");
    });
}

bloomery_status bloomery_statistics_of(const bloomery_filter* filter,
                                       bloomery_statistics* statistics) {
    return c::guarded([&] {
        c::give(statistics, c::statistics_from(c::filter_in(filter)),
                "the output parameter for the statistics");
    });
}

bloomery_status bloomery_rate_at(const bloomery_filter* filter, uint64_t items, double* rate) {
    return c::guarded([&] {
        double& to = c::required(rate, "the output parameter for the rate");
        to = 0;
        to = c::described_in(filter).rate_at(bloomery::items{items});
    });
}

bloomery_status bloomery_describe(const bloomery_filter* filter, const char* format, char** json) {
    return c::guarded([&] {
        char*& to = c::required(json, "the output parameter for the JSON");
        to = nullptr;
        to = c::copied_out(c::described(c::filter_in(filter), c::text_in(format)));
    });
}

bloomery_status bloomery_advise(const char* situation, char** json) {
    return c::guarded([&] {
        char*& to = c::required(json, "the output parameter for the JSON");
        to = nullptr;
        to = c::copied_out(c::advised(&c::required(situation, "the situation")));
    });
}
