// Creates, copies and closes filters, and plans their sizes.
#include <bloomery/detail/c/handles.hpp>
#include <bloomery/detail/filter/any_kinds.hpp>
#include <bloomery/detail/filter/request.hpp>
#include <bloomery/detail/format/format_choice.hpp>
#include <bloomery/detail/text/words.hpp>
#include <bloomery/plan/rates.hpp>

#include "keys.hpp"

namespace bloomery::inline v0::c {

namespace {

layout_kind layout_of(std::string_view name) {
    const auto found = plan::layout_named(name);
    if (!found) {
        std::vector<std::string> known;
        for (const plan::layout_facts& one : plan::all_layouts) {
            known.emplace_back(one.name);
        }
        text::refuse_unknown("layout", name, known);
    }
    return *found;
}

native_hash hash_from(const bloomery_options& said) {
    const auto secret = secret_in(said.secret);
    if (secret && said.seed != 0) {
        throw bad_argument("a keyed filter has a secret instead of a seed; leave the seed 0");
    }
    return secret ? native_hash::keyed(*secret) : native_hash::seeded(said.seed);
}

/// A number, if one was given.
template <class Quantity, class Number>
std::optional<Quantity> given(Number value) {
    return value == 0 ? std::nullopt : std::optional(Quantity{value});
}

filter_request request_in(const bloomery_options& said) {
    filter_request request;
    request.n = given<items>(said.items);
    request.p = given<rate>(said.rate);
    request.memory = given<bytes>(said.bytes);
    request.m = given<bits>(said.bits);
    request.k = given<hashes>(said.hashes);
    if (const auto layout = text_in(said.layout)) {
        request.layout = layout_of(*layout);
    }
    if (const auto kind = text_in(said.kind)) {
        request.kind = parse_kind(*kind);
    }
    request.hash = hash_from(said);
    request.foldable = said.foldable;
    return request;
}

/// Whether a format of another system was named.
std::optional<format::format_choice> foreign_in(const bloomery_options& said) {
    const auto name = text_in(said.format);
    if (!name) {
        return std::nullopt;
    }
    format::format_choice chosen = format::parse_format(*name);
    return chosen.foreign == nullptr ? std::nullopt : std::optional(std::move(chosen));
}

any_filter make_foreign_filter(const bloomery_options& said, format::format_choice chosen) {
    if (said.bytes != 0 || said.layout != nullptr || said.kind != nullptr ||
        said.secret != nullptr) {
        throw bad_argument("a filter of another system is made from items and a rate, or from bits "
                           "and hashes; it has no bytes, layout, kind or secret");
    }
    if (chosen.foreign->create == nullptr) {
        throw unsupported("filters of the format " + std::string(chosen.foreign->name) +
                          " can be read but not created");
    }
    format::foreign_options& from = chosen.parameters;
    if (said.items != 0) from.n = items{said.items};
    if (said.rate != 0) from.p = rate{said.rate};
    if (said.bits != 0) from.m = bits{said.bits};
    if (said.hashes != 0) from.k = hashes{said.hashes};
    if (said.seed != 0) from.seed = said.seed;
    return chosen.foreign->create(from);
}

any_filter filter_from(const bloomery_options* options) {
    const bloomery_options said = taken(options, "the options");
    if (auto foreign = foreign_in(said)) {
        return make_foreign_filter(said, *std::move(foreign));
    }
    return make_filter(request_in(said));
}

bloomery_plan plan_from(const bloomery_options* options) {
    const bloomery_options said = taken(options, "the options");
    const filter_request request = request_in(said);
    if (foreign_in(said) || !request.kind.is_bloom()) {
        throw unsupported("only Bloom filters in the native format can be planned");
    }
    const plan::answer found = plan::solve(question_of(request));
    bloomery_plan made{};
    made.layout = plan::name_of(found.filter.layout).data();
    made.bits = found.filter.bit_count;
    made.bytes = found.memory.value;
    made.hashes = found.filter.hash_count;
    made.meets_rate = found.meets_rate;
    made.items = found.n.value;
    made.rate = found.p.value;
    made.expected_rate = found.expected_rate;
    made.bits_per_item = found.bits_per_item;
    made.item_capacity = found.item_capacity;
    return made;
}

any_filter cascade_from(const bloomery_keys* stored, const bloomery_keys* others,
                        const bloomery_options* options) {
    cascade_options how;
    how.hash = hash_from(taken_or_usual(options));
    cascade_builder builder(how);
    key_reader(stored).each_run([&](auto run, const run_place&) {
        for (const auto& key : run) {
            builder.store(key);
        }
    });
    key_reader rest(others);
    builder.begin_others(items{rest.count()});
    rest.each_run([&](auto run, const run_place&) {
        for (const auto& key : run) {
            if (!builder.exclude(key)) {
                throw bad_argument("a key is both stored and among the others; remove it from one "
                                   "of them");
            }
        }
    });
    return builder.finish();
}

} // namespace

bloomery_filter* handle_of(any_filter made) { return new bloomery_filter(std::move(made)); }

any_filter& filter_of(bloomery_filter& handle) { return filter_in(&handle); }

} // namespace bloomery::inline v0::c

using namespace bloomery;

bloomery_status bloomery_new(uint64_t items, double rate, bloomery_filter** made) {
    return c::made_by(
        made, [&]() -> any_filter { return filter(bloomery::items{items}, bloomery::rate{rate}); });
}

bloomery_status bloomery_new_with(const bloomery_options* options, bloomery_filter** made) {
    return c::made_by(made, [&] { return c::filter_from(options); });
}

bloomery_status bloomery_new_like(const bloomery_filter* other, bloomery_filter** made) {
    return c::made_by(made, [&] {
        any_filter copy = c::filter_in(other);
        copy.clear();
        return copy;
    });
}

bloomery_status bloomery_copy(const bloomery_filter* source, bloomery_filter** made) {
    return c::made_by(made, [&] { return c::filter_in(source); });
}

bloomery_status bloomery_new_cascade(const bloomery_keys* stored, const bloomery_keys* others,
                                     const bloomery_options* options, bloomery_filter** made) {
    return c::made_by(made, [&] { return c::cascade_from(stored, others, options); });
}

bloomery_status bloomery_shared(bloomery_filter* filter, bloomery_filter** shared) {
    return c::guarded([&] {
        bloomery_filter*& to = c::required(shared, "the output parameter for the handle");
        to = nullptr;
        const bloomery_filter& of = c::required(filter, "the filter");
        to = new bloomery_filter(of.value, of.view ? *of.view : of.value->shared());
    });
}

void bloomery_close(bloomery_filter* filter) { delete filter; }

const char* bloomery_kind_name(uint32_t at) {
    return at < makeable_kinds.size() ? name_of(makeable_kinds[at]).data() : nullptr;
}

const char* bloomery_layout_name(uint32_t at) {
    return at < plan::all_layouts.size() ? plan::all_layouts[at].name.data() : nullptr;
}

bloomery_status bloomery_plan_for(const bloomery_options* options, bloomery_plan* plan) {
    return c::guarded(
        [&] { c::give(plan, c::plan_from(options), "the output parameter for the plan"); });
}

bloomery_status bloomery_expected_rate(const char* layout, uint64_t bits, uint32_t hashes,
                                       uint64_t items, double* rate) {
    return c::guarded([&] {
        double& to = c::required(rate, "the output parameter for the rate");
        to = 0;
        const std::string_view name = &c::required(layout, "the layout");
        const plan::shape shape{c::layout_of(name), bits, hashes};
        to = plan::expected_rate(shape, bloomery::items{items});
    });
}
