// COPY streams: keys from the server, rows to it.
#pragma once

#include <bloomery/guard/store.hpp>

#include "scan_batch.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace bloomery::inline v0::store {

/// Reads a stream of COPY ... (FORMAT binary) with one column, in pieces of any size.
class copy_reader {
public:
    explicit copy_reader(scan_batch& to) : to_(to) {}

    /// Passes on the complete keys. O(piece), plus the rest of the previous piece. Throws
    /// store_error if the stream is invalid, and what the visitor throws.
    void read(std::string_view piece);
    /// Whether the end of the stream was read.
    [[nodiscard]] bool is_done() const noexcept { return is_done_; }

private:
    /// Passes on the complete part of the text and returns its length.
    [[nodiscard]] std::size_t consume(std::string_view text);
    [[nodiscard]] std::size_t consume_header(std::string_view text);
    [[nodiscard]] std::size_t consume_row(std::string_view text);

    scan_batch& to_;
    std::string rest_; ///< an incomplete item
    bool has_begun_ = false;
    bool is_done_ = false;
};

/// Appends a field of a row for COPY ... FROM STDIN, as text or as a bytea. O(field).
void append_field(std::string& to, std::string_view text, bool as_bytes);

} // namespace bloomery::inline v0::store
