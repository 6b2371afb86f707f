// hutool's single filters, each with one string hash: the words of its array, low bytes first.
//
// hutool does not define a file format; its users store the array. The size must be specified,
// because the array has whole words only.
#include <bloomery/error.hpp>

#include "foreign_parts.hpp"

#include <string>

namespace bloomery::inline v0::format {

namespace {

/// The bits of a word of the array.
std::uint64_t word_bits(const foreign_options& options) {
    const unsigned wanted = options.word_bits.value_or(32);
    if (wanted != 32 && wanted != 64) {
        throw bad_argument("hutool has arrays of 32-bit and of 64-bit words, not of " +
                           std::to_string(wanted) + "; give word-bits=32 or 64");
    }
    return wanted;
}

/// The spec that the options describe.
spec hutool_told(hash::hash_id which, const foreign_options& options) {
    const std::uint64_t word = word_bits(options);
    if (!options.m) {
        throw bad_argument("the array of a hutool filter does not contain its size: give bits, "
                           "the first argument of its constructor");
    }
    if (options.m->value == 0 || options.m->value / word >= std::uint64_t{1} << 31U) {
        throw bad_argument("hutool needs a size above 0 and fewer than 2^31 words: give bits "
                           "between");
    }
    const hash::java_text_hash hash(which);
    return word == 32 ? spec_of<hutool_32_filter>(options.m->value, 1, hash)
                      : spec_of<hutool_64_filter>(options.m->value, 1, hash);
}

/// The number of bytes of the words, which may have fewer bits than the filter has positions.
std::uint64_t array_bytes(const spec& what) {
    const std::uint64_t word = what.scheme == layout::scheme_id::hutool_32 ? 32 : 64;
    return what.shape.bit_count / word * (word / 8);
}

template <hash::hash_id Which>
any_filter create_hutool(const foreign_options& options) {
    return empty_filter(hutool_told(Which, options), {});
}

template <hash::hash_id Which>
any_filter decode_hutool(byte_view bytes, const foreign_options& options) {
    const spec what = hutool_told(Which, options);
    require_left(bytes.size(), array_bytes(what), "the array for that many bits");
    return filter_of(what, bytes, bit_order::bytes_lsb, options.limits);
}

template <hash::hash_id Which, const foreign_format& Format>
void encode_hutool(const any_filter& source, const byte_consumer& write,
                   const foreign_options& /*options*/) {
    const spec what = source.spec();
    const hash::java_text_hash hash(Which);
    require_one_of(what,
                   {spec_of<hutool_32_filter>(1, 1, hash), spec_of<hutool_64_filter>(1, 1, hash)},
                   Format);
    write_array(source.words(), bit_order::bytes_lsb, array_bytes(what), write);
}

template <hash::hash_id Which, const foreign_format& Format>
constexpr foreign_format single(std::string_view name, std::string_view what) {
    return {
        .name = name,
        .what = what,
        .keys = "utf16le",
        .needs = "bits, the size given to its constructor; word-bits=64 if it has 64-bit words",
        .looks = looks_like_nothing,
        .decode = decode_hutool<Which>,
        .encode = encode_hutool<Which, Format>,
        .create = create_hutool<Which>,
    };
}

} // namespace

using hash::hash_id;

const foreign_format hutool_default_format = single<hash_id::java_string, hutool_default_format>(
    "hutool-default", "the array of hutool's DefaultFilter (Java)");
const foreign_format hutool_elf_format =
    single<hash_id::elf, hutool_elf_format>("hutool-elf", "the array of hutool's ELFFilter");
const foreign_format hutool_fnv_format =
    single<hash_id::fnv_java, hutool_fnv_format>("hutool-fnv", "the array of hutool's FNVFilter");
const foreign_format hutool_hf_format =
    single<hash_id::hf, hutool_hf_format>("hutool-hf", "the array of hutool's HfFilter");
const foreign_format hutool_hfip_format =
    single<hash_id::hf_ip, hutool_hfip_format>("hutool-hfip", "the array of hutool's HfIpFilter");
const foreign_format hutool_js_format =
    single<hash_id::js, hutool_js_format>("hutool-js", "the array of hutool's JSFilter");
const foreign_format hutool_pjw_format =
    single<hash_id::pjw, hutool_pjw_format>("hutool-pjw", "the array of hutool's PJWFilter");
const foreign_format hutool_rs_format =
    single<hash_id::rs, hutool_rs_format>("hutool-rs", "the array of hutool's RSFilter");
const foreign_format hutool_sdbm_format =
    single<hash_id::sdbm, hutool_sdbm_format>("hutool-sdbm", "the array of hutool's SDBMFilter");
const foreign_format hutool_tianl_format = single<hash_id::tianl, hutool_tianl_format>(
    "hutool-tianl", "the array of hutool's TianlFilter");

} // namespace bloomery::inline v0::format
