// Apache DataSketches' bloom_filter: a preamble of three or four 64-bit words, then the bits.
#include <bloomery/detail/layout/ones.hpp>
#include <bloomery/detail/plan/text.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "cursor.hpp"
#include "foreign_parts.hpp"
#include "keeping.hpp"

#include <string>
#include <utility>

namespace bloomery::inline v0::format {

namespace {

constexpr std::uint8_t family = 21;
constexpr std::uint8_t empty_flag = 4;
constexpr std::uint64_t not_counted = ~std::uint64_t{0};
constexpr std::uint64_t most_datasketches_bits = 17179868920; // for new filters
constexpr std::uint64_t default_seed = 9001;                  // as in the project's other sketches

struct datasketches_note {
    bool counted = true;  ///< whether the file says how many bits are set
    bool in_full = false; ///< an empty filter is written with its bits, as in wrapped memory
};
using datasketches_kept = keeping<datasketches_filter, datasketches_note>;

struct preamble {
    std::uint8_t longs = 0;
    std::uint8_t version = 0;
    std::uint8_t family = 0;
    std::uint8_t flags = 0;
    std::uint16_t hash_count = 0;
    std::uint16_t unused = 0;
    std::uint64_t seed = 0;
    std::uint32_t words = 0;
    std::uint32_t unused_too = 0;

    [[nodiscard]] bool is_empty() const { return flags == empty_flag; }
    /// Whether the preamble is consistent.
    [[nodiscard]] bool is_sound() const {
        return version == 1 && family == format::family && (flags == 0 || is_empty()) &&
               longs == (is_empty() ? 3 : 4) && unused == 0 && unused_too == 0 && hash_count != 0 &&
               words != 0;
    }
    /// What follows it.
    [[nodiscard]] std::uint64_t rest_bytes() const {
        return is_empty() ? 0 : 8 + std::uint64_t{words} * 8;
    }
};

preamble read_preamble(cursor& from) {
    preamble found;
    from.little(found.longs, found.version, found.family, found.flags, found.hash_count,
                found.unused, found.seed, found.words, found.unused_too);
    return found;
}

likeness looks_like_datasketches(byte_view bytes) {
    return sure_if_readable([&] {
        cursor from(bytes);
        const preamble found = read_preamble(from);
        return found.is_sound() && from.left() == found.rest_bytes();
    });
}

/// Compares the bit count in the file with the bits.
void check_key_count(std::uint64_t claimed, std::uint64_t ones) {
    if (claimed != not_counted && claimed != ones) {
        throw bad_data("the filter is damaged: its header says that " + std::to_string(claimed) +
                       " of its bits are set, but " + std::to_string(ones) +
                       " are; restore it from a copy, or make it again (a program that mixes "
                       "update and query_and_update writes such files)");
    }
}

any_filter decode_datasketches(byte_view bytes, const foreign_options& options) {
    cursor from(bytes);
    const preamble head = read_preamble(from);
    if (head.family == family && head.version != 1) {
        throw unsupported("the filter has version " + std::to_string(head.version) +
                          " of DataSketches' format; only version 1 is supported");
    }
    if (!head.is_sound()) {
        throw bad_data("this is not a DataSketches Bloom filter: its preamble is inconsistent");
    }
    require_left(from.left(), head.rest_bytes(), "what follows its preamble");
    const std::uint64_t bit_count = std::uint64_t{head.words} * 64;
    // The file of an empty filter has no bits, so its size is only a claim.
    if (bit_count > most_datasketches_bits / 64 * 64 + 64) {
        throw bad_data("the filter claims to have " + plan::counted(bit_count, "bit") +
                       ", more than DataSketches allows; restore it from a copy");
    }
    check_unseen(bit_count / 8, bytes.size(), options.limits);
    const spec what = spec_of<datasketches_filter>(bit_count, head.hash_count, {.seed = head.seed});
    datasketches_note note;
    std::uint64_t claimed = 0;
    if (!head.is_empty()) {
        claimed = from.little<std::uint64_t>();
        note.counted = claimed != not_counted;
    }
    any_filter made = filter_of(what, from.rest(), bit_order::bytes_lsb, options.limits);
    if (!head.is_empty()) {
        const std::uint64_t ones = count_ones(made.words());
        check_key_count(claimed, ones);
        note.in_full = ones == 0;
    }
    return with_note<datasketches_kept>(std::move(made), note);
}

datasketches_note datasketches_note_of(const any_filter& source) {
    const auto* const kept = source.get_if<datasketches_kept>();
    return kept != nullptr ? kept->note : datasketches_note{};
}

void encode_datasketches(const any_filter& source, const byte_consumer& write,
                         const foreign_options& /*options*/) {
    const spec what = source.spec();
    require_type<datasketches_filter>(what, datasketches_format);
    if (what.shape.bit_count % 64 != 0 || what.shape.bit_count / 64 > 0x7fffffff) {
        throw incompatible("DataSketches filters have whole 64-bit words, fewer than 2^31 of "
                           "them");
    }
    const datasketches_note note = datasketches_note_of(source);
    const std::uint64_t ones = count_ones(source.words());
    const bool empty = ones == 0 && !note.in_full;
    byte_writer to;
    to.little(static_cast<std::uint8_t>(empty ? 3 : 4), std::uint8_t{1}, family,
              empty ? empty_flag : std::uint8_t{0},
              static_cast<std::uint16_t>(what.shape.hash_count), std::uint16_t{0}, what.seed,
              what.shape.bit_count / 64); // the number of words, followed by four zero bytes
    if (!empty) {
        to.little(note.counted ? ones : not_counted);
    }
    write(to.bytes());
    if (!empty) {
        write_array(source.words(), bit_order::bytes_lsb, what.shape.byte_count(), write);
    }
}

any_filter create_datasketches(const foreign_options& options) {
    const auto [chosen, made_for] = new_size_of(
        options, plan::datasketches_shape,
        "a DataSketches Bloom filter is made from items and rate, or from bits and hashes; "
        "seed chooses its seed");
    if (chosen.bit_count > most_datasketches_bits) {
        throw bad_argument("DataSketches does not make Bloom filters of more than " +
                           std::to_string(most_datasketches_bits) + " bits");
    }
    const spec what =
        spec_of<datasketches_filter>(words_for(chosen.bit_count) * 64, chosen.hash_count,
                                     {.seed = options.seed.value_or(default_seed)});
    return with_note<datasketches_kept>(empty_filter(what, made_for), {});
}

std::vector<foreign_fact> datasketches_facts(const any_filter& of) {
    const datasketches_note note = datasketches_note_of(of);
    return {{"seed", std::to_string(of.spec().seed)},
            {"bits_used", std::to_string(count_ones(of.words()))},
            {"counted in the file", note.counted ? "yes" : "no"}};
}

} // namespace

const foreign_format datasketches_format{
    .name = "datasketches",
    .what = "Apache DataSketches bloom_filter; a new one has the seed 9001 unless seed is given",
    .keys = "bytes",
    .looks = looks_like_datasketches,
    .decode = decode_datasketches,
    .encode = encode_datasketches,
    .create = create_datasketches,
    .facts = datasketches_facts,
};

} // namespace bloomery::inline v0::format
