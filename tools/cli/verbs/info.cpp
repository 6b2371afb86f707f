// bloomery info: what is inside a filter, from its header alone where that tells all.
#include <bloomery/detail/format/naming.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/rates.hpp>

#include "command.hpp"
#include "filter_io.hpp"
#include "redis_access.hpp"
#include "standard_streams.hpp"
#include "verbs/info_report.hpp"
#include "verbs/parquet_report.hpp"
#include "verbs/picture.hpp"
#include "wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bloomery::cli {

namespace {

struct info_options {
    std::vector<std::string> paths;
    access_options access;
    picture_options picture;
    bool json = false;
};

/// Whether the header of such a filter tells all that is wanted.
bool header_tells(const format::native_header& header, const info_options& o) {
    return header.what.kind == filter_kind::bloom &&
           (!o.picture.wanted() || header.what.scheme == layout::scheme_id::native);
}

description described(const format::native_header& header) {
    description of{header.what, header.made_for, statistics_of(header.what, header.state.bits_set),
                   header.payload_bytes(), header};
    of.now.intersected = header.made_for.intersected;
    of.rate_at = [shape = header.what.shape](std::uint64_t n) {
        return plan::expected_rate(shape, items{n});
    };
    return of;
}

description described(opened_filter opened,
                      std::optional<format::native_header> header = std::nullopt) {
    const auto filter = std::make_shared<const any_filter>(std::move(opened.filter));
    description of{filter->spec(), filter->made_for(), filter->stats(), filter->byte_count()};
    of.header = std::move(header);
    of.format = opened.format;
    if (of.format == nullptr) {
        of.facts = filter->facts();
    } else if (of.format->facts != nullptr) {
        of.facts = of.format->facts(*filter);
    }
    of.rate_at = [filter](std::uint64_t n) { return filter->rate_at(items{n}); };
    return of;
}

description describe_in_redis(const std::string& name, const info_options& o) {
    description of = described(read_filter(name, o.access));
    of.in_redis = true;
    of.time_left = connect_to_redis(o.access.redis)->time_left(name);
    return of;
}

/// Reads no more of a native file than its header, if that tells all.
description describe_file(const std::string& path, const info_options& o) {
    if (o.access.in_redis()) return describe_in_redis(path, o);
    if (path != "-") {
        if (!is_native_file(path, o.access)) return described(read_filter(path, o.access));
        const format::native_header header = load_header(path);
        if (header_tells(header, o)) return described(header);
        return described(read_filter(path, o.access), header);
    }
    std::vector<std::byte> start(format::native_header_bytes);
    const input from = input::open("-");
    start.resize(read_from(from, start));
    return format::naming("standard input", [&] {
        if (!is_native(start, o.access.format)) {
            return described(read_rest(from, std::move(start), o.access.format));
        }
        const format::native_header header = format::decode_native_header(start);
        if (header_tells(header, o)) return described(header);
        return described(read_rest_of_native(from, start, o.access), header);
    });
}

/// A filter alone, or one of several.
void print_info(const std::string& path, const info_options& o, std::string_view before = "") {
    const bool of_many = o.paths.size() > 1;
    if (!o.picture.wanted()) {
        if (const auto table = parquet_report(path, o.access, o.json, of_many)) {
            if (of_many && !o.json) fmt::print("{}file      {}\n", before, in_quotes(path));
            return fmt::print("{}", *table);
        }
    }
    const description of = describe_file(path, o);
    const auto print = [&] {
        if (o.json) return fmt::print("{}", info_json(of, path, of_many));
        if (of_many) fmt::print("{}file      {}\n", before, in_quotes(path));
        fmt::print("{}", info_text(of));
    };
    print_with_picture(o.picture, print, [&] { return info_chart(of); });
}

int run_info(const info_options& o) {
    require_place(o.picture, o.json);
    if (std::ranges::count(o.paths, "-") > 1) {
        throw bad_argument("standard input holds only one filter; name files for the others");
    }
    if (o.paths.size() == 1) {
        print_info(o.paths.front(), o);
        return some;
    }
    if (!o.picture.svg_path.empty()) {
        throw bad_argument("--svg draws one filter: name one, or leave --svg out");
    }
    int result = some;
    const char* before = "";
    for (const std::string& path : o.paths) {
        try {
            print_info(path, o, before);
            before = "\n";
        } catch (const bloomery::error& e) {
            warn(e.what());
            result = trouble;
        }
    }
    return result;
}

} // namespace

void add_info(CLI::App& app, int& result) {
    auto o = std::make_shared<info_options>();
    CLI::App* verb = app.add_subcommand("info", "Show what a filter is and how full it is");
    verb->add_option("FILTER", o->paths, "The filters; - for standard input")
        ->required()
        ->expected(1, -1);
    verb->add_flag("--json", o->json, "Print a JSON object for each filter instead of text");
    add_picture_options(*verb, o->picture);
    add_access_options(*verb, o->access);
    add_redis_options(*verb, o->access.redis);
    verb->footer(
        "Reads only the header of a native Bloom filter; bloomery verify checks the bits too.\n"
        "The bits of a filter in Redis are counted by the servers.\n"
        "If one of several filters cannot be read, it is reported, the others are shown, and the "
        "exit\n"
        "status is 2. With --json each filter is an object on its own line.\n"
        "Example: bloomery info words.bloom\n"
        "         bloomery info --plot words.bloom");
    verb->callback([o, &result] { result = run_info(*o); });
}

} // namespace bloomery::cli
