#include "output/output.hpp"

#include <bloomery/error.hpp>

#include "interruption.hpp"
#include "standard_streams.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace bloomery::cli {

namespace {

/// 0 when all was written, else the system's reason.
int write_fully(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t sent = ::write(fd, text.data(), text.size());
        if (sent >= 0) {
            text.remove_prefix(static_cast<std::size_t>(sent));
        } else if (errno != EINTR && !wait_if_not_ready(fd, POLLOUT, errno)) {
            return errno;
        } else {
            interruption::check();
        }
    }
    return 0;
}

} // namespace

output::output(int fd, std::string name, std::size_t buffer_bytes, mode how)
    : fd_(fd), line_buffered_(::isatty(fd) == 1), name_(std::move(name)),
      capacity_(std::max<std::size_t>(buffer_bytes, 1)),
      buffer_(std::make_unique_for_overwrite<char[]>(capacity_)) {
    if (how == mode::behind && !line_buffered_) {
        behind_ = std::make_unique<write_behind>(
            [fd](std::string_view text) { return write_fully(fd, text); }, capacity_);
    }
}

output::~output() {
    try {
        if (!done_) flush();
    } catch (...) {
        // Reported to whoever called close(); a destructor has nobody to tell.
        used_ = 0;
    }
}

void output::write_slowly(std::string_view text) {
    store(text);
    if (line_buffered_ && text.find('\n') != std::string_view::npos) flush();
}

void output::write_record_slowly(std::string_view record, char delimiter) {
    store(record);
    store({&delimiter, 1});
    if (line_buffered_) flush();
}

void output::store(std::string_view text) {
    if (text.size() > capacity_ - used_) flush();
    if (text.size() > capacity_) {
        send(text); // a copy through the buffer would only cost time
    } else {
        append(text);
    }
}

void output::flush() {
    // Emptied first: after a failure nothing must be sent twice.
    const std::size_t used = std::exchange(used_, 0);
    if (behind_ == nullptr) {
        send({buffer_.get(), used});
    } else if (!done_ && used > 0) {
        complain(behind_->exchange(buffer_, used));
    }
}

void output::close() {
    if (done_) return;
    flush();
    if (behind_ != nullptr) complain(behind_->wait());
    done_ = true;
    // Closing a duplicate makes the system report what it kept back, and leaves the descriptor to
    // its owner. No descriptor free for it means nothing to report.
    const int duplicate = ::dup(fd_);
    if (duplicate >= 0 && ::close(duplicate) != 0 && errno != EINTR) complain(errno);
}

void output::send(std::string_view text) {
    if (done_) return;
    if (behind_ != nullptr) complain(behind_->wait()); // what was written before goes first
    complain(write_fully(fd_, text));
}

void output::complain(int reason) {
    if (reason == 0) return;
    done_ = true;
    if (reason == EPIPE) throw broken_pipe{};
    throw io_error("cannot write to " + name_, std::error_code(reason, std::generic_category()));
}

void write_selected(output& out, std::span<const std::string_view> records, const bitmap& bits,
                    bool wanted, char delimiter) {
    for (std::size_t i = 0; i < records.size();) {
        if (bits[i] != wanted) {
            ++i;
            continue;
        }
        const char* const begin = records[i].data();
        const char* end = begin + records[i].size();
        for (++i; i < records.size() && bits[i] == wanted && records[i].data() == end + 1; ++i) {
            end += 1 + records[i].size();
        }
        out.write_record({begin, static_cast<std::size_t>(end - begin)}, delimiter);
    }
}

} // namespace bloomery::cli
