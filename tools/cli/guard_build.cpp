// bloomery guard build: the keys of a column, by a scan that holds some thousand of them at a time.
#include <bloomery/error.hpp>
#include <bloomery/guard/postgres.hpp>
#include <bloomery/guard/sqlite.hpp>

#include "command.hpp"
#include "guard_work.hpp"
#include "json_output.hpp"
#include "progress.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

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

/// What would be refused after the scan is refused before it.
void require_place(const guard_build_options& o) {
    keep_output_for_json(o.json, o.path);
    if (o.keep_secret && o.access.secret_file.empty()) {
        throw bad_argument("--keep-secret needs a secret to keep: give --secret-file");
    }
    if (o.path == "-") {
        if (::isatty(STDOUT_FILENO) == 0) return;
        throw bad_argument(
            "a filter is not text for a terminal; name a file, or send it to a pipe");
    }
    std::error_code ignored; // what cannot be looked at cannot be written either, which save tells
    if (!o.force && std::filesystem::exists(o.path, ignored)) {
        throw io_error(o.path + " is already there", std::make_error_code(std::errc::file_exists));
    }
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
    write_filter(made, o.path, o.force ? if_exists::replace : if_exists::refuse,
                 {o.comment, o.keep_secret});
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
    require_place(o);
    const store::sql_table where{o.table, o.column};
    if (is_url(o.source)) return build(store::postgres(o.source, where), o);
    return build(store::sqlite(o.source, where, {.create = false, .read_only = true}), o);
}

} // namespace bloomery::cli
