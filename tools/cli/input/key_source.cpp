#include "input/key_source.hpp"

#include <utility>

namespace bloomery::cli {

namespace {

constexpr std::size_t chunks = 6;
constexpr std::size_t chunk_records = 4096;
constexpr std::size_t chunk_bytes = std::size_t{1} << 20U;

} // namespace

key_source::key_source(record_reader& reader, const key_options& options, const any_filter& hasher,
                       bool ahead)
    : reader_(reader), options_(options), hasher_(hasher) {
    if (!ahead) return;
    for (std::size_t i = 0; i < chunks; ++i) empty_.push({});
    thread_ = std::thread([this] { run(); });
}

key_source::~key_source() {
    ready_.close();
    empty_.close();
    if (thread_.joinable()) thread_.join();
}

const key_chunk* key_source::next() {
    if (at_end_) return nullptr;
    if (thread_.joinable()) {
        empty_.push(std::exchange(current_, {}));
        auto ready = ready_.pop();
        at_end_ = !ready;
        if (ready) current_ = std::move(*ready);
        if (current_.failure) std::rethrow_exception(current_.failure);
    } else {
        // The records stay in the reader's buffer: nothing reads on before the next call.
        const auto batch = reader_.next_batch();
        at_end_ = batch.empty();
        current_.records.assign(batch.begin(), batch.end());
        current_.keys.take(current_.records, records_before_ + 1, options_, hasher_);
        current_.bytes_read = reader_.bytes_read();
        records_before_ += batch.size();
    }
    return at_end_ ? nullptr : &current_;
}

void key_source::run() {
    while (auto chunk = empty_.pop()) {
        const bool more = fill(*chunk);
        const bool worth_sending = chunk->failure || !chunk->records.empty();
        if (worth_sending && !ready_.push(std::move(*chunk))) break;
        if (!more) break;
    }
    ready_.close();
}

// False after the last record, or after a failure: what came before it in this chunk is not sent,
// because the verb ends here anyway.
bool key_source::fill(key_chunk& into) {
    try {
        copy_records(into);
        into.keys.take(into.records, records_before_ + 1, options_, hasher_);
        into.bytes_read = reader_.bytes_read();
        records_before_ += into.records.size();
        return !into.records.empty();
    } catch (...) {
        into.failure = std::current_exception();
        return false;
    }
}

// The reader's records lie in its buffer, which the next read overwrites; they move to the chunk's
// own bytes and lie there the same way. Lengths first, views last: the bytes move while they grow.
void key_source::copy_records(key_chunk& into) {
    into.bytes.clear();
    if (into.bytes.capacity() > 2 * chunk_bytes) into.bytes.shrink_to_fit(); // after a giant record
    into.records.clear();
    std::vector<std::size_t> lengths;
    lengths.reserve(2 * chunk_records);
    while (lengths.size() < chunk_records && into.bytes.size() < chunk_bytes) {
        const auto batch = reader_.next_batch();
        if (batch.empty()) break;
        const char* const begin = batch.front().data();
        into.bytes.insert(into.bytes.end(), begin, batch.back().data() + batch.back().size());
        into.bytes.push_back(options_.format.delimiter);
        for (const std::string_view record : batch) lengths.push_back(record.size());
    }
    const char* at = into.bytes.data();
    for (const std::size_t length : lengths) {
        into.records.emplace_back(at, length);
        at += length + 1;
    }
}

} // namespace bloomery::cli
