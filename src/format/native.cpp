#include <bloomery/error.hpp>
#include <bloomery/filter/make.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/hash/bits.hpp>
#include <bloomery/hash/xxh3.hpp>
#include <bloomery/layout/ones.hpp>

#include "native_header.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace bloomery::format {

namespace {

// The chunk's number is its seed, so that two chunks that changed places are found too.
std::uint64_t chunk_checksum(byte_view chunk, std::uint64_t number) {
    return hash::xxh3_64{number + 1}(chunk).value;
}

native_hash hash_for(const spec& what, const std::optional<hash::sip_key>& secret) {
    const bool wide =
        what.hash == hash::hash_id::xxh3_128 || what.hash == hash::hash_id::siphash13_128;
    const bool keyed =
        what.hash == hash::hash_id::siphash13_64 || what.hash == hash::hash_id::siphash13_128;
    if (keyed && !secret) {
        throw bad_argument("the filter's hash is keyed; give the secret that it was made with");
    }
    const native_hash made = keyed ? native_hash::keyed(*secret) : native_hash::seeded(what.seed);
    if (made.seed() != what.seed) {
        throw bad_argument("the secret given is not the one that the filter was made with");
    }
    return wide ? made.widened() : made;
}

void check_chunks(const native_header& header, byte_view bytes) {
    const byte_view payload = bytes.subspan(native_header_bytes, header.payload_bytes());
    const byte_view table = bytes.subspan(native_header_bytes + payload.size());
    for (std::uint64_t i = 0; i < header.chunk_count(); ++i) {
        const std::size_t start = i * native_chunk_bytes;
        const byte_view chunk =
            payload.subspan(start, std::min(native_chunk_bytes, payload.size() - start));
        if (chunk_checksum(chunk, i) != hash::load_le64(table.data() + i * 8)) {
            throw bad_data("the filter is damaged: chunk " + std::to_string(i) + " of " +
                           std::to_string(header.chunk_count()) + " (bytes " +
                           std::to_string(native_header_bytes + start) + " to " +
                           std::to_string(native_header_bytes + start + chunk.size() - 1) +
                           " of the file) does not match its checksum; restore it from a copy");
        }
    }
}

} // namespace

void encode_native(const any_filter& source, const byte_consumer& write, std::string_view comment) {
    if (comment.size() > native_longest_comment) {
        throw bad_argument("a comment has at most " + std::to_string(native_longest_comment) +
                           " bytes, not " + std::to_string(comment.size()));
    }
    const spec what = source.spec();
    if (!is_native_hash(what.hash)) {
        throw unsupported("a filter with the hash \"" + std::string(hash::name(what.hash)) +
                          "\" cannot be saved: only native hashes have a place in the file");
    }
    if (const double goal = source.made_for().target_rate; !(goal >= 0 && goal < 1)) {
        throw bad_argument("a filter is made for a rate between 0 and 1, not " +
                           std::to_string(goal));
    }
    const native_header header{what, source.made_for(), source.stats().bits_set,
                               std::string(comment)};
    write(encode_native_header(header));

    const std::span<const std::uint64_t> words = source.words();
    std::vector<std::byte> table(header.chunk_count() * 8);
    std::vector<std::byte> chunk;
    constexpr std::size_t chunk_words = native_chunk_bytes / 8;
    for (std::size_t i = 0; i < header.chunk_count(); ++i) {
        const auto part =
            words.subspan(i * chunk_words, std::min(chunk_words, words.size() - i * chunk_words));
        chunk.resize(part.size() * 8);
        for (std::size_t w = 0; w < part.size(); ++w) {
            hash::store_le64(chunk.data() + w * 8, part[w]);
        }
        hash::store_le64(table.data() + i * 8, chunk_checksum(chunk, i));
        write(chunk);
    }
    write(table);
}

any_filter decode_native(byte_view bytes, const decode_options& options) {
    const native_header header = decode_native_header(bytes, options.limits);
    require_whole(header, bytes.size());
    check_chunks(header, bytes);

    const plan::shape& shape = header.what.shape;
    storage::heap_words<> words(shape.byte_count() / 8);
    for (std::size_t i = 0; i < words.word_count(); ++i) {
        words.data()[i] = hash::load_le64(bytes.data() + native_header_bytes + i * 8);
    }
    require(count_ones({words.data(), words.word_count()}) == header.bits_set,
            "the filter is damaged: it holds another number of bits than its header says");
    const std::uint64_t past_end = shape.bit_count % 64;
    require(past_end == 0 || words.data()[words.word_count() - 1] >> past_end == 0,
            "the filter is damaged: a bit past its end is set");
    return make_filter(shape, std::move(words), hash_for(header.what, options.secret),
                       header.made_for);
}

} // namespace bloomery::format
