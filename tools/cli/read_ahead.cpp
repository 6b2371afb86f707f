#include "read_ahead.hpp"

#include <utility>

namespace bloomery::cli {

namespace {

constexpr std::size_t chunks = 6;
constexpr std::size_t chunk_records = 4096;

} // namespace

read_ahead::read_ahead(record_reader& reader, char delimiter)
    : reader_(reader), delimiter_(delimiter) {
    for (std::size_t i = 0; i < chunks; ++i) empty_.push({});
    thread_ = std::thread([this] { run(); });
}

read_ahead::~read_ahead() {
    ready_.close();
    empty_.close();
    thread_.join();
}

std::span<const std::string_view> read_ahead::next_batch() {
    empty_.push(std::exchange(current_, {}));
    if (auto next = ready_.pop()) current_ = std::move(*next);
    if (current_.failure) std::rethrow_exception(current_.failure);
    return current_.records;
}

void read_ahead::run() {
    while (auto next = empty_.pop()) {
        const bool more = fill(*next);
        // What was read before a failure is delivered before it.
        const std::exception_ptr failure = std::exchange(next->failure, nullptr);
        if (!next->records.empty() && !ready_.push(std::move(*next))) break;
        if (failure) {
            chunk last;
            last.failure = failure;
            ready_.push(std::move(last));
        }
        if (!more) break;
    }
    ready_.close();
}

// False after the last record, or after a failure.
bool read_ahead::fill(chunk& into) {
    into.bytes.clear();
    into.places.clear();
    into.records.clear();
    bool more = true;
    try {
        while (more && into.places.size() < chunk_records) {
            const auto batch = reader_.next_batch();
            more = !batch.empty();
            if (more) append(batch, into);
        }
    } catch (...) {
        into.failure = std::current_exception();
        more = false;
    }
    for (const place& record : into.places) {
        into.records.emplace_back(into.bytes.data() + record.at, record.length);
    }
    into.bytes_read = reader_.bytes_read();
    return more;
}

// The records of a batch lie one after another in the reader's buffer, which the next read
// overwrites; here they lie the same way, each followed by its delimiter.
void read_ahead::append(std::span<const std::string_view> batch, chunk& into) const {
    const char* const begin = batch.front().data();
    const char* const end = batch.back().data() + batch.back().size();
    const std::size_t offset = into.bytes.size();
    into.bytes.insert(into.bytes.end(), begin, end);
    into.bytes.push_back(delimiter_);
    for (const std::string_view record : batch) {
        into.places.push_back(
            {offset + static_cast<std::size_t>(record.data() - begin), record.size()});
    }
}

} // namespace bloomery::cli
