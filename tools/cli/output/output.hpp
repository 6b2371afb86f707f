// Buffered writing to a file descriptor, with every failure reported.
#pragma once

#include <bloomery/storage/bitmap.hpp>

#include "output/write_behind.hpp"

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace bloomery::cli {

/// Thrown when nobody reads our output any more (`bloomery ... | head`). Not a
/// `bloomery::error`: the command ends quietly. Thrown only if SIGPIPE is ignored.
struct broken_pipe {};

/// Collects what is written and passes it on in large pieces; at a terminal, line by line. Once a
/// write has failed the rest is dropped. One thread at a time.
class output {
public:
    static constexpr std::size_t default_buffer_bytes = std::size_t{64} << 10U;

    /// Whether the caller waits for the system's writes, or a thread does.
    enum class mode { direct, behind };

    /// Writes to `fd`, which stays the caller's; `name` is what an error calls it. Behind, an error
    /// may be thrown a few buffers late, but never later than by `close()`.
    output(int fd, std::string name, std::size_t buffer_bytes = default_buffer_bytes,
           mode how = mode::direct);

    output(const output&) = delete;
    output& operator=(const output&) = delete;

    /// Passes on what is left if it can. It cannot report a failure: call `close()` first.
    ~output();

    /// Throws `broken_pipe`, or `io_error` that names the output.
    void write(std::string_view text) {
        if (text.size() > capacity_ - used_ || line_buffered_) return write_slowly(text);
        append(text);
    }

    /// Writes the record and its delimiter. Throws as `write` does.
    void write_record(std::string_view record, char delimiter) {
        if (record.size() >= capacity_ - used_ || line_buffered_) {
            return write_record_slowly(record, delimiter);
        }
        append(record);
        buffer_[used_++] = delimiter;
    }

    /// Passes on all that was written. Throws as `write` does.
    void flush();

    /// Flushes, and asks the system for the errors that it keeps until a file is closed (a full
    /// disk behind NFS). Nothing may be written afterwards. Throws as `write` does.
    void close();

private:
    void append(std::string_view text) noexcept {
        if (text.empty()) return; // memcpy wants no null pointer, not even for nothing
        std::memcpy(buffer_.get() + used_, text.data(), text.size());
        used_ += text.size();
    }
    void write_slowly(std::string_view text);
    void write_record_slowly(std::string_view record, char delimiter);
    void store(std::string_view text);
    void send(std::string_view text);
    void complain(int reason);

    int fd_;
    bool line_buffered_;
    bool done_ = false;
    std::string name_;
    std::size_t used_ = 0;
    std::size_t capacity_;
    std::unique_ptr<char[]> buffer_;
    std::unique_ptr<write_behind> behind_;
};

/// Writes the records whose bit is `wanted`, each with its delimiter. The records of a batch lie
/// one after another in the reader's buffer with one delimiter between, so a run of them is one
/// write.
void write_selected(output& out, std::span<const std::string_view> records, const bitmap& bits,
                    bool wanted, char delimiter);

/// Writes the text to a file; "-" is standard output. A file that is already there is replaced
/// when all is written, if `force` says so. Throws io_error: std::errc::file_exists without
/// `force`, and what the system says of a full disk or a folder that is not there.
void write_text_file(const std::string& path, std::string_view text, bool force);

} // namespace bloomery::cli
