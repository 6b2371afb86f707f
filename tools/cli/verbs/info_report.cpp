#include "verbs/info_report.hpp"

#include <bloomery/detail/hash/hash_id.hpp>

#include "output/json_output.hpp"
#include "wording.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <iterator>

namespace bloomery::cli {

namespace {

using bloomery::name_of;
using json = nlohmann::ordered_json;

/// What the memory consists of: bits, counters, cells or blocks, and how wide each is.
struct array_parts {
    std::string_view unit;
    std::uint64_t count = 0;
    std::uint64_t bits_each = 1;
};

array_parts parts_of(const description& h) {
    if (h.now.unit == place_unit::first_level_bit) {
        const std::uint64_t block_bits = h.what.parameters[0];
        return {"blocks", 8 * h.byte_count / block_bits, block_bits};
    }
    return {plural_of(h.now.unit), h.now.bit_count, h.now.unit_bits};
}

bool is_of_bits(const description& h) { return h.now.unit == place_unit::bit; }

/// Recurring minimum keeps more than its counters, and so does its memory.
bool counts_twice(const spec& what) {
    constexpr std::uint64_t recurring_minimum = 3;
    return what.kind == filter_kind::spectral && what.parameters[0] == recurring_minimum;
}

std::string array_text(const description& h) {
    const array_parts parts = parts_of(h);
    std::string text = fmt::format("{} {}", grouped(parts.count), parts.unit);
    if (!is_of_bits(h)) text += fmt::format(" of {} bits", parts.bits_each);
    if (counts_twice(h.what)) text += ", half as many in a second array and a bit for each";
    return text + fmt::format(" ({})", format_bytes(h.byte_count));
}

std::string kind_line(const description& h) {
    const plan::shape& shape = h.what.shape;
    std::string line = fmt::format("kind      {}, ", name_of(h.what.kind));
    if (is_of_bits(h)) line += fmt::format("{} layout, ", plan::name_of(shape.layout));
    const bool dleft = h.what.kind == filter_kind::dleft;
    return line + fmt::format("{}, {} per key\n", array_text(h),
                              counted(shape.hash_count, dleft ? "bucket" : "hash"));
}

std::uint64_t rounded(double count) { return static_cast<std::uint64_t>(std::llround(count)); }

std::string key_line(const description& h) {
    const statistics& now = h.now;
    if (now.items.saturated) {
        return fmt::format("holds     too many to count: every {} is {}\n",
                           is_of_bits(h) ? "bit" : "place", is_of_bits(h) ? "set" : "in use");
    }
    if (now.intersected) {
        return fmt::format("holds     at most about {}: after an intersection the bits no longer "
                           "show how many\n",
                           counted(rounded(now.items.items), "key"));
    }
    return fmt::format("holds     about {} (standard error {:.0f})\n",
                       counted(rounded(now.items.items), "key"), now.items.standard_error);
}

/// What is in it, and how full and how right that makes it.
std::string contents(const description& h) {
    const statistics& now = h.now;
    const bool bits = now.unit == place_unit::bit || now.unit == place_unit::first_level_bit;
    return key_line(h) +
           fmt::format("fill      {:.2f} % of the {} are {}\n", 100 * now.fill_ratio,
                       plural_of(now.unit), bits ? "set" : "in use") +
           fmt::format("rate now  {} ({})\n", format_rate(now.expected_rate),
                       format_one_in(now.expected_rate));
}

/// The same of a cascade, which has counted its keys, and does not err.
std::string cascade_contents(const description& h) {
    return fmt::format("holds     {}, separated from {} without error\n",
                       counted(h.what.parameters[0], "key"),
                       counted(h.what.parameters[1], "other"));
}

std::string state_lines(const format::native_header& h) {
    std::string text;
    if (h.secret) text += "secret    kept in the file\n";
    if (!h.state.sealed) {
        text += "state     open: a writer is adding to it, or died; the counts are from the last "
                "sync\n";
    }
    if (!h.comment.empty()) text += fmt::format("comment   {}\n", in_quotes(h.comment));
    return text;
}

/// Null for what is not known, or is nothing.
json if_known(bool known, json value) { return known ? std::move(value) : json(); }

/// The array and what is in it, in the units of the kind.
json contents_json(const description& h) {
    const array_parts parts = parts_of(h);
    const statistics& now = h.now;
    const bool counted_keys = !now.items.saturated && !now.intersected;
    return {{"unit", parts.unit},
            {"units", parts.count},
            {"bits_per_unit", parts.bits_each},
            {"units_in_use", if_known(parts.unit == plural_of(now.unit), now.bits_set)},
            {"fill_of", json_name(plural_of(now.unit))},
            {"fill_ratio", now.fill_ratio},
            {"intersected", now.intersected},
            {"estimated_items", if_known(counted_keys, now.items.items)},
            {"standard_error", if_known(counted_keys, now.items.standard_error)},
            {"saturated", now.items.saturated},
            {"expected_rate", now.expected_rate}};
}

} // namespace

std::string info_text(const description& h) {
    std::string text;
    const auto to = std::back_inserter(text);
    if (h.format != nullptr) {
        fmt::format_to(to, "format    {}: {}\n", h.format->name, h.format->what);
    }
    if (h.in_redis) {
        fmt::format_to(to, "format    redis: {}\n",
                       h.what.scheme == layout::scheme_id::redisson ? "as Redisson's RBloomFilter"
                                                                    : "split into shards");
    }
    text += kind_line(h);
    if (h.what.scheme != layout::scheme_id::native) {
        fmt::format_to(to, "scheme    {}\n", layout::name_of(h.what.scheme));
    }
    fmt::format_to(to, "hash      {}, seed {}\n", hash::name(h.what.hash), h.what.seed);
    if (h.made_for.item_capacity != 0) {
        fmt::format_to(to, "made for  {}{}\n", counted(h.made_for.item_capacity, "key"),
                       h.made_for.target_rate == 0
                           ? ""
                           : fmt::format(" at a rate of {}", format_rate(h.made_for.target_rate)));
    }
    text += h.what.kind == filter_kind::cascade ? cascade_contents(h) : contents(h);
    if (h.header) text += state_lines(*h.header);
    for (const fact& each : h.facts) {
        fmt::format_to(to, "{}  {}: {}\n", h.format != nullptr ? "original" : "detail  ", each.name,
                       each.value);
    }
    return text;
}

json filter_facts(const description& h) {
    const bool bits = is_of_bits(h);
    const design& goal = h.made_for;
    json out{{"kind", name_of(h.what.kind)},
             {"layout", if_known(bits, plan::name_of(h.what.shape.layout))},
             {"bits", if_known(bits, h.now.bit_count)},
             {"bits_set", if_known(bits, h.now.bits_set)},
             {"hashes", h.what.shape.hash_count},
             {"bytes", h.byte_count},
             {"scheme", layout::name_of(h.what.scheme)},
             {"hash", hash::name(h.what.hash)},
             {"seed", std::to_string(h.what.seed)}, // past 2^53 a JSON number would be rounded
             {"item_capacity", if_known(goal.item_capacity != 0, goal.item_capacity)},
             {"target_rate", if_known(goal.target_rate != 0, goal.target_rate)}};
    out.update(contents_json(h));
    return out;
}

std::string info_json(const description& h, const std::string& path, bool on_one_line) {
    json out{{"file", path}, {"format", h.format_name()}};
    if (h.header) out["version"] = 1;
    out.update(filter_facts(h));
    if (h.header) {
        out["sealed"] = h.header->state.sealed;
        out["secret_kept"] = h.header->secret.has_value();
        out["comment"] = h.header->comment;
    }
    if (h.in_redis) {
        out["expires_in"] = nullptr;
        if (h.time_left) out["expires_in"] = h.time_left->count();
    }
    if (h.format != nullptr || !h.facts.empty()) {
        out[h.format != nullptr ? "original" : "facts"] = facts_json(h.facts);
    }
    return on_one_line ? json_line(out) : json_page(out);
}

json filter_facts(const any_filter& of) {
    return filter_facts({of.spec(), of.made_for(), of.stats(), of.byte_count()});
}

chart info_chart(const description& h) {
    rate_curve curve;
    curve.subtitle = fmt::format(
        "{}, {}", is_of_bits(h) ? plan::name_of(h.what.shape.layout) : name_of(h.what.kind),
        array_text(h));
    curve.rate_at = h.rate_at;
    if (const std::uint64_t n = h.made_for.item_capacity; n != 0) {
        curve.made_for = chart_point{static_cast<double>(n), h.rate_at(n)};
    }
    if (!h.now.items.saturated) {
        curve.now = chart_point{h.now.items.items, h.now.expected_rate};
        curve.now_is_bound = h.now.intersected;
    }
    return chart_of(curve);
}

} // namespace bloomery::cli
