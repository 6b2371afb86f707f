// bloomery guard build: the keys of a column, by a scan that holds some thousand of them at a time.
#include "verbs/guard_build.hpp"

#include <bloomery/guard/postgres.hpp>
#include <bloomery/guard/sqlite.hpp>

#include "command.hpp"
#include "output/json_output.hpp"
#include "output/progress.hpp"
#include "verbs/info_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace bloomery::cli {

namespace {

bool is_url(const std::string& source) {
    return source.starts_with("postgres://") || source.starts_with("postgresql://");
}

/// A URL without the password that may stand in it.
std::string shown_source(const std::string& source) {
    const std::size_t user = source.find("://");
    const std::size_t at = source.find('@');
    if (!is_url(source) || at == std::string::npos) return source;
    const std::size_t colon = source.find(':', user + 3);
    if (colon > at) return source;
    return source.substr(0, colon) + source.substr(at);
}

items room_for(std::uint64_t count, double headroom) {
    const double extra = std::ceil(static_cast<double>(count) * headroom);
    return items{std::max<std::uint64_t>(count + static_cast<std::uint64_t>(extra), 1)};
}

template <class Source>
int build(Source source, const guard_build_options& o) {
    const std::uint64_t count = source.count();
    shape_options shape = o.shape;
    shape.n = room_for(count, o.headroom);
    any_filter made = new_filter(shape, o.access.secret());
    progress line("guard build", count);
    std::uint64_t done = 0;
    source.scan([&](store::keys keys) {
        made.insert_many(keys);
        done += keys.size();
        line.update(done, done);
    });
    line.finish();
    write_filter(made, o);
    if (o.json) {
        nlohmann::ordered_json out{{"source", shown_source(o.source)},
                                   {"table", o.table},
                                   {"column", o.column},
                                   {"file", o.path},
                                   {"keys", done}};
        out.update(filter_facts(made));
        fmt::print("{}", json_page(out));
    }
    // Keys may have come since they were counted.
    return judge_fill(made.made_for(), made.stats(), o.path, false);
}

} // namespace

int build_filter_of_column(const guard_build_options& o) {
    // What would be refused after the scan is refused before it.
    keep_output_for_json(o.json, o.path);
    o.require_secret(o.access);
    o.require_free();
    const store::sql_table where{o.table, o.column};
    if (is_url(o.source)) return build(store::postgres(o.source, where), o);
    return build(store::sqlite(o.source, where, {.create = false, .read_only = true}), o);
}

} // namespace bloomery::cli
