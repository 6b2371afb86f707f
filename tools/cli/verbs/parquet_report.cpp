#include "verbs/parquet_report.hpp"

#include <bloomery/detail/format/naming.hpp>
#include <bloomery/error.hpp>
#include <bloomery/format/foreign.hpp>

#include "output/json_output.hpp"
#include "output/text_table.hpp"
#include "verbs/info_report.hpp"
#include "wording.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string_view>
#include <vector>

namespace bloomery::cli {

namespace {

constexpr std::string_view parquet_name = "parquet-file";

bool is_parquet(const std::string& path, const format::format_choice& said) {
    if (said.said) return name_of(said.foreign) == parquet_name;
    if (path == "-") return false;
    const std::vector<std::byte> start = read_start(path, 4);
    return std::string_view(reinterpret_cast<const char*>(start.data()), start.size()) == // NOLINT
           "PAR1";
}

std::vector<format::parquet_column_filter> chosen_in(byte_view file,
                                                     const format::foreign_options& said) {
    std::vector<format::parquet_column_filter> chosen;
    for (auto& one : format::parquet_filters(file)) {
        if ((said.column.empty() || said.column == one.path) &&
            one.row_group == said.row_group.value_or(one.row_group)) {
            chosen.push_back(std::move(one));
        }
    }
    return chosen;
}

/// Calls `with` with each filter, or with nothing and why it cannot be read. Those of a real file
/// do not overlap; a small file that says otherwise must not take hours.
template <class With>
void each_read(byte_view file, const std::vector<format::parquet_column_filter>& chosen,
               const format::limits& most, With with) {
    std::uint64_t bytes = 0;
    for (const format::parquet_column_filter& one : chosen) {
        try {
            const std::optional filter(format::parquet_filter_at(file, one, most));
            bytes += filter->byte_count();
            if (bytes > file.size()) {
                throw bad_data("the .parquet file is damaged: its filters overlap; restore it from "
                               "a copy");
            }
            with(one, filter, "");
        } catch (const unsupported& e) { // encrypted, or of a kind to come
            with(one, std::optional<any_filter>(), e.what());
        }
    }
}

std::string table_of(byte_view file, const std::vector<format::parquet_column_filter>& chosen,
                     const format::limits& most) {
    using side = text_table::side;
    text_table table({{"ROW GROUP", side::right},
                      {"COLUMN"},
                      {"TYPE"},
                      {"SIZE", side::right},
                      {"KEYS", side::right},
                      {"FILL", side::right},
                      {"RATE NOW", side::right}});
    each_read(file, chosen, most, [&](const auto& of, const auto& filter, const char* reason) {
        std::vector<std::string> row{std::to_string(of.row_group), of.path,
                                     std::string(format::name_of(of.type))};
        if (filter) {
            const statistics now = filter->stats();
            row.insert(row.end(),
                       {format_bytes(filter->byte_count()),
                        now.items.saturated
                            ? "too many"
                            : grouped(static_cast<std::uint64_t>(std::llround(now.items.items))),
                        fmt::format("{:.2f} %", 100 * now.fill_ratio),
                        format_rate(now.expected_rate)});
        } else {
            row.emplace_back(reason);
        }
        table.add(std::move(row));
    });
    return fmt::format("format    {}: {} in a .parquet file\n{}", parquet_name,
                       counted(chosen.size(), "filter"), table.text());
}

nlohmann::ordered_json json_of(const std::string& path, byte_view file,
                               const std::vector<format::parquet_column_filter>& chosen,
                               const format::limits& most) {
    nlohmann::ordered_json filters = nlohmann::ordered_json::array();
    each_read(file, chosen, most, [&](const auto& of, const auto& filter, const char* reason) {
        nlohmann::ordered_json one{{"row_group", of.row_group},
                                   {"column", of.path},
                                   {"type", format::name_of(of.type)},
                                   {"offset", of.offset}};
        if (filter) {
            one.update(filter_facts(*filter));
        } else {
            one["error"] = reason;
        }
        filters.push_back(std::move(one));
    });
    return {{"file", path}, {"format", parquet_name}, {"filters", std::move(filters)}};
}

} // namespace

std::optional<std::string> parquet_report(const std::string& path, const access_options& access,
                                          bool as_json, bool on_one_line) {
    const format::foreign_options& said = access.format.parameters;
    if (path == "-" || access.redis.said() || !is_parquet(path, access.format)) return std::nullopt;
    const std::vector<std::byte> file = read_whole(path, said.limits);
    return format::naming(path, [&]() -> std::optional<std::string> {
        const auto chosen = chosen_in(file, said);
        if (chosen.size() < 2) return std::nullopt;
        if (!as_json) return table_of(file, chosen, said.limits);
        const nlohmann::ordered_json all = json_of(path, file, chosen, said.limits);
        return on_one_line ? json_line(all) : json_page(all);
    });
}

} // namespace bloomery::cli
