#include <bloomery/error.hpp>
#include <bloomery/layout/ones.hpp>
#include <bloomery/plan/compat.hpp>
#include <bloomery/plan/compat_statistics.hpp>

#include "../plan/text.hpp"
#include "cursor.hpp"
#include "foreign_parts.hpp"
#include "go.hpp"

#include <span>

namespace bloomery::format {

namespace {

/// m may exceed the bitset, as FromWithM takes any m, but a few bytes shall not ask for all of the
/// memory.
constexpr std::uint64_t most_array_bytes(std::uint64_t present) { return 2 * present + 65536; }

constexpr bit_order order_of(bool little_endian) {
    return little_endian ? bit_order::bytes_lsb : bit_order::words_be;
}

/// Takes the bits from m on out of the words of a bitset, and gives them back.
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
    return {m, k, read_go_bitset(from.rest()), {}};
}

template <class Filter>
any_filter filter_of(go_parts parts, std::uint64_t present, const limits& most) {
    if (parts.m == 0 || parts.k == 0) {
        throw bad_data("the filter has no bits or makes no hash: it is damaged, and the original "
                       "would divide by zero or answer yes to everything");
    }
    const std::uint64_t word_count = words_for(parts.m);
    check_limits(parts.k, word_count * 8, most);
    if (word_count * 8 > most_array_bytes(present)) {
        throw memory_refused("the filter says that it has " + plan::counted(parts.m, "bit") +
                             ", and its file has " + in_bytes(present) +
                             ": far too few; restore it from a copy");
    }
    const spec what = spec_of<Filter>(parts.m, parts.k);
    const go_bitset& bitset = parts.bitset;
    const std::uint64_t inside = std::min<std::uint64_t>(word_count * 8, bitset.words.size());
    auto words = words_from(bitset.words.first(static_cast<std::size_t>(inside)),
                            order_of(bitset.little_endian), word_count);
    parts.note.length = bitset.length;
    parts.note.little_endian = bitset.little_endian;
    parts.note.beyond = cut_beyond(words, parts.m, bitset);
    any_filter made = make_foreign(what, std::move(words));
    return with_note<go_kept<Filter>>(std::move(made), std::move(parts.note));
}

go_note go_note_of(const any_filter& source) {
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
    to.big(shape.bit_count);
    to.big(std::uint64_t{shape.hash_count});
    write(to.bytes());
    write_go_bitset(source, note, write);
}

std::uint64_t go_byte_count(const go_note& note) noexcept {
    return 3 * sizeof(std::uint64_t) + words_for(note.length) * 8; // m, k and the length first
}

likeness looks_go(byte_view bytes) noexcept {
    try {
        const go_parts parts = read_go(bytes);
        const bool plausible = parts.m != 0 && parts.k != 0 && parts.k <= 65535 &&
                               words_for(parts.m) * 8 <= most_array_bytes(bytes.size());
        return plausible ? likeness::sure : likeness::no;
    } catch (const error&) {
        return likeness::no;
    }
}

template <class Filter>
any_filter new_go(const foreign_options& options) {
    std::uint64_t m = 0;
    std::uint64_t k = 0;
    design made_for;
    if (options.m && options.k) {
        m = options.m->value;
        k = options.k->value;
    } else if (options.n && options.p) {
        const plan::compat_shape chosen = plan::go_shape(*options.n, *options.p);
        m = chosen.bit_count;
        k = chosen.hash_count;
        made_for = {options.n->value, options.p->value};
    } else {
        throw bad_argument(
            "a filter of Go's bloom is made from items and rate, or from bits and hashes");
    }
    // New takes 0 for 1, but the bitset has the length that was asked for.
    any_filter made = empty_filter(
        spec_of<Filter>(std::max<std::uint64_t>(1, m), std::max<std::uint64_t>(1, k)), made_for);
    go_note note;
    note.length = m;
    return with_note<go_kept<Filter>>(std::move(made), std::move(note));
}

std::vector<foreign_fact> go_facts(const any_filter& of) {
    const go_note note = go_note_of(of);
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

template any_filter filter_of<go_filter>(go_parts, std::uint64_t, const limits&);
template any_filter filter_of<go_fnv_filter>(go_parts, std::uint64_t, const limits&);
template any_filter new_go<go_filter>(const foreign_options&);
template any_filter new_go<go_fnv_filter>(const foreign_options&);

} // namespace bloomery::format
