// bits-and-blooms for Go, WriteTo and MarshalBinary: m, k, the length of the bitset, its words.
#include "go.hpp"

#include <bloomery/detail/layout/ones.hpp>
#include <bloomery/detail/plan/text.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "cursor.hpp"
#include "foreign_parts.hpp"

#include <span>

namespace bloomery::inline v0::format {

namespace {

/// m may exceed the bitset, because FromWithM accepts any m, but a few bytes must not claim all
/// memory.
constexpr std::uint64_t most_array_bytes(std::uint64_t present) { return 2 * present + 65536; }

constexpr bit_order order_of(bool little_endian) {
    return little_endian ? bit_order::bytes_lsb : bit_order::words_be;
}

/// Removes the bits from m on from the words of a bitset, and returns them.
std::vector<std::uint64_t> cut_beyond(storage::heap_words<>& words, std::uint64_t m,
                                      const go_bitset& bitset) {
    std::vector<std::uint64_t> beyond;
    if (const std::uint64_t used = m % 64; used != 0) {
        std::uint64_t& last = words.data()[words.word_count() - 1];
        beyond.push_back(last >> used << used);
        last ^= beyond.front();
    }
    if (const std::uint64_t inside = words.word_count() * 8; bitset.words.size() > inside) {
        const byte_view rest = bitset.words.subspan(inside);
        const auto more = words_from(rest, order_of(bitset.little_endian), rest.size() / 8);
        beyond.insert(beyond.end(), more.data(), more.data() + more.word_count());
    }
    while (!beyond.empty() && beyond.back() == 0) {
        beyond.pop_back();
    }
    return beyond;
}

spec go_spec(bool fnv, std::uint64_t m, std::uint64_t k) {
    return fnv ? spec_of<go_fnv_filter>(m, k) : spec_of<go_filter>(m, k);
}

any_filter noted(bool fnv, any_filter made, go_note note) {
    return fnv ? with_note<go_kept<go_fnv_filter>>(std::move(made), std::move(note))
               : with_note<go_kept<go_filter>>(std::move(made), std::move(note));
}

go_note note_of(const any_filter& source) {
    const auto of = [](const auto& kept) {
        go_note note = kept.note;
        note.length = kept.length();
        return note;
    };
    if (const auto* const kept = source.get_if<go_kept<go_filter>>()) {
        return of(*kept);
    }
    if (const auto* const kept = source.get_if<go_kept<go_fnv_filter>>()) {
        return of(*kept);
    }
    go_note note;
    note.length = source.spec().shape.bit_count;
    return note;
}

} // namespace

go_bitset read_go_bitset(byte_view bytes) {
    cursor big(bytes);
    cursor little(bytes);
    go_bitset found{big.big<std::uint64_t>(), false, big.rest()};
    const auto turned = little.little<std::uint64_t>();
    const std::uint64_t left = found.words.size();
    if (words_for(found.length) * 8 != left && words_for(turned) * 8 == left) {
        found.length = turned;
        found.little_endian = true;
    }
    require_left(left, words_for(found.length) * 8, "its bitset");
    if (const std::uint64_t used = found.length % 64; used != 0) {
        cursor last(found.words.last(8));
        const auto word =
            found.little_endian ? last.little<std::uint64_t>() : last.big<std::uint64_t>();
        if (word >> used != 0) {
            throw bad_data("the filter is damaged: a bit past the end of its bitset is set; "
                           "restore it from a copy");
        }
    }
    return found;
}

go_parts read_go(byte_view bytes) {
    cursor from(bytes);
    const auto m = from.big<std::uint64_t>();
    const auto k = from.big<std::uint64_t>();
    return {m, k, read_go_bitset(from.rest())};
}

any_filter go_filter_of(bool fnv, go_parts parts, std::uint64_t present, const limits& most) {
    if (parts.m == 0 || parts.k == 0) {
        throw bad_data("the filter is damaged: it has no bits or no hashes, so that the original "
                       "would divide by zero or answer yes to everything");
    }
    const std::uint64_t word_count = words_for(parts.m);
    check_limits(parts.k, word_count * 8, most);
    if (word_count * 8 > most_array_bytes(present)) {
        throw memory_refused("the filter claims to have " + plan::counted(parts.m, "bit") +
                             ", but its file has only " + in_bytes(present) +
                             "; restore it from a copy");
    }
    const go_bitset& bitset = parts.bitset;
    const std::uint64_t inside = std::min<std::uint64_t>(word_count * 8, bitset.words.size());
    auto words = words_from(bitset.words.first(static_cast<std::size_t>(inside)),
                            order_of(bitset.little_endian), word_count);
    parts.note.length = bitset.length;
    parts.note.little_endian = bitset.little_endian;
    parts.note.beyond = cut_beyond(words, parts.m, bitset);
    return noted(fnv, make_foreign(go_spec(fnv, parts.m, parts.k), std::move(words)),
                 std::move(parts.note));
}

go_note go_note_of(bool fnv, const any_filter& source, const foreign_format& format) {
    require_one_of(source.spec(), {go_spec(fnv, 0, 0)}, format);
    return note_of(source);
}

void write_go_bitset(const any_filter& source, const go_note& note, const byte_consumer& write) {
    const std::span<const std::uint64_t> words = source.words();
    const std::uint64_t word_count = words_for(note.length);
    std::vector<std::uint64_t> longer;
    if (word_count > words.size() || !note.beyond.empty()) {
        longer.assign(words.begin(), words.end());
        longer.resize(word_count);
        const std::uint64_t first = source.spec().shape.bit_count / 64;
        for (std::size_t i = 0; i < note.beyond.size(); ++i) {
            longer[first + i] |= note.beyond[i];
        }
    }
    byte_writer to;
    note.little_endian ? to.little(note.length) : to.big(note.length);
    write(to.bytes());
    write_array(longer.empty() ? words : longer, order_of(note.little_endian), word_count * 8,
                write);
}

void write_go(const any_filter& source, const go_note& note, const byte_consumer& write) {
    const plan::shape shape = source.spec().shape;
    byte_writer to;
    to.big(shape.bit_count, std::uint64_t{shape.hash_count});
    write(to.bytes());
    write_go_bitset(source, note, write);
}

std::uint64_t go_byte_count(const go_note& note) noexcept {
    return 3 * sizeof(std::uint64_t) + words_for(note.length) * 8; // m, k and the length first
}

likeness looks_go(byte_view bytes) {
    const likeness found = sure_if_readable([&] {
        const go_parts parts = read_go(bytes);
        return parts.m != 0 && parts.k != 0 && parts.k <= 65535 &&
               words_for(parts.m) * 8 <= most_array_bytes(bytes.size());
    });
    return possible_if(found == likeness::sure);
}

any_filter new_go(bool fnv, const foreign_options& options) {
    const auto [shape, made_for] =
        new_size_of(options, plan::go_shape,
                    "a filter of Go's bloom is made from items and rate, or from bits and hashes");
    // New treats 0 as 1, but the bitset has the requested length.
    any_filter made = empty_filter(
        go_spec(fnv, std::max<std::uint64_t>(1, shape.bit_count), std::max(1U, shape.hash_count)),
        made_for);
    go_note note;
    note.length = shape.bit_count;
    return noted(fnv, std::move(made), std::move(note));
}

std::vector<foreign_fact> go_facts(const any_filter& of) {
    const go_note note = note_of(of);
    const plan::shape shape = of.spec().shape;
    const std::uint64_t beyond = count_ones(note.beyond);
    std::vector<foreign_fact> facts{
        {"ApproximatedSize",
         std::to_string(plan::go_approximated_size(
             count_ones(of.words()) + beyond, bits{shape.bit_count}, hashes{shape.hash_count}))}};
    if (note.length != shape.bit_count) {
        facts.push_back({"bitset length", std::to_string(note.length)});
    }
    if (beyond != 0) {
        facts.push_back({"bits set past m", std::to_string(beyond)});
    }
    if (note.little_endian) {
        facts.push_back({"bitset byte order", "little-endian"});
    }
    return facts;
}

const foreign_format go_format = go_format_of<false, looks_go, read_go, write_go, go_format>(
    "go", "bits-and-blooms/bloom for Go, WriteTo and MarshalBinary; version 2.0.1 and later",
    "its name: the bytes look like those of the format go-fnv");
const foreign_format go_fnv_format = go_format_of<true, looks_go, read_go, write_go, go_fnv_format>(
    "go-fnv", "Go bits-and-blooms WriteTo, version 2.0.0, with FNV hashes",
    "its name: the bytes look like those of the format go");

} // namespace bloomery::inline v0::format
