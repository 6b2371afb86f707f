#include "input/records.hpp"

#include <bloomery/error.hpp>

#include "input/input.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace bloomery::cli {
namespace {

constexpr std::size_t batch_records = 1024;

} // namespace

std::string_view select_field(std::string_view record, char separator, unsigned field) noexcept {
    if (field == 0) return {};
    for (; field > 1; --field) {
        const std::size_t at = record.find(separator);
        if (at == std::string_view::npos) return {};
        record.remove_prefix(at + 1);
    }
    return record.substr(0, record.find(separator));
}

const char* oddity_of(std::span<const std::string_view> first) noexcept {
    if (first.empty()) return nullptr;
    if (first.front().starts_with(byte_order_mark)) return "begin with a byte order mark";
    const auto looked_at = first.first(std::min<std::size_t>(first.size(), 10));
    const bool all = std::ranges::all_of(
        looked_at, [](std::string_view record) { return record.ends_with('\r'); });
    return all ? "end with a carriage return" : nullptr;
}

record_reader::record_reader(byte_reader read, std::string name, char delimiter,
                             std::size_t buffer_bytes)
    : read_(std::move(read)), delimiter_(delimiter), name_(std::move(name)),
      capacity_(std::max<std::size_t>(buffer_bytes, 1)),
      buffer_(std::make_unique_for_overwrite<char[]>(capacity_)), records_(batch_records) {}

record_reader::record_reader(int fd, const std::string& name, char delimiter,
                             std::size_t buffer_bytes)
    : record_reader([fd, name](std::span<char> into) { return read_some(fd, name, into); }, name,
                    delimiter, buffer_bytes) {}

std::span<const std::string_view> record_reader::next_batch() {
    while (true) {
        if (const std::size_t count = split_buffered(); count > 0) return {records_.data(), count};
        if (!fill()) break;
    }
    if (first_ == filled_) return {};
    records_[0] = {buffer_.get() + first_, filled_ - first_};
    first_ = scanned_ = filled_;
    return {records_.data(), 1};
}

std::size_t record_reader::split_buffered() {
    const char* const stop = buffer_.get() + filled_;
    const char* start = buffer_.get() + first_;
    const char* scan = buffer_.get() + scanned_;
    std::size_t count = 0;
    while (count < batch_records) {
        const void* found = std::memchr(scan, delimiter_, static_cast<std::size_t>(stop - scan));
        if (found == nullptr) {
            scan = stop;
            break;
        }
        const char* const end = static_cast<const char*>(found);
        records_[count++] = {start, static_cast<std::size_t>(end - start)};
        start = scan = end + 1;
    }
    first_ = static_cast<std::size_t>(start - buffer_.get());
    scanned_ = static_cast<std::size_t>(scan - buffer_.get());
    return count;
}

// Reads once into the free part of the buffer; false at the end of the input. The end is kept: a
// terminal would go on after its end-of-file key.
bool record_reader::fill() {
    if (at_end_) return false;
    make_room();
    const std::size_t got = read_({buffer_.get() + filled_, capacity_ - filled_});
    filled_ += got;
    bytes_read_ += got;
    at_end_ = got == 0;
    return !at_end_;
}

// Every record was handed out but the unfinished one: move it to the front, or into a buffer of
// twice the size when it fills this one.
void record_reader::make_room() {
    const std::size_t pending = filled_ - first_;
    if (pending == capacity_) {
        try {
            auto larger = std::make_unique_for_overwrite<char[]>(2 * capacity_);
            std::memcpy(larger.get(), buffer_.get(), pending);
            buffer_ = std::move(larger);
        } catch (const std::bad_alloc&) {
            throw memory_refused("a record of " + name_ +
                                 " does not fit into memory; check the delimiter");
        }
        capacity_ *= 2;
    } else if (first_ > 0) {
        std::memmove(buffer_.get(), buffer_.get() + first_, pending);
    }
    first_ = 0;
    scanned_ = filled_ = pending;
}

} // namespace bloomery::cli
