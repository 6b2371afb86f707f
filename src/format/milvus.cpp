// The blob of Milvus's membership_match: a header of 32 bytes, then Parquet's split blocks.
#include "milvus.hpp"

#include <bloomery/detail/format/key_choice.hpp>
#include <bloomery/detail/plan/number.hpp>
#include <bloomery/detail/plan/text.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>

#include "cursor.hpp"
#include "foreign_parts.hpp"

#include <array>
#include <bit>
#include <string>
#include <string_view>
#include <utility>

namespace bloomery::inline v0::format {

namespace {

constexpr std::string_view milvus_magic = "MBF1";
constexpr std::uint64_t milvus_block_bytes = 32;
constexpr std::uint64_t most_milvus_blocks = std::uint64_t{1} << 22U; // 128 MiB
constexpr std::uint32_t milvus_probes = 8;
constexpr double usual_milvus_rate = 0.005;

struct milvus_header {
    std::uint16_t version = 1;
    std::uint16_t algorithm = 1; ///< Parquet's split blocks with XXH64
    std::uint32_t blocks = 0;
    std::uint32_t reserved = 0; ///< three bytes
    milvus_note note;
};

constexpr bool is_milvus_size(std::uint64_t blocks) {
    return std::has_single_bit(blocks) && blocks <= most_milvus_blocks;
}

milvus_header read_milvus_header(cursor& from) {
    if (from.left() < milvus_magic.size() || text_of(from.take(4)) != milvus_magic) {
        throw bad_data("this is not a filter of Milvus: it does not begin with MBF1");
    }
    milvus_header found;
    std::uint32_t domains = 0; // one byte, and three of zero
    from.little(found.version, found.algorithm, found.note.declared, found.note.rate_bits,
                found.blocks, domains);
    found.note.domains = domains & 0xffU;
    found.reserved = domains >> 8U;
    return found;
}

/// Whether Milvus accepts the header before that many bytes.
bool is_sound(const milvus_header& header, std::uint64_t left) {
    return header.version == 1 && header.algorithm == 1 && header.reserved == 0 &&
           header.note.domains <= milvus_both && is_milvus_size(header.blocks) &&
           left == header.blocks * milvus_block_bytes;
}

likeness looks_like_milvus(byte_view bytes) {
    return sure_if_readable([&] {
        cursor from(bytes);
        const milvus_header header = read_milvus_header(from);
        return is_sound(header, from.left());
    });
}

void check_milvus_header(const milvus_header& header) {
    if (header.version != 1 || header.algorithm != 1) {
        throw unsupported("the filter has version " + std::to_string(header.version) +
                          " and algorithm " + std::to_string(header.algorithm) +
                          " of Milvus's format; only 1 and 1 are known");
    }
    if (header.note.domains > milvus_both) {
        throw unsupported("the filter has kinds of keys that this version does not know (domains " +
                          std::to_string(header.note.domains) + "); only 1, 2 and 3 are known");
    }
    if (header.reserved != 0 || !is_milvus_size(header.blocks)) {
        throw bad_data("the filter is damaged: its header says " +
                       plan::counted(header.blocks, "block") +
                       (header.reserved == 0 ? "" : ", and bytes that must be 0 are not") +
                       ", but Milvus's filters have a power of two up to 4194304; restore it from "
                       "a copy");
    }
}

/// The design in a header, as far as its values are valid.
design milvus_design(const milvus_note& note) {
    const auto p = std::bit_cast<double>(note.rate_bits);
    return {note.declared, p > 0 && p < 1 ? p : 0};
}

any_filter with_milvus_note(any_filter made, const milvus_note& note) {
    return any_filter(std::in_place, milvus_kept(std::move(*made.get_if<parquet_filter>()), note));
}

any_filter decode_milvus(byte_view bytes, const foreign_options& options) {
    cursor from(bytes);
    const milvus_header header = read_milvus_header(from);
    check_milvus_header(header);
    require_left(from.left(), header.blocks * milvus_block_bytes, "its array of blocks");
    const spec what = spec_of<parquet_filter>(from.left() * 8, milvus_probes);
    return with_milvus_note(filter_of(what, from.rest(), bit_order::bytes_lsb, options.limits,
                                      milvus_design(header.note)),
                            header.note);
}

/// The kinds that `domains` names; those that a filter may have whose file does not tell.
std::uint64_t domains_in(const foreign_options& options, std::uint64_t otherwise) {
    const std::string_view said = options.domains;
    if (said.empty()) return otherwise;
    if (said == "int64") return milvus_integers;
    if (said == "utf8") return milvus_texts;
    if (said == "both") return milvus_both;
    throw bad_argument("the domains of a Milvus filter are int64, utf8 or both, not " +
                       std::string(said));
}

/// The note of any filter with Parquet's bits.
milvus_note milvus_note_of(const any_filter& source, const foreign_options& options) {
    if (const auto* const kept = source.get_if<milvus_kept>()) {
        return kept->note;
    }
    const design made_for = source.made_for();
    return {options.n.value_or(items{made_for.item_capacity}).value,
            std::bit_cast<std::uint64_t>(options.p.value_or(rate{made_for.target_rate}).value),
            domains_in(options, milvus_both)};
}

void encode_milvus(const any_filter& source, const byte_consumer& write,
                   const foreign_options& options) {
    const spec what = source.spec();
    require_type<parquet_filter>(what, milvus_format);
    const std::uint64_t blocks = what.shape.byte_count() / milvus_block_bytes;
    if (!is_milvus_size(blocks)) {
        throw incompatible("Milvus's filters have a power of two of blocks, up to 128 MiB, but "
                           "this one has " +
                           plan::counted(blocks, "block"));
    }
    const milvus_note note = milvus_note_of(source, options);
    byte_writer to;
    to.put(milvus_magic);
    to.little(std::uint16_t{1}, std::uint16_t{1}, note.declared, note.rate_bits,
              static_cast<std::uint32_t>(blocks), static_cast<std::uint32_t>(note.domains));
    write(to.bytes());
    write_array(source.words(), bit_order::bytes_lsb, what.shape.byte_count(), write);
}

any_filter create_milvus(const foreign_options& options) {
    if (options.k && options.k->value != milvus_probes) {
        throw bad_argument("Milvus's filters have 8 hashes per key; leave out hashes");
    }
    if (!options.n && !options.m) {
        throw bad_argument("a Milvus filter is made from items and rate, or from bits");
    }
    const rate p = options.p.value_or(rate{usual_milvus_rate});
    const bytes size = options.m ? plan::parquet_array({bytes_for(options.m->value)})
                                 : plan::milvus_bytes(*options.n, p);
    milvus_note note{options.n.value_or(items{0}).value, 0, domains_in(options, 0)};
    if (!options.m || options.p) {
        note.rate_bits = std::bit_cast<std::uint64_t>(p.value);
    }
    const spec what = spec_of<parquet_filter>(size.value * 8, milvus_probes);
    return with_milvus_note(empty_filter(what, milvus_design(note)), note);
}

/// The fields of the header, under their names in Milvus's description of it.
std::vector<foreign_fact> milvus_facts(const any_filter& of) {
    const milvus_note note = milvus_note_of(of, {});
    constexpr std::array<const char*, 4> domains{"none", "int64", "utf8", "int64 utf8"};
    return {{"n_declared", std::to_string(note.declared)},
            {"fpr_declared", plan::shortest(std::bit_cast<double>(note.rate_bits))},
            {"num_blocks", std::to_string(of.spec().shape.byte_count() / milvus_block_bytes)},
            {"domains", domains.at(note.domains & milvus_both)}};
}

} // namespace

key_encoding encoding_for(const any_filter& of, key_encoding said) {
    if (of.get_if<milvus_kept>() == nullptr) {
        return said;
    }
    switch (said) {
    case key_encoding::bytes:
    case key_encoding::hex:
    case key_encoding::utf8:
    case key_encoding::integer:
        return said;
    case key_encoding::i64le:
        return key_encoding::integer;
    default:
        throw bad_argument("Milvus has 64-bit integers and UTF-8 texts: the keys of this filter "
                           "are int or utf8, not " +
                           std::string(name_of(said)));
    }
}

std::optional<key_encoding> encoding_in(const any_filter& of) {
    const auto* const kept = of.get_if<milvus_kept>();
    return kept != nullptr && kept->note.domains == milvus_integers
               ? std::optional(key_encoding::integer)
               : std::nullopt;
}

const foreign_format milvus_format{
    .name = "milvus",
    .what = "the blob of Milvus's membership_match, type=bloom (MBF1)",
    .keys = "bytes",
    .looks = looks_like_milvus,
    .decode = decode_milvus,
    .encode = encode_milvus,
    .create = create_milvus,
    .facts = milvus_facts,
};

} // namespace bloomery::inline v0::format
