// Three filters from Java tutorials, which have fixed sizes and no file format: as returned by
// BitSet.toByteArray, and as returned by Redis.
#include "foreign_parts.hpp"

namespace bloomery::inline v0::format {

namespace {

template <class Filter>
spec only_spec(std::uint32_t k) {
    return spec_of<Filter>(Filter::layout_type::scheme::bit_count, k);
}

template <class Filter, std::uint32_t K, bit_order Order>
any_filter decode_literature(byte_view bytes, const foreign_options& options) {
    return filter_of_used(only_spec<Filter>(K), bytes, Order, options.limits);
}

template <class Filter, bit_order Order, const foreign_format& Format>
void encode_literature(const any_filter& source, const byte_consumer& write,
                       const foreign_options& /*options*/) {
    require_type<Filter>(source.spec(), Format);
    write_array(source.words(), Order, used_bytes(source.words()), write);
}

template <class Filter, std::uint32_t K>
any_filter create_literature(const foreign_options& /*options*/) {
    return empty_filter(only_spec<Filter>(K), {});
}

template <class Filter, std::uint32_t K, bit_order Order, const foreign_format& Format>
constexpr foreign_format fixed(std::string_view name, std::string_view what) {
    return {
        .name = name,
        .what = what,
        .keys = "utf16le",
        .looks = looks_like_nothing,
        .decode = decode_literature<Filter, K, Order>,
        .encode = encode_literature<Filter, Order, Format>,
        .create = create_literature<Filter, K>,
    };
}

} // namespace

const foreign_format additive_8_format =
    fixed<additive_8_filter, 8, bit_order::bytes_lsb, additive_8_format>(
        "additive-8", "a Java BitSet of 2^30 bits, eight multiplicative string hashes");
const foreign_format hash_code_6_format =
    fixed<hash_code_6_filter, 6, bit_order::bytes_lsb, hash_code_6_format>(
        "hash-code-6", "a Java BitSet, six positions from one hashCode; it rejects half of all "
                       "keys");
const foreign_format hash_code_6_mended_format =
    fixed<hash_code_6_mended_filter, 6, bit_order::bytes_lsb, hash_code_6_mended_format>(
        "hash-code-6-mended", "hash-code-6 with its bugs fixed; no other program uses it");
const foreign_format setbit_format =
    fixed<hash_code_6_filter, 6, bit_order::bytes_msb, setbit_format>(
        "setbit", "hash-code-6 stored with Redis SETBIT, as GET returns it");

} // namespace bloomery::inline v0::format
