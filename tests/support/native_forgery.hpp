// Native files as an adversary would make them: changed, with every checksum right again.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/hash/xxh3.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::testing {

inline constexpr std::size_t header_checksum_at = 2552;
inline constexpr std::size_t even_state_at = 2560;
inline constexpr std::size_t odd_state_at = 3072;

inline void store(std::span<std::byte> file, std::size_t at, std::uint64_t value,
                  unsigned width = 8) {
    for (unsigned i = 0; i < width; ++i) {
        file[at + i] = static_cast<std::byte>(value >> (8 * i));
    }
}

/// What the checksum of the record of the state at that place should be.
inline std::uint64_t state_checksum(byte_view file, std::size_t at) {
    const std::uint64_t seed = hash::load_le64(file.data() + header_checksum_at);
    return hash::xxh3_64{seed}(file.subspan(at, 56)).value;
}

/// The checksums of the header and of the two records of the state, where there is one.
inline void mend_header(std::span<std::byte> file) {
    if (file.size() < format::native_header_bytes) {
        return;
    }
    const std::uint64_t sum = hash::xxh3_64{}(byte_view{file.data(), header_checksum_at}).value;
    store(file, header_checksum_at, sum);
    for (const std::size_t at : {even_state_at, odd_state_at}) {
        const byte_view record{file.data() + at, 56};
        if (std::ranges::any_of(record, [](std::byte b) { return b != std::byte{0}; })) {
            store(file, at + 56, state_checksum(file, at));
        }
    }
}

/// Those of the chunks, for a payload of that many bytes, where the table has one.
inline void mend_chunks(std::span<std::byte> file, std::size_t payload_bytes) {
    const std::size_t table = format::native_header_bytes + payload_bytes;
    for (std::size_t at = 0, number = 0;
         at < payload_bytes && table + number * 8 + 8 <= file.size();
         at += format::native_chunk_bytes, ++number) {
        const byte_view chunk{file.data() + format::native_header_bytes + at,
                              std::min(format::native_chunk_bytes, payload_bytes - at)};
        if (hash::load_le64(file.data() + table + number * 8) != 0) {
            store(file, table + number * 8, hash::xxh3_64{number + 1}(chunk).value);
        }
    }
}

} // namespace bloomery::testing
