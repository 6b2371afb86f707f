// Records (keys, lines) from a file descriptor: every one, whole and untouched.
//
// A record is the bytes between two delimiters, of any length, with any bytes in it: nothing is
// trimmed, "\r" is data, an empty line is an empty record. What follows the last delimiter is a
// record if it holds at least one byte.
#pragma once

#include "input/unpacking.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::cli {

/// How an input is cut into records, and which part of a record is the key.
struct record_format {
    char delimiter = '\n';
    /// The field that is the key, counted from 1; nothing means the whole record.
    std::optional<unsigned> field;
    char field_separator = '\t';
    bool crlf = false;  ///< a carriage return before the delimiter belongs to neither, nor does a
                        ///< byte order mark at the start of the input
    bool as_is = false; ///< compressed input is not unpacked
};

/// The field of `record` counted from 1. Unlike in cut(1), a record without that field gives an
/// empty key, also when it holds no separator at all: a short record never turns into a key that
/// means something else. O(length).
[[nodiscard]] std::string_view select_field(std::string_view record, char separator,
                                            unsigned field) noexcept;

/// What stands before the text of some editors' files.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// The part of `record`, the `number`th of its input from 1, that is its key.
[[nodiscard]] inline std::string_view key_of(std::string_view record, std::uint64_t number,
                                             const record_format& format) noexcept {
    if (format.crlf) {
        if (record.ends_with('\r')) record.remove_suffix(1);
        if (number == 1 && record.starts_with(byte_order_mark)) record.remove_prefix(3);
    }
    if (!format.field) return record;
    return select_field(record, format.field_separator, *format.field);
}

/// What is odd about the first records of an input, if they were taken for keys as they are: "end
/// with a carriage return", "begin with a byte order mark", or nothing. O(length).
[[nodiscard]] const char* oddity_of(std::span<const std::string_view> first) noexcept;

/// Reads records in batches, without an allocation or a copy for each. One thread at a time.
class record_reader {
public:
    static constexpr std::size_t default_buffer_bytes = std::size_t{256} << 10U;

    /// Reads what `read` gives; `name` is what an error calls it. The buffer grows only while a
    /// single record is longer than it.
    record_reader(byte_reader read, std::string name, char delimiter,
                  std::size_t buffer_bytes = default_buffer_bytes);
    /// The same from `fd`, which stays the caller's.
    record_reader(int fd, const std::string& name, char delimiter,
                  std::size_t buffer_bytes = default_buffer_bytes);

    record_reader(const record_reader&) = delete;
    record_reader& operator=(const record_reader&) = delete;

    /// The next records, about a thousand at most; none at the end of the input. They point into
    /// the reader and are valid until the next call. Waits for no more input than gives one record,
    /// so that a slow pipe is answered at once. Throws `io_error` that names the input when a read
    /// fails, `memory_refused` when a record does not fit into memory.
    [[nodiscard]] std::span<const std::string_view> next_batch();

    /// How many bytes were read so far, for a progress line.
    [[nodiscard]] std::uint64_t bytes_read() const noexcept { return bytes_read_; }

private:
    std::size_t split_buffered();
    bool fill();
    void make_room();

    byte_reader read_;
    char delimiter_;
    bool at_end_ = false;
    std::string name_;
    std::uint64_t bytes_read_ = 0;
    // In the buffer: first_ <= scanned_ <= filled_ <= capacity_. What lies before first_ was handed
    // out; between first_ and scanned_ there is no delimiter, so no byte is looked at twice.
    std::size_t first_ = 0;
    std::size_t scanned_ = 0;
    std::size_t filled_ = 0;
    std::size_t capacity_;
    std::unique_ptr<char[]> buffer_;
    std::vector<std::string_view> records_;
};

} // namespace bloomery::cli
