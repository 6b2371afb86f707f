// Where batches of keys come from: here and now, or read, cut and hashed ahead by a thread.
#pragma once

#include "bounded_queue.hpp"
#include "input/keys.hpp"
#include "input/records.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

namespace bloomery::cli {

/// Some records with their keys, and the bytes they lie in if they are its own.
struct key_chunk {
    std::vector<char> bytes;
    std::vector<std::string_view> records;
    key_batch keys;
    std::uint64_t bytes_read = 0; ///< of the input, when this chunk was cut
    std::exception_ptr failure;
};

/// Gives the records of a reader, chunk by chunk. With a thread of its own it works ahead; that is
/// for regular files only, because a read of a pipe may wait for ever, and so would whoever wants
/// to stop. Either way the records of a chunk lie one after another, each followed by its
/// delimiter.
class key_source {
public:
    key_source(record_reader& reader, const key_options& options, const any_filter& hasher,
               bool ahead);
    key_source(const key_source&) = delete;
    key_source& operator=(const key_source&) = delete;
    ~key_source();

    /// The next chunk, valid until the next call; nullptr at the end. Throws what the reader and
    /// the keys throw, after the chunks before it.
    [[nodiscard]] const key_chunk* next();

private:
    void run();
    bool fill(key_chunk& into);
    void copy_records(key_chunk& into);

    record_reader& reader_;
    const key_options& options_;
    const any_filter& hasher_;
    std::uint64_t records_before_ = 0;
    bool at_end_ = false;
    key_chunk current_;
    bounded_queue<key_chunk> ready_{4};
    bounded_queue<key_chunk> empty_{8};
    std::thread thread_;
};

} // namespace bloomery::cli
