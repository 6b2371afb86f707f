// The filters of a .parquet file, found by its footer.
#include "parquet_footer.hpp"

#include <bloomery/error.hpp>
#include <bloomery/format/foreign.hpp>

#include "cursor.hpp"
#include "thrift.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bloomery::inline v0::format {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view mark = "PAR1"sv;
constexpr std::string_view encrypted_mark = "PARE"sv;
constexpr std::size_t mark_bytes = 4;
constexpr std::size_t tail_bytes = 8; // the length of the footer, and the magic number
constexpr std::size_t least_bytes = mark_bytes + tail_bytes;

constexpr std::array type_names{"BOOLEAN"sv, "INT32"sv,  "INT64"sv,      "INT96"sv,
                                "FLOAT"sv,   "DOUBLE"sv, "BYTE_ARRAY"sv, "FIXED_LEN_BYTE_ARRAY"sv};

std::string path_of(thrift_reader& from) {
    std::string path;
    bool first = true;
    from.each_element(thrift_type::binary, [&] {
        path.append(first ? "" : ".").append(from.binary());
        first = false;
    });
    return path;
}

parquet_type type_of(std::int64_t number) {
    if (number < 0 || number >= static_cast<std::int64_t>(type_names.size())) {
        throw unsupported("the .parquet file has a column of the type " + std::to_string(number) +
                          ", which this version does not know");
    }
    return static_cast<parquet_type>(number);
}

/// Whether a field is an integer, like all wanted fields here.
bool is_integer(thrift_type type) { return type == thrift_type::i32 || type == thrift_type::i64; }

/// Reads the columns in the footer: the relevant fields; the rest is skipped.
class footer_reader {
public:
    footer_reader(byte_view file, const on_parquet_filter& found)
        : data_end_(parquet_data_end(file)),
          from_(file.subspan(data_end_, file.size() - tail_bytes - data_end_)), found_(found) {}

    void read_file() {
        std::uint64_t row_group = 0;
        each_in_list(4, [&] {
            each_in_list(1, [&] { read_column(row_group); });
            ++row_group;
        });
    }

private:
    /// Calls `each()` for every structure in the list that is a field of the next structure.
    template <class Each>
    void each_in_list(int field, Each each) {
        from_.each_field([&](int id, thrift_type type) {
            if (id != field || type != thrift_type::list) {
                return false;
            }
            from_.each_element(thrift_type::structure, each);
            return true;
        });
    }

    void read_column(std::uint64_t row_group) {
        parquet_column_filter column;
        column.row_group = row_group;
        bool has_filter = false;
        from_.each_field([&](int id, thrift_type type) {
            if (id == 1 && type == thrift_type::binary) {
                column.other_file = from_.binary();
                return true;
            }
            if (id == 3 && type == thrift_type::structure) {
                has_filter = read_metadata(column);
                return true;
            }
            column.encrypted = column.encrypted || id == 8;
            return false;
        });
        if (has_filter) {
            require_inside(column);
            found_(column);
        }
    }

    bool read_metadata(parquet_column_filter& column) {
        std::optional<std::int64_t> offset;
        std::optional<std::int64_t> length;
        from_.each_field([&](int id, thrift_type type) {
            if (id == 3 && type == thrift_type::list) {
                column.path = path_of(from_);
            } else if (id == 1 && is_integer(type)) {
                column.type = type_of(from_.integer());
            } else if (id == 14 && is_integer(type)) {
                offset = from_.integer();
            } else if (id == 15 && is_integer(type)) {
                length = from_.integer();
            } else {
                return false;
            }
            return true;
        });
        if (offset.value_or(0) < 0 || length.value_or(0) < 0) {
            refuse_parquet("a filter has a negative offset");
        }
        column.offset = static_cast<std::uint64_t>(offset.value_or(0));
        if (length) {
            column.length = static_cast<std::uint64_t>(*length);
        }
        return offset.has_value();
    }

    void require_inside(const parquet_column_filter& column) const {
        const std::uint64_t length = column.length.value_or(0);
        if (column.other_file.empty() && (column.offset < mark_bytes || column.offset > data_end_ ||
                                          length > data_end_ - column.offset)) {
            refuse_parquet("a filter is outside the file");
        }
    }

    std::uint64_t data_end_;
    thrift_reader from_;
    const on_parquet_filter& found_;
};

} // namespace

void refuse_parquet(const char* what) {
    throw bad_data("the .parquet file is damaged: " + std::string(what) +
                   "; restore it from a copy");
}

bool has_parquet_marks(byte_view file) noexcept {
    const std::string_view text = text_of(file);
    return file.size() >= least_bytes && text.starts_with(mark) && text.ends_with(mark);
}

// The footer ends eight bytes before the file does.
std::uint64_t parquet_data_end(byte_view file) {
    if (file.size() < least_bytes) {
        throw bad_data("this is not a .parquet file: it is too short to be one");
    }
    const std::string_view end = text_of(file.last(mark_bytes));
    if (end == encrypted_mark) {
        throw unsupported("the footer of this .parquet file, which locates its filters, is "
                          "encrypted");
    }
    if (end != mark || text_of(file.first(mark_bytes)) != mark) {
        throw bad_data("this is not a .parquet file, or it is truncated: it does not begin and "
                       "end with PAR1");
    }
    const std::uint64_t length = cursor(file.last(tail_bytes)).little<std::uint32_t>();
    if (length > file.size() - least_bytes) {
        refuse_parquet("its footer is longer than the file");
    }
    return file.size() - tail_bytes - length;
}

void each_parquet_filter(byte_view file, const on_parquet_filter& found) {
    footer_reader(file, found).read_file();
}

std::string_view name_of(parquet_type type) noexcept {
    return type_names[static_cast<std::size_t>(type)];
}

std::vector<parquet_column_filter> parquet_filters(byte_view file) {
    std::vector<parquet_column_filter> found;
    each_parquet_filter(file, [&](const parquet_column_filter& one) { found.push_back(one); });
    return found;
}

} // namespace bloomery::inline v0::format
