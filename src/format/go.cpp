// bits-and-blooms for Go, WriteTo and MarshalBinary: m, k, the length of the bitset, its words.
#include "go.hpp"

#include "foreign_parts.hpp"

namespace bloomery::format {

namespace {

template <class Filter>
any_filter decode_go(byte_view bytes, const foreign_options& options) {
    return filter_of<Filter>(read_go(bytes), bytes.size(), options.limits);
}

template <class Filter, const foreign_format& Format>
void encode_go(const any_filter& source, const byte_consumer& write,
               const foreign_options& /*options*/) {
    require_type<Filter>(source.spec(), Format);
    write_go(source, go_note_of(source), write);
}

} // namespace

const foreign_format go_format{
    .name = "go",
    .what = "bits-and-blooms/bloom for Go, WriteTo and MarshalBinary; version 2.0.1 and later",
    .keys = "bytes",
    .looks = looks_go,
    .decode = decode_go<go_filter>,
    .encode = encode_go<go_filter, go_format>,
    .create = new_go<go_filter>,
    .facts = go_facts,
};

const foreign_format go_fnv_format{
    .name = "go-fnv",
    .what = "Go bits-and-blooms WriteTo, of version 2.0.0, with hashes by FNV",
    .keys = "bytes",
    .needs = "its name: the bytes are as those of the format go",
    .looks = looks_like_nothing,
    .decode = decode_go<go_fnv_filter>,
    .encode = encode_go<go_fnv_filter, go_fnv_format>,
    .create = new_go<go_fnv_filter>,
    .facts = go_facts,
};

} // namespace bloomery::format
