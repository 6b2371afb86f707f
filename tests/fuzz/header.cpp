// Any page for the reader of headers, which allocates and computes what the header says: what it
// accepts is a possible filter within the given limits, and is written back unchanged.
#include <bloomery/detail/hash/siphash.hpp>
#include <bloomery/error.hpp>
#include <bloomery/format/native.hpp>

#include "native_input.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace {

using namespace bloomery;
using fuzz::must;

std::optional<format::native_header> decoded(byte_view page, const format::limits& most) {
    try {
        return format::decode_native_header(page, most);
    } catch (const error&) { // the only way to refuse
        return std::nullopt;
    }
}

bool is_refused(const format::native_header& header, std::uint64_t file_bytes) {
    try {
        format::require_whole(header, file_bytes);
        return false;
    } catch (const bad_data&) {
        return true;
    }
}

void check_numbers(const format::native_header& header, const format::limits& most) {
    const plan::shape& shape = header.what.shape;
    plan::check(shape); // throws, and the fuzzer tells
    must(shape.hash_count <= most.most_hashes);
    must(header.payload_bytes() <= most.largest_filter_bytes);
    const std::uint64_t payload_bits = header.payload_bytes() * 8;
    if (header.what.kind == filter_kind::bloom) { // other kinds have more than their bits, or less
        must(payload_bits >= shape.bit_count && payload_bits - shape.bit_count < 64);
        must(header.state.bits_set <= shape.bit_count);
    }
    must(header.chunk_count() * format::native_chunk_bytes >= header.payload_bytes());
    must((header.chunk_count() - 1) * format::native_chunk_bytes < header.payload_bytes());
    must(header.file_bytes() ==
         format::native_header_bytes + header.payload_bytes() + header.chunk_count() * 8);
    must(!is_refused(header, header.file_bytes()));
    must(is_refused(header, header.file_bytes() - 1) &&
         is_refused(header, header.file_bytes() + 1));

    must(header.state.bits_set <= payload_bits && header.state.generation != 0);
    must(header.made_for.target_rate >= 0 && header.made_for.target_rate < 1);
    must(header.comment.size() <= format::native_longest_comment);
    must(!header.secret || hash::key_check(*header.secret) == header.what.seed);
}

bool same(const format::native_header& a, const format::native_header& b) {
    return a.what == b.what && a.made_for == b.made_for && a.comment == b.comment &&
           a.secret == b.secret && a.state == b.state;
}

/// Writes a file of that header, with as many bits as it counts, and reads it again.
void write_back(const format::native_header& header) {
    std::vector<std::byte> file;
    const std::uint64_t ones = format::encode_native(
        header,
        [&](std::uint64_t first, std::span<std::uint64_t> into) {
            for (std::uint64_t& word : into) {
                const std::uint64_t before = first++ * 64;
                const std::uint64_t left =
                    header.state.bits_set - std::min(before, header.state.bits_set);
                word = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
            }
        },
        [&](byte_view part) { file.insert(file.end(), part.begin(), part.end()); });
    must(ones == header.state.bits_set && file.size() == header.file_bytes());
    must(same(format::decode_native_header(file), header));
    try {
        const any_filter read = format::decode_native(file);
        must(header.what.kind != filter_kind::bloom || read.stats().bits_set == ones);
    } catch (const bad_argument&) {
        must(header.what.hash == hash::hash_id::siphash13_64 ||
             header.what.hash == hash::hash_id::siphash13_128);
        must(!header.secret);
    } catch (const error&) { // an array may hold any bits, the words of another kind not
        must(header.what.kind != filter_kind::bloom);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::input from(data, size);
    const unsigned asked = from.byte();
    format::limits most;
    if ((asked & fuzz::careful) != 0) {
        most.largest_filter_bytes = from.number();
        most.most_hashes = static_cast<std::uint32_t>(from.number(4));
    }
    const std::vector<std::byte> page = fuzz::file_from(from, asked);
    if (const auto header = decoded(page, most)) {
        must(format::looks_native(page));
        check_numbers(*header, most);
        if (header->payload_bytes() <= 1U << 17U) {
            write_back(*header);
        }
    }
    return 0;
}
