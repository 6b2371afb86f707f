#include "gzip.hpp"

#include <bloomery/error.hpp>

#include <algorithm>
#include <array>

#ifndef BLOOMERY_WITHOUT_ZLIB
#include <zlib.h>
#endif

namespace bloomery::inline v0::format {

bool is_gzip(byte_view bytes) noexcept {
    return bytes.size() >= 2 && bytes[0] == std::byte{0x1f} && bytes[1] == std::byte{0x8b};
}

#ifdef BLOOMERY_WITHOUT_ZLIB

namespace {

[[noreturn]] void refuse_gzip() {
    throw unsupported("this bloomery was built without zlib and cannot read or write gzip files; "
                      "decompress it with gunzip first");
}

} // namespace

struct gzip_reader::state {};
gzip_reader::gzip_reader(byte_view /*packed*/) { refuse_gzip(); }
gzip_reader::~gzip_reader() = default;
std::size_t gzip_reader::read(std::span<std::byte> /*into*/) { refuse_gzip(); }
void write_gzip(const std::function<void(const byte_consumer&)>& /*produce*/,
                const byte_consumer& /*write*/) {
    refuse_gzip();
}

#else

namespace {

// 15: the largest window; plus 16: with gzip's header and checksum.
constexpr int gzip_window = 15 + 16;

// zlib counts in 32 bits.
uInt piece_of(std::size_t size) {
    return static_cast<uInt>(std::min<std::size_t>(size, std::size_t{1} << 30U));
}

Bytef* start_of(byte_view bytes) {
    // zlib never writes to its input; older versions do not declare it const.
    return reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data())); // NOLINT
}

[[noreturn]] void refuse_memory() {
    throw memory_refused("out of memory while compressing or decompressing with gzip");
}

} // namespace

struct gzip_reader::state {
    byte_view left; // not passed to zlib yet
    z_stream stream{};
    bool ended = false;

    /// Passes the next piece to zlib if it has no input.
    void feed() {
        if (stream.avail_in == 0 && !left.empty()) {
            stream.next_in = start_of(left);
            stream.avail_in = piece_of(left.size());
            left = left.subspan(stream.avail_in);
        }
    }
};

gzip_reader::gzip_reader(byte_view packed) : state_(std::make_unique<state>()) {
    state_->left = packed;
    if (inflateInit2(&state_->stream, gzip_window) != Z_OK) {
        refuse_memory();
    }
}

gzip_reader::~gzip_reader() { inflateEnd(&state_->stream); }

std::size_t gzip_reader::read(std::span<std::byte> into) {
    z_stream& stream = state_->stream;
    std::size_t filled = 0;
    while (filled < into.size() && !state_->ended) {
        state_->feed();
        const std::span<std::byte> room = into.subspan(filled);
        stream.next_out = reinterpret_cast<Bytef*>(room.data()); // NOLINT
        stream.avail_out = piece_of(room.size());
        const uInt before = stream.avail_out;
        const int result = inflate(&stream, Z_NO_FLUSH);
        filled += before - stream.avail_out;
        state_->ended = result == Z_STREAM_END;
        if (result == Z_MEM_ERROR) {
            refuse_memory();
        }
        if (result != Z_OK && result != Z_STREAM_END) {
            throw bad_data("the packed filter is damaged or truncated: gzip cannot decompress "
                           "it; restore it from a copy");
        }
    }
    if (state_->ended && (stream.avail_in != 0 || !state_->left.empty())) {
        throw bad_data("there is data after the packed filter; restore it from a copy");
    }
    return filled;
}

namespace {

class packer {
public:
    explicit packer(const byte_consumer& write) : write_(write) {
        header_.os = 255; // unknown
        if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, 8,
                         Z_DEFAULT_STRATEGY) != Z_OK) {
            refuse_memory();
        }
        deflateSetHeader(&stream_, &header_);
    }
    packer(const packer&) = delete;
    packer& operator=(const packer&) = delete;
    ~packer() { deflateEnd(&stream_); }

    void put(byte_view bytes) {
        while (!bytes.empty()) {
            stream_.next_in = start_of(bytes);
            stream_.avail_in = piece_of(bytes.size());
            bytes = bytes.subspan(stream_.avail_in);
            while (stream_.avail_in != 0) {
                step(Z_NO_FLUSH);
            }
        }
    }
    void finish() {
        while (step(Z_FINISH) != Z_STREAM_END) {
        }
    }

private:
    int step(int flush) {
        stream_.next_out = reinterpret_cast<Bytef*>(room_.data()); // NOLINT
        stream_.avail_out = static_cast<uInt>(room_.size());
        const int result = deflate(&stream_, flush);
        write_(byte_view(room_).first(room_.size() - stream_.avail_out));
        return result;
    }

    const byte_consumer& write_;
    z_stream stream_{};
    gz_header header_{};
    std::array<std::byte, 16384> room_;
};

} // namespace

void write_gzip(const std::function<void(const byte_consumer&)>& produce,
                const byte_consumer& write) {
    packer to(write);
    produce([&](byte_view part) { to.put(part); });
    to.finish();
}

#endif

} // namespace bloomery::inline v0::format
