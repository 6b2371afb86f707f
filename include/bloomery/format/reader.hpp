// A filter's file, read piece by piece and checked: for what must not hold it in memory.
#pragma once

#include <bloomery/format/limits.hpp>
#include <bloomery/format/native.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bloomery::format {

/// Reads the payload of a native file in pieces, also while a writer adds to it: a piece that
/// changes under the reader's eyes is read again. One thread at a time.
class native_reader {
public:
    /// Needs no secret, but compares one that it is given. O(1). Throws io_error, bad_data,
    /// unsupported, memory_refused, bad_argument for another secret, `unsealed` if the policy says
    /// so and no writer is at work; each with the file's name in front.
    explicit native_reader(const std::string& path, const decode_options& options = {});
    native_reader(native_reader&&) noexcept;
    native_reader& operator=(native_reader&&) noexcept;
    ~native_reader();

    /// What the header said when the file was opened. O(1).
    [[nodiscard]] const native_header& header() const noexcept;

    /// Fills `into` with the words from `first` on. Both the beginning and the end are those of
    /// chunks. O(n). Throws bad_data if a chunk is damaged or the file has become shorter;
    /// io_error.
    void read(std::uint64_t first, std::span<std::uint64_t> into);

    /// The same, but gives the numbers of damaged chunks instead of throwing.
    [[nodiscard]] std::vector<std::uint64_t> try_read(std::uint64_t first,
                                                      std::span<std::uint64_t> into);

    /// For who has read all: compares the number of ones with the header, and looks for bits past
    /// the end. O(1). Throws bad_data.
    void check_whole(std::uint64_t ones, std::uint64_t last_word) const;

    /// How many of the chunks read have no checksum, because a writer is changing them or died at
    /// it. O(1).
    [[nodiscard]] std::uint64_t unsealed_chunks() const noexcept;
    /// Whether a writer has the file open now. O(1). Throws io_error.
    [[nodiscard]] bool is_being_written() const;

private:
    struct file;
    std::unique_ptr<file> file_;
};

/// Whether a writer has that file open now; false for what cannot be opened. O(1). Throws io_error.
[[nodiscard]] bool is_being_written(const std::string& path);

/// What `verify` found in a file whose header is good.
struct verification {
    native_header header;
    bool being_written = false;
    std::uint64_t unsealed_chunks = 0;           ///< cannot be checked: see `native_state::sealed`
    std::vector<std::uint64_t> damaged_chunks{}; ///< their numbers, in order
};

/// Checks every checksum and invariant of a file in constant memory. O(w). Throws as native_reader
/// and check_whole; damaged chunks are reported, not thrown.
[[nodiscard]] verification verify(const std::string& path, const decode_options& options = {});

} // namespace bloomery::format
