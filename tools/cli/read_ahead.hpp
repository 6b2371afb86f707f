// Reads and cuts the next records while the last ones are worked on.
#pragma once

#include "handover.hpp"
#include "records.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

namespace bloomery::cli {

/// A record_reader on a thread of its own. For regular files only: a read of a pipe may wait for
/// ever, and so would whoever wants to stop. Gives what the reader gives, a few thousand records at
/// a time, and throws what it throws, at the same record.
class read_ahead {
public:
    read_ahead(record_reader& reader, char delimiter);
    read_ahead(const read_ahead&) = delete;
    read_ahead& operator=(const read_ahead&) = delete;
    ~read_ahead();

    /// As record_reader::next_batch: valid until the next call, none at the end.
    [[nodiscard]] std::span<const std::string_view> next_batch();

    /// How many bytes had been read when this batch was cut.
    [[nodiscard]] std::uint64_t bytes_read() const noexcept { return current_.bytes_read; }

private:
    struct place {
        std::size_t at;
        std::size_t length;
    };
    struct chunk {
        std::vector<char> bytes;
        std::vector<place> places; ///< of the records in `bytes`, which moves while it grows
        std::vector<std::string_view> records;
        std::uint64_t bytes_read = 0;
        std::exception_ptr failure;
    };

    void run();
    bool fill(chunk& into);
    void append(std::span<const std::string_view> batch, chunk& into) const;

    record_reader& reader_;
    char delimiter_;
    handover<chunk> ready_{4};
    handover<chunk> empty_{8};
    chunk current_;
    std::thread thread_;
};

} // namespace bloomery::cli
