// The streams of COPY: keys that come, rows that go.
#pragma once

#include <bloomery/guard/store.hpp>

#include "key_batch.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace bloomery::store {

/// Reads a stream of COPY ... (FORMAT binary) of one column, in whatever pieces it comes.
class copy_reader {
public:
    explicit copy_reader(key_batch& to) : to_(to) {}

    /// Hands on the keys that are whole. O(piece), and the rest of the piece before. Throws
    /// store_error for what is no such stream, and what the visitor throws.
    void read(std::string_view piece);
    /// Whether the end of the stream was among what was read.
    [[nodiscard]] bool is_done() const noexcept { return is_done_; }

private:
    /// How much of the text is whole; what is whole is handed on.
    [[nodiscard]] std::size_t consume(std::string_view text);
    [[nodiscard]] std::size_t consume_header(std::string_view text);
    [[nodiscard]] std::size_t consume_row(std::string_view text);

    key_batch& to_;
    std::string rest_; ///< the beginning of something
    bool has_begun_ = false;
    bool is_done_ = false;
};

/// Appends a field of a row for COPY ... FROM STDIN, as text or as a bytea. O(field).
void append_field(std::string& to, std::string_view text, bool as_bytes);

} // namespace bloomery::store
