// Reading values from an RDB file or a DUMP, neither of which is trusted.
#pragma once

#include <bloomery/detail/key/bytes.hpp>

#include "api.hpp"
#include "memory.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace bloomery::redis_module {

/// Thrown by a reader if the stream ended or broke.
struct io_failed {};

/// Each call throws io_failed if there was nothing to read.
class rdb_reader {
public:
    explicit rdb_reader(stream* from) noexcept : from_(from) {}

    std::uint64_t number() {
        const std::uint64_t value = server.load_number(from_);
        check();
        return value;
    }
    double real() {
        const double value = server.load_double(from_);
        check();
        return value;
    }
    server_bytes bytes() {
        std::size_t size = 0;
        char* const data = server.load_bytes(from_, &size);
        server_bytes taken(data, data != nullptr ? size : 0);
        check();
        if (data == nullptr) throw io_failed{};
        return taken;
    }

private:
    void check() const {
        if (server.is_io_error(from_) != 0) throw io_failed{};
    }
    stream* from_;
};

/// Whether a client sent what is read, with RESTORE: files and data from a master were granted
/// already.
bool is_from_client(stream* from) noexcept;

/// Runs a reader for the server; null, and a line in its log, if the value is refused.
void* load_or_null(stream* from, void* (*read)(stream*, int), int version) noexcept;

inline void save_bytes(stream* to, const server_bytes& bytes) noexcept {
    server.save_bytes(to, reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

/// In pieces, because the server counts the bytes of a call with 32 bits.
inline void digest_bytes(digest_state* to, byte_view bytes) noexcept {
    constexpr std::uint64_t most = std::uint64_t{1} << 30U;
    std::uint64_t at = 0;
    do {
        const std::uint64_t size = std::min<std::uint64_t>(most, bytes.size() - at);
        server.digest_add_bytes(to, reinterpret_cast<const char*>(bytes.data() + at), size);
        at += size;
    } while (at < bytes.size());
}
inline void digest_number(digest_state* to, std::uint64_t number) noexcept {
    server.digest_add_number(to, static_cast<long long>(number));
}
inline void digest_real(digest_state* to, double number) noexcept {
    digest_number(to, std::bit_cast<std::uint64_t>(number));
}

} // namespace bloomery::redis_module
