#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/layout/ones.hpp>
#include <bloomery/detail/plan/text.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/format/native.hpp>

#include "little_endian.hpp"
#include "native_parts.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace bloomery::inline v0::format {

namespace {

/// Fills a buffer completely, or throws.
void read_exactly(const byte_source& from, std::span<std::byte> into) {
    require(from(into) == into.size(), cut_short);
}

any_filter read_rest(const native_header& header, const byte_source& from,
                     const decode_options& options) {
    check_policy(header.state, options.policy, [] { return false; });
    const native_hash hash = hash_for(header, options.secret);
    storage::heap_words<> words(header.payload_bytes() / 8);
    const std::span<std::uint64_t> payload{words.data(), words.word_count()};
    read_exactly(from, std::as_writable_bytes(payload));
    swap_if_big(payload);

    std::uint64_t ones = 0;
    std::vector<std::byte> table;
    constexpr std::uint64_t entries_at_once = 4096;
    for (std::uint64_t first = 0; first < header.chunk_count(); first += entries_at_once) {
        table.resize(std::min(entries_at_once, header.chunk_count() - first) * 8);
        read_exactly(from, table);
        for (std::uint64_t i = first; i < first + table.size() / 8; ++i) {
            const auto chunk =
                payload.subspan(i * native_chunk_words, bytes_of_chunk(header, i) / 8);
            const std::uint64_t noted = hash::load_le64(table.data() + (i - first) * 8);
            if (judge(chunk_checksum(chunk, i), noted, header.state) == chunk_verdict::damaged) {
                throw damaged_chunk(header, i);
            }
            ones += count_ones(chunk);
        }
    }
    check_ones(header, ones);
    check_end(header, payload.back());
    return made_filter(header, std::move(words), hash, options);
}

} // namespace

native_header header_of(const any_filter& source, const encode_options& options) {
    if (options.comment.size() > native_longest_comment) {
        throw bad_argument("a comment has at most " + std::to_string(native_longest_comment) +
                           " bytes, not " + std::to_string(options.comment.size()));
    }
    native_header header;
    header.what = source.spec();
    if (header.what.shape.bit_count == 0) {
        storage::detail::refuse_moved_from();
    }
    if (header.what.kind != filter_kind::bloom && !is_native_kind(header.what)) {
        throw unsupported("a " + std::string(name_of(header.what.kind)) +
                          " filter of another system cannot be saved in a native file; keep it in "
                          "its own format");
    }
    if (!is_native_hash(header.what.hash) && !is_foreign(header.what)) {
        throw unsupported(
            "a filter with the hash \"" + std::string(hash::name(header.what.hash)) +
            "\" cannot be saved in a native file: only the hashes of bloomery and of the "
            "systems in docs/formats.md can");
    }
    header.made_for = source.made_for();
    if (const double goal = header.made_for.target_rate; !(goal >= 0 && goal < 1)) {
        throw bad_argument("the rate of a filter must be between 0 and 1, not " +
                           plan::number(goal));
    }
    if (header.what.kind != filter_kind::bloom) {
        header.kind_bytes = source.saved().word_count() * 8;
    }
    header.comment = options.comment;
    if (options.keep_secret) {
        header.secret = source.secret();
    }
    return header;
}

word_source words_of(std::span<const std::uint64_t> words) {
    return [words](std::uint64_t first, std::span<std::uint64_t> into) {
        std::ranges::copy(words.subspan(first, into.size()), into.begin());
    };
}

word_source words_of(const any_filter& source) {
    return [saved = source.saved()](std::uint64_t first, std::span<std::uint64_t> into) {
        // The requested part of `array`, which begins at word `start` of the payload.
        const auto copy = [&](std::span<const std::uint64_t> array, std::uint64_t start) {
            const std::uint64_t from = std::max(first, start);
            const std::uint64_t to = std::min(first + into.size(), start + array.size());
            if (from < to) {
                std::ranges::copy(array.subspan(from - start, to - from),
                                  into.begin() + static_cast<std::ptrdiff_t>(from - first));
            }
            return start + array.size();
        };
        std::uint64_t start = copy(saved.record, 0);
        for (const auto& array : saved.arrays) {
            start = copy(array, start);
        }
    };
}

void encode_native(const any_filter& source, const byte_consumer& write,
                   const encode_options& options) {
    native_header header = header_of(source, options);
    const saved_words saved = source.saved();
    header.state.bits_set = count_ones(saved.record);
    for (const auto& array : saved.arrays) {
        header.state.bits_set += count_ones(array);
    }
    const std::uint64_t ones = encode_native(header, words_of(source), write);
    require(ones == header.state.bits_set,
            "the filter was changed while it was written out; the output is incomplete");
}

std::uint64_t encode_native(const native_header& header, const word_source& words,
                            const byte_consumer& write) {
    write(encode_native_header(header));
    std::vector<std::byte> table(header.chunk_count() * 8);
    constexpr std::uint64_t chunks_at_once = 64;
    std::vector<std::uint64_t> piece;
    std::uint64_t ones = 0;
    for (std::uint64_t first = 0; first < header.chunk_count(); first += chunks_at_once) {
        const std::uint64_t start = first * native_chunk_words;
        piece.resize(std::min<std::uint64_t>(chunks_at_once * native_chunk_words,
                                             header.payload_bytes() / 8 - start));
        words(start, piece);
        ones += count_ones(piece);
        for (std::size_t at = 0; at < piece.size(); at += native_chunk_words) {
            const std::uint64_t number = first + at / native_chunk_words;
            const auto chunk =
                std::span(piece).subspan(at, std::min(native_chunk_words, piece.size() - at));
            hash::store_le64(table.data() + number * 8, chunk_checksum(chunk, number));
        }
        swap_if_big(piece);
        write(std::as_bytes(std::span(piece)));
    }
    write(table);
    return ones;
}

any_filter decode_native(byte_view bytes, const decode_options& options) {
    const native_header header = decode_native_header(bytes, options.limits);
    require_whole(header, bytes.size());
    byte_view rest = bytes.subspan(native_header_bytes);
    return read_rest(
        header,
        [&](std::span<std::byte> into) {
            std::ranges::copy(rest.first(into.size()), into.begin());
            rest = rest.subspan(into.size());
            return into.size();
        },
        options);
}

any_filter decode_native(const byte_source& bytes, const decode_options& options) {
    native_header_page page{};
    const std::size_t got = bytes(page);
    const native_header header = decode_native_header(byte_view{page.data(), got}, options.limits);
    any_filter found = read_rest(header, bytes, options);
    std::byte more{};
    require(bytes({&more, 1}) == 0,
            "there is data after the filter in the stream; it may hold two filters, or be damaged");
    return found;
}

} // namespace bloomery::inline v0::format
