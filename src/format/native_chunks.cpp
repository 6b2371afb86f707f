#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/hash/xxh3.hpp>

#include "native_parts.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#if !defined(__wasm__)
#include <fstream>
#endif

namespace bloomery::inline v0::format {

// The chunk's number is the seed, so that swapped chunks are detected.
std::uint64_t chunk_checksum(byte_view chunk, std::uint64_t number) noexcept {
    const std::uint64_t sum = hash::xxh3_64{number + 1}(chunk).value;
    return sum == no_checksum ? 1 : sum;
}

std::uint64_t chunk_checksum(std::span<const std::uint64_t> words, std::uint64_t number) noexcept {
    if constexpr (std::endian::native == std::endian::little) {
        return chunk_checksum(std::as_bytes(words), number);
    } else {
        std::array<std::byte, native_chunk_bytes> chunk; // NOLINT: written before it is read
        for (std::size_t i = 0; i < words.size(); ++i) {
            hash::store_le64(chunk.data() + i * 8, words[i]);
        }
        return chunk_checksum(byte_view{chunk.data(), words.size() * 8}, number);
    }
}

chunk_verdict judge(std::uint64_t sum, std::uint64_t noted, const native_state& state) noexcept {
    if (sum == noted) {
        return chunk_verdict::whole;
    }
    if (state.sealed) {
        return chunk_verdict::damaged;
    }
    const bool cache_survived = state.boot != native_state{}.boot && state.boot == current_boot();
    return noted == no_checksum || !cache_survived ? chunk_verdict::unsealed
                                                   : chunk_verdict::damaged;
}

namespace {

#if defined(__wasm__)
std::array<std::byte, 16> read_boot() { return {}; } // there is no system to ask
#else
std::array<std::byte, 16> read_boot() {
    std::array<std::byte, 16> id{};
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::size_t digits = 0;
    for (char c = 0; file.get(c) && digits < 32;) {
        const int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (value >= 0) {
            id[digits / 2] |= static_cast<std::byte>(digits % 2 == 0 ? value << 4 : value);
            ++digits;
        }
    }
    return digits == 32 ? id : std::array<std::byte, 16>{};
}
#endif

} // namespace

std::array<std::byte, 16> current_boot() {
    static const std::array<std::byte, 16> id = read_boot();
    return id;
}

std::size_t bytes_of_chunk(const native_header& header, std::uint64_t number) noexcept {
    return static_cast<std::size_t>(std::min<std::uint64_t>(
        native_chunk_bytes, header.payload_bytes() - number * native_chunk_bytes));
}

std::string name_of_chunk(const native_header& header, std::uint64_t number) {
    const std::uint64_t start = native_header_bytes + number * native_chunk_bytes;
    return "chunk " + std::to_string(number) + " of " + std::to_string(header.chunk_count()) +
           " (bytes " + std::to_string(start) + " to " +
           std::to_string(start + bytes_of_chunk(header, number) - 1) + " of the file)";
}

bad_data damaged_chunk(const native_header& header, std::uint64_t number) {
    return bad_data("the filter is damaged: " + name_of_chunk(header, number) +
                    " does not match its checksum; restore it from a copy");
}

void check_ones(const native_header& header, std::uint64_t ones) {
    require(header.state.sealed ? ones == header.state.bits_set : ones >= header.state.bits_set,
            "the filter is damaged: it holds a different number of bits than its header says");
}

void check_end(const native_header& header, std::uint64_t last_word) {
    if (header.what.kind != filter_kind::bloom) {
        return; // other kinds check their own end
    }
    const std::uint64_t past_end = header.what.shape.bit_count % 64;
    require(past_end == 0 || last_word >> past_end == 0,
            "the filter is damaged: a bit past its end is set");
}

native_hash hash_for(const native_header& header, const std::optional<hash::sip_key>& secret) {
    const spec& what = header.what;
    const bool wide =
        what.hash == hash::hash_id::xxh3_128 || what.hash == hash::hash_id::siphash13_128;
    const bool keyed = hash::is_keyed(what.hash);
    native_hash made = native_hash::seeded(what.seed);
    if (const auto& known = secret ? secret : header.secret; keyed && known) {
        made = native_hash::keyed(*known);
    } else if (keyed) {
        throw bad_argument("the filter's hash is keyed; give the secret that it was made with");
    }
    if (made.seed() != what.seed) {
        throw bad_argument("the secret given is not the one that the filter was made with");
    }
    return wide ? made.widened() : made;
}

any_filter made_filter(const native_header& header, storage::heap_words<> words,
                       const native_hash& hash, const decode_options& options) {
    if (header.what.kind != filter_kind::bloom) {
        return restored_kind(header.what, header.made_for, hash, {words.data(), words.word_count()},
                             options);
    }
    if (header.what.scheme != layout::scheme_id::native) {
        return make_foreign(header.what, std::move(words), header.made_for);
    }
    return make_filter(header.what.shape, std::move(words), hash, header.made_for);
}

} // namespace bloomery::inline v0::format
