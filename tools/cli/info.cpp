// bloomery info: what is inside a filter, from its header alone.
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/hash_id.hpp>

#include "command.hpp"
#include "filter_io.hpp"
#include "quoted.hpp"
#include "redis_access.hpp"
#include "units.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bloomery::cli {

namespace {

struct info_options {
    std::string path;
    access_options access;
    bool json = false;
};

/// What there is to say of a filter, whichever file it is in.
struct description {
    spec what;
    design made_for;
    statistics now;
    std::uint64_t byte_count = 0;
    std::optional<format::native_header> header{}; ///< of a native file
    const format::foreign_format* format = nullptr;
    std::vector<fact> facts{}; ///< the original's own, or those of the kind
    bool in_redis = false;
    std::optional<std::chrono::seconds> time_left{}; ///< of one in Redis that expires

    [[nodiscard]] std::string_view format_name() const noexcept {
        if (in_redis) return "redis";
        return format == nullptr ? "bloomery" : format->name;
    }
};

description described(const format::native_header& header) {
    return {header.what, header.made_for, statistics_of(header.what, header.state.bits_set),
            header.payload_bytes(), header};
}

description described(const opened_filter& opened) {
    description of{opened.filter.spec(), opened.filter.made_for(), opened.filter.stats(),
                   opened.filter.byte_count()};
    of.format = opened.format;
    if (of.format == nullptr) {
        of.facts = opened.filter.facts();
    } else if (of.format->facts != nullptr) {
        of.facts = of.format->facts(opened.filter);
    }
    return of;
}

description described(const opened_filter& opened, const format::native_header& header) {
    description of = described(opened);
    of.header = header;
    return of;
}

description describe_in_redis(const info_options& o) {
    description of = described(read_filter(o.path, o.access));
    of.in_redis = true;
    of.time_left = connect_to_redis(o.access.redis)->time_left(o.path);
    return of;
}

/// Reads no more of a native file than its header, if that tells all.
description describe_file(const info_options& o) {
    if (o.access.in_redis()) return describe_in_redis(o);
    if (o.path != "-") {
        if (!is_native_file(o.path, o.access)) return described(read_filter(o.path, o.access));
        const format::native_header header = load_header(o.path);
        if (header.what.kind == filter_kind::bloom) return described(header);
        return described(read_filter(o.path, o.access), header);
    }
    std::vector<std::byte> start(format::native_header_bytes);
    const input from = input::open("-");
    start.resize(read_from(from, start));
    return naming("standard input", [&] {
        if (!is_native(start, o.access.format)) {
            return described(read_rest(from, std::move(start), o.access.format));
        }
        const format::native_header header = format::decode_native_header(start);
        if (header.what.kind == filter_kind::bloom) return described(header);
        return described(read_rest_of_native(from, start, o.access), header);
    });
}

void print_info_json(const description& h) {
    const statistics& now = h.now;
    nlohmann::ordered_json out{
        {"format", h.format_name()},
        {"version", 1},
        {"kind", name_of(h.what.kind)},
        {"layout", plan::name_of(h.what.shape.layout)},
        {"bits", h.what.shape.bit_count},
        {"hashes", h.what.shape.hash_count},
        {"bytes", h.byte_count},
        {"scheme", layout::name_of(h.what.scheme)},
        {"hash", hash::name(h.what.hash)},
        {"seed", std::to_string(h.what.seed)}, // past 2^53 a JSON number would be rounded
        {"item_capacity", nullptr},
        {"target_rate", nullptr},
        {"bits_set", now.bits_set},
        {"fill_ratio", now.fill_ratio},
        {"estimated_items", nullptr},
        {"standard_error", nullptr},
        {"saturated", now.items.saturated},
        {"fpp", now.expected_fpp}};
    if (h.header) {
        out["sealed"] = h.header->state.sealed;
        out["secret_kept"] = h.header->secret.has_value();
        out["comment"] = h.header->comment;
    } else {
        out.erase("version");
    }
    if (h.in_redis) {
        out["expires_in"] = nullptr;
        if (h.time_left) out["expires_in"] = h.time_left->count();
    }
    if (h.format != nullptr || !h.facts.empty()) {
        nlohmann::ordered_json& facts = out[h.format != nullptr ? "original" : "facts"];
        facts = nlohmann::ordered_json::object();
        for (const fact& each : h.facts) facts[each.name] = each.value;
    }
    if (h.made_for.item_capacity != 0) out["item_capacity"] = h.made_for.item_capacity;
    if (h.made_for.target_rate != 0) out["target_rate"] = h.made_for.target_rate;
    if (!now.items.saturated) {
        out["estimated_items"] = now.items.items;
        out["standard_error"] = now.items.standard_error;
    }
    fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_state(const format::native_header& h) {
    if (h.secret) fmt::print("secret    kept in the file\n");
    if (!h.state.sealed) {
        fmt::print("state     open: a writer is adding to it, or died at it; the counts are those "
                   "of the last sync\n");
    }
    if (!h.comment.empty()) fmt::print("comment   {}\n", in_quotes(h.comment));
}

void print_info_text(const description& h) {
    const statistics& now = h.now;
    const plan::shape& shape = h.what.shape;
    if (h.format != nullptr) fmt::print("format    {}: {}\n", h.format->name, h.format->what);
    if (h.in_redis) {
        fmt::print("format    redis: {}\n", h.what.scheme == layout::scheme_id::redisson
                                                ? "as Redisson's RBloomFilter"
                                                : "split into shards");
    }
    fmt::print("kind      {}, {} layout, {} ({}), {} per key\n", name_of(h.what.kind),
               plan::name_of(shape.layout), counted(shape.bit_count, "bit"),
               format_bytes(h.byte_count), counted(shape.hash_count, "hash"));
    if (h.what.scheme != layout::scheme_id::native) {
        fmt::print("scheme    {}\n", layout::name_of(h.what.scheme));
    }
    fmt::print("hash      {}, seed {}\n", hash::name(h.what.hash), h.what.seed);
    if (h.made_for.item_capacity != 0) {
        fmt::print("made for  {}{}\n", counted(h.made_for.item_capacity, "key"),
                   h.made_for.target_rate == 0
                       ? ""
                       : fmt::format(" at a rate of {}", format_rate(h.made_for.target_rate)));
    }
    if (now.items.saturated) {
        fmt::print("holds     more than it can tell: every bit is set\n");
    } else {
        fmt::print("holds     about {} (standard error {:.0f})\n",
                   counted(static_cast<std::uint64_t>(std::llround(now.items.items)), "key"),
                   now.items.standard_error);
    }
    fmt::print("fill      {:.2f} % of the bits are set\n", 100 * now.fill_ratio);
    fmt::print("rate now  {} ({})\n", format_rate(now.expected_fpp),
               format_one_in(now.expected_fpp));
    if (h.header) print_state(*h.header);
    for (const fact& each : h.facts) {
        fmt::print("{}  {}: {}\n", h.format != nullptr ? "original" : "of it   ", each.name,
                   each.value);
    }
}

int run_info(const info_options& o) {
    const description of = describe_file(o);
    o.json ? print_info_json(of) : print_info_text(of);
    return some;
}

} // namespace

void add_info(CLI::App& app, int& result) {
    auto o = std::make_shared<info_options>();
    CLI::App* verb = app.add_subcommand("info", "Tell what a filter is and how full");
    verb->add_option("FILTER", o->path, "The filter; - for standard input")->required();
    verb->add_flag("--json", o->json, "Print an object instead of text");
    add_access_options(*verb, o->access);
    add_redis_options(*verb, o->access.redis);
    verb->footer("Reads only the header of a native Bloom filter; bloomery verify checks the bits "
                 "too.\nOne in Redis has its bits counted by the servers.\n"
                 "Example: bloomery info words.bloom");
    verb->callback([o, &result] { result = run_info(*o); });
}

} // namespace bloomery::cli
