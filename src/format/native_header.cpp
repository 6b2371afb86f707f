#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/hash/xxh3.hpp>
#include <bloomery/plan/redis.hpp>

#include "foreign_parts.hpp"
#include "little_endian.hpp"
#include "native_parts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <tuple>

namespace bloomery::inline v0::format {

namespace {

// The two line ends and the ^Z reveal a file that was transferred in text mode.
constexpr std::array<unsigned char, 8> magic{0x89, 'B', 'L', 'M', '\r', '\n', 0x1A, '\n'};
constexpr std::uint32_t native_version = 1;

// The offset of each field; all little-endian. docs/format.md has the same table.
enum header_offset : std::size_t {
    at_magic = 0,
    at_version = 8,
    at_header_bytes = 12,
    at_kind = 16,
    at_layout = 18,
    at_scheme = 20,
    at_hash = 22,
    at_seed = 24,
    at_bit_count = 32,
    at_hash_count = 40,
    at_comment_bytes = 44,
    at_item_capacity = 48,
    at_target_rate = 56,
    at_payload_bytes = 64,
    at_chunk_bytes = 72,
    at_flags = 76,
    at_secret = 80,
    at_parameters = 96,
    at_reserved = at_parameters + 8 * std::tuple_size_v<kind_parameters>,
    at_comment = 256,
    at_checksum = native_state_start - 8,
};
static_assert(at_comment + native_longest_comment <= at_checksum);

constexpr std::uint32_t flag_secret = 1;
constexpr std::uint32_t flag_intersected = 2;

bool is_split(const spec& what) {
    return what.kind == filter_kind::bloom && what.scheme == layout::scheme_id::redisson_split;
}

// Requires that the shards make up the whole filter. is_foreign checks the rest.
void check_shards(const spec& what) {
    const std::uint64_t shards = what.parameters[0];
    require(shards > 0 && what.shape.bit_count % shards == 0 &&
                what.shape.bit_count / shards <= plan::max_redisson_bits,
            "the header does not describe a filter: its shards are out of range");
    require(what.parameters == kind_parameters{shards},
            "the header has data where this version has zeros");
}

// The kinds, layouts, schemes and hashes that this version reads.
void require_known_header(const spec& what) {
    const bool native = what.scheme == layout::scheme_id::native && is_native_hash(what.hash);
    if ((what.kind != filter_kind::bloom && !is_native_kind(what)) ||
        static_cast<std::size_t>(what.shape.layout) >= plan::all_layouts.size() ||
        !(native || is_foreign(what))) {
        throw unsupported("the filter is of a kind, layout or hash that this version of bloomery "
                          "does not know; read it with a newer one");
    }
}

std::uint32_t most_hashes_of(const spec& what) {
    if (what.shape.layout != layout_kind::classic) {
        return plan::max_hash_count;
    }
    return what.scheme == layout::scheme_id::native ? plan::max_classic_hash_count
                                                    : plan::max_foreign_hash_count;
}

void check_shape(const spec& what, const limits& most) {
    const plan::shape& shape = what.shape;
    const plan::layout_facts& facts = plan::facts_of(shape.layout);
    require(shape.bit_count > 0 && shape.hash_count > 0 && shape.bit_count <= plan::max_bit_count &&
                shape.hash_count <= std::min(most.most_hashes, most_hashes_of(what)) &&
                shape.bit_count % facts.block_bits == 0 &&
                (facts.fixed_hashes == 0 || shape.hash_count == facts.fixed_hashes),
            "the header does not describe a filter: its bits or hashes are out of range");
    require(what.kind != filter_kind::bloom || is_split(what) ||
                what.parameters == kind_parameters{},
            "the header has data where this version has zeros");
}

spec load_spec(byte_view from) {
    spec what;
    what.kind = static_cast<filter_kind>(load<std::uint16_t>(from, at_kind));
    what.shape.layout = static_cast<layout_kind>(load<std::uint16_t>(from, at_layout));
    require(static_cast<std::uint16_t>(what.shape.layout) == load<std::uint16_t>(from, at_layout),
            "the header names an unknown layout");
    what.scheme = static_cast<layout::scheme_id>(load<std::uint16_t>(from, at_scheme));
    what.hash = static_cast<hash::hash_id>(load<std::uint16_t>(from, at_hash));
    what.seed = load<std::uint64_t>(from, at_seed);
    what.shape.bit_count = load<std::uint64_t>(from, at_bit_count);
    what.shape.hash_count = load<std::uint32_t>(from, at_hash_count);
    for (std::size_t i = 0; i < what.parameters.size(); ++i) {
        what.parameters[i] = load<std::uint64_t>(from, at_parameters + 8 * i);
    }
    return what;
}

std::optional<hash::sip_key> load_secret(byte_view from, const spec& what) {
    const auto flags = load<std::uint32_t>(from, at_flags) & ~flag_intersected;
    const hash::sip_key secret{load<std::uint64_t>(from, at_secret),
                               load<std::uint64_t>(from, at_secret + 8)};
    if (flags == 0) {
        require(secret == hash::sip_key{}, "the header holds a secret without declaring it");
        return std::nullopt;
    }
    require(flags == flag_secret && hash::is_keyed(what.hash) &&
                hash::key_check(secret) == what.seed,
            "the header holds a secret that is not the filter's");
    return secret;
}

} // namespace

void require(bool holds, const char* otherwise) {
    if (!holds) {
        throw bad_data(otherwise);
    }
}

bool is_native_hash(hash::hash_id id) noexcept {
    return id == hash::hash_id::xxh3_64 || id == hash::hash_id::xxh3_128 ||
           id == hash::hash_id::siphash13_64 || id == hash::hash_id::siphash13_128;
}

native_header_page encode_native_header(const native_header& header) {
    native_header_page to{};
    std::memcpy(to.data() + at_magic, magic.data(), magic.size());
    store(to, at_version, native_version);
    store(to, at_header_bytes, static_cast<std::uint32_t>(native_header_bytes));
    store(to, at_kind, static_cast<std::uint16_t>(header.what.kind));
    store(to, at_layout, static_cast<std::uint16_t>(header.what.shape.layout));
    store(to, at_scheme, static_cast<std::uint16_t>(header.what.scheme));
    store(to, at_hash, static_cast<std::uint16_t>(header.what.hash));
    store(to, at_seed, header.what.seed);
    store(to, at_bit_count, header.what.shape.bit_count);
    store(to, at_hash_count, header.what.shape.hash_count);
    store(to, at_comment_bytes, static_cast<std::uint32_t>(header.comment.size()));
    store(to, at_item_capacity, header.made_for.item_capacity);
    store(to, at_target_rate, std::bit_cast<std::uint64_t>(header.made_for.target_rate));
    store(to, at_payload_bytes, header.payload_bytes());
    store(to, at_chunk_bytes, static_cast<std::uint32_t>(native_chunk_bytes));
    for (std::size_t i = 0; i < header.what.parameters.size(); ++i) {
        store(to, at_parameters + 8 * i, header.what.parameters[i]);
    }
    store(to, at_flags,
          (header.secret ? flag_secret : 0U) |
              (header.made_for.intersected ? flag_intersected : 0U));
    if (header.secret) {
        store(to, at_secret, header.secret->k0);
        store(to, at_secret + 8, header.secret->k1);
    }
    std::memcpy(to.data() + at_comment, header.comment.data(), header.comment.size());
    const std::uint64_t checksum = hash::xxh3_64{}(byte_view{to.data(), at_checksum}).value;
    store(to, at_checksum, checksum);
    store_native_state(to, header.state);
    return to;
}

std::uint64_t native_header::chunk_count() const noexcept {
    const std::uint64_t payload = payload_bytes();
    return payload / native_chunk_bytes + (payload % native_chunk_bytes != 0);
}

std::uint64_t native_header::file_bytes() const noexcept {
    return native_header_bytes + payload_bytes() + chunk_count() * 8;
}

void require_whole(const native_header& header, std::uint64_t file_bytes) {
    require(file_bytes >= header.file_bytes(), cut_short);
    require(file_bytes == header.file_bytes(),
            "there is data after the filter in the file; it may hold two filters, or be damaged");
}

bool looks_native(byte_view bytes) noexcept {
    return bytes.size() >= magic.size() &&
           std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

native_header decode_native_header(byte_view bytes, const limits& most) {
    require(looks_native(bytes), "this is not a bloomery filter: its first bytes differ");
    require(bytes.size() >= native_header_bytes,
            "the filter is truncated: it ends inside its header; restore it from a copy");
    if (const auto found = load<std::uint32_t>(bytes, at_version); found != native_version) {
        throw unsupported("the file format of the filter is version " + std::to_string(found) +
                          ", but this bloomery reads version " + std::to_string(native_version));
    }
    require(
        hash::xxh3_64{}(bytes.first(at_checksum)).value == load<std::uint64_t>(bytes, at_checksum),
        "the filter is damaged: its header does not match its checksum; restore it from a copy");

    native_header header;
    header.what = load_spec(bytes);
    if (is_split(header.what)) {
        check_shards(header.what);
    }
    require_known_header(header.what);
    header.made_for.item_capacity = load<std::uint64_t>(bytes, at_item_capacity);
    header.made_for.target_rate = std::bit_cast<double>(load<std::uint64_t>(bytes, at_target_rate));
    header.made_for.intersected = (load<std::uint32_t>(bytes, at_flags) & flag_intersected) != 0;
    header.state = decode_native_state(bytes);
    const auto comment_bytes = load<std::uint32_t>(bytes, at_comment_bytes);

    check_shape(header.what, most);
    const auto payload_bytes = load<std::uint64_t>(bytes, at_payload_bytes);
    if (header.what.kind != filter_kind::bloom) {
        require(payload_bytes % 8 == 0 && payload_bytes > 0 &&
                    payload_bytes <= plan::max_bit_count / 8,
                "the header's lengths do not match the filter that it describes");
        header.kind_bytes = payload_bytes;
    }
    const std::uint64_t bit_count =
        header.what.kind == filter_kind::bloom ? header.what.shape.bit_count : 8 * payload_bytes;
    require(header.state.bits_set <= bit_count, "the header counts more bits than the filter has");
    require(header.made_for.target_rate >= 0 && header.made_for.target_rate < 1,
            "the header names a rate outside [0, 1)");
    require(load<std::uint32_t>(bytes, at_header_bytes) == native_header_bytes &&
                payload_bytes == header.payload_bytes() &&
                load<std::uint32_t>(bytes, at_chunk_bytes) == native_chunk_bytes,
            "the header's lengths do not match the filter that it describes");
    require(comment_bytes <= native_longest_comment, "the header's comment is too long");
    const auto zeros = [&](std::size_t from, std::size_t to) {
        return all_zero(bytes.subspan(from, to - from));
    };
    require(zeros(at_reserved, at_comment) && zeros(at_comment + comment_bytes, at_checksum) &&
                has_only_states(bytes),
            "the header has data where this version has zeros");
    header.secret = load_secret(bytes, header.what);
    header.comment.resize(comment_bytes);
    std::memcpy(header.comment.data(), bytes.data() + at_comment, comment_bytes);
    if (header.payload_bytes() > most.largest_filter_bytes) {
        refuse_size("the filter", header.payload_bytes(), most);
    }
    return header;
}

} // namespace bloomery::inline v0::format
