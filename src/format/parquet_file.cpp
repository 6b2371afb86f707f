// The format parquet-file: one filter of a .parquet file, or those of a column in all row groups.
#include <bloomery/error.hpp>
#include <bloomery/format/foreign.hpp>

#include "foreign_parts.hpp"
#include "keeping.hpp"
#include "parquet.hpp"
#include "parquet_footer.hpp"
#include "parquet_groups.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bloomery::inline v0::format {

namespace {

likeness looks_like_parquet_file(byte_view bytes) { return sure_if(has_parquet_marks(bytes)); }

/// The first filters of a file, for an error message.
std::string first_filters(byte_view file) {
    constexpr std::size_t most = 20;
    std::size_t count = 0;
    std::string list;
    each_parquet_filter(file, [&](const parquet_column_filter& one) {
        if (count++ < most) {
            list += (list.empty() ? "" : ", ") + one.path + " in row group " +
                    std::to_string(one.row_group);
        }
    });
    return count > most ? list + " and " + std::to_string(count - most) + " more" : list;
}

/// Calls `with` for the filters that the options select. The file is searched without building a
/// list: a hostile footer could make the list much longer than itself.
void each_chosen(byte_view file, const foreign_options& options, const on_parquet_filter& with) {
    each_parquet_filter(file, [&](const parquet_column_filter& one) {
        if ((options.column.empty() || options.column == one.path) &&
            one.row_group == options.row_group.value_or(one.row_group)) {
            with(one);
        }
    });
}

[[noreturn]] void refuse_choice(byte_view file, bool several) {
    const std::string list = first_filters(file);
    if (list.empty()) {
        throw bad_data("the .parquet file has no Bloom filters; write it again with them");
    }
    throw bad_argument((several ? "several columns of the .parquet file have filters"
                                : "no filter of the .parquet file is of that column and row "
                                  "group") +
                       std::string("; name one with column and row-group. It has: ") + list);
}

using kept_parquet = keeping<parquet_filter, parquet_column_filter>;

/// The filters of one column in several row groups. Those of a real file do not overlap, so that
/// together they are no larger than the file.
any_filter groups_of(byte_view file, const foreign_options& options,
                     const parquet_column_filter& first) {
    std::vector<parquet_filter> groups;
    std::uint64_t bytes = 0;
    each_chosen(file, options, [&](const parquet_column_filter& one) {
        any_filter made = parquet_filter_at(file, one, options.limits);
        bytes += made.byte_count();
        if (bytes > file.size()) {
            refuse_parquet("filters of several row groups overlap");
        }
        groups.push_back(std::move(static_cast<parquet_filter&>(*made.get_if<kept_parquet>())));
    });
    check_limits(0, bytes, options.limits);
    return any_filter(std::in_place, parquet_groups(first.path, std::string(name_of(first.type)),
                                                    std::move(groups)));
}

/// One filter, or those of a column in all row groups if none of them is named.
any_filter decode_parquet_file(byte_view file, const foreign_options& options) {
    std::optional<parquet_column_filter> match;
    bool one_column = true;
    std::uint64_t matches = 0;
    each_chosen(file, options, [&](const parquet_column_filter& one) {
        ++matches;
        match = match ? match : one;
        one_column = one_column && one.path == match->path && one.type == match->type;
    });
    if (matches == 0 || !one_column || (matches > 1 && options.row_group)) {
        refuse_choice(file, matches != 0);
    }
    return matches == 1 ? parquet_filter_at(file, *match, options.limits)
                        : groups_of(file, options, *match);
}

std::vector<foreign_fact> parquet_file_facts(const any_filter& of) {
    const auto* const found = of.get_if<kept_parquet>();
    if (const auto* const groups = of.get_if<parquet_groups>()) {
        return {{"row groups", std::to_string(groups->count())},
                {"path_in_schema", groups->column()},
                {"type", groups->type()}};
    }
    if (found == nullptr) {
        return {};
    }
    return {{"row group", std::to_string(found->note.row_group)},
            {"path_in_schema", found->note.path},
            {"type", std::string(name_of(found->note.type))},
            {"bloom_filter_offset", std::to_string(found->note.offset)}};
}

} // namespace

any_filter parquet_filter_at(byte_view file, const parquet_column_filter& which,
                             const limits& most) {
    if (!which.other_file.empty() || which.encrypted) {
        throw unsupported(
            "the filter of the column " + which.path +
            (which.encrypted ? " is encrypted" : " is in another file, " + which.other_file));
    }
    const std::uint64_t data_end = parquet_data_end(file);
    if (which.offset > data_end || which.length.value_or(0) > data_end - which.offset) {
        refuse_parquet("a filter is outside the file");
    }
    const byte_view from =
        file.subspan(which.offset, which.length.value_or(data_end - which.offset));
    const parquet_header header = read_parquet_header(from);
    const std::uint64_t present = from.size() - header.header_bytes;
    if (which.length || present < header.bitset_bytes) {
        require_left(present, header.bitset_bytes, "its bitset");
    }
    any_filter made =
        parquet_filter_of(from.subspan(header.header_bytes, header.bitset_bytes), most);
    return with_note<kept_parquet>(std::move(made), which);
}

const foreign_format parquet_file_format{
    .name = "parquet-file",
    .what = "the filters in a .parquet file, of one column, in one row-group or all; read-only",
    .keys = "bytes",
    .needs = "column if several have filters, and row-group to ask for one instead of all",
    .looks = looks_like_parquet_file,
    .decode = decode_parquet_file,
    .facts = parquet_file_facts,
};

} // namespace bloomery::inline v0::format
