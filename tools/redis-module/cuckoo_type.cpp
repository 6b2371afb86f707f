#include "cuckoo_type.hpp"

#include "rdb.hpp"

#include <array>
#include <limits>

namespace bloomery::redis_module {

data_type* cuckoo_type = nullptr;

namespace {

constexpr const char* type_name = "MBbloomCF";
/// Before it, RedisBloom wrote neither deletes nor what its filters had no choice of.
constexpr int version_with_all_fields = 4;
constexpr std::uint64_t append_only_piece = std::uint64_t{16} << 20U;

const cuckoo_filter& filter_at(const void* value) noexcept {
    return *static_cast<const cuckoo_filter*>(value);
}

const char* characters(byte_view bytes) noexcept {
    return reinterpret_cast<const char*>(bytes.data());
}

/// In the order of RedisBloom's files.
std::array<std::uint64_t, 7> numbers_of(const cuckoo_fields& of) noexcept {
    return {of.filters,     of.buckets,    of.items,    of.deletes,
            of.bucket_size, of.iterations, of.expansion};
}

cuckoo_fields load_fields(rdb_reader& from, int version) {
    cuckoo_fields read;
    read.filters = from.number();
    read.buckets = from.number();
    read.items = from.number();
    if (version < version_with_all_fields) return read;
    read.deletes = from.number();
    read.bucket_size = from.number();
    read.iterations = from.number();
    read.expansion = from.number();
    return read;
}

void* load_any(stream* stream, int version) {
    if (version > version_with_all_fields) {
        throw refusal{"A cuckoo filter was saved by a newer version of the module"};
    }
    rdb_reader from(stream);
    const cuckoo_fields fields = load_fields(from, version);
    made_cuckoo_filter made = cuckoo_filter::from_fields(
        fields, std::numeric_limits<std::uint64_t>::max(),
        [&](std::uint64_t /*filter*/, std::uint64_t buckets, std::uint64_t /*size*/) {
            const bool as_derived = version < version_with_all_fields || from.number() == buckets;
            return as_derived ? from.bytes() : server_bytes();
        });
    if (made.why == cuckoo_outcome::no_memory) {
        throw refusal{"Not enough memory for a cuckoo filter"};
    }
    if (made.filter == nullptr) {
        throw refusal{"The fields of a cuckoo filter contradict each other or its data"};
    }
    return made.filter.release();
}

void* cuckoo_load(stream* from, int version) { return load_or_null(from, load_any, version); }

void cuckoo_save(stream* to, void* value) {
    const cuckoo_filter& filter = filter_at(value);
    for (const std::uint64_t number : numbers_of(filter.fields())) server.save_number(to, number);
    for (std::size_t i = 0; i < filter.filters(); ++i) {
        const byte_view bytes = filter.bytes(i);
        server.save_number(to, filter.buckets(i));
        server.save_bytes(to, characters(bytes), bytes.size());
    }
}

void cuckoo_rewrite(stream* to, text* key, void* value) {
    const cuckoo_filter& filter = filter_at(value);
    const cuckoo_filter::header_bytes header = filter.header();
    long long position = 1;
    const auto emit = [&](byte_view piece) {
        server.emit_aof(to, "CF.LOADCHUNK", "slb", key, position, characters(piece), piece.size());
    };
    emit(header);
    for (std::uint64_t at = 0; at < filter.slots();) {
        const byte_view piece = filter.piece(at, append_only_piece);
        at += piece.size();
        position = static_cast<long long>(at) + 1;
        emit(piece);
    }
}

void cuckoo_digest(digest_state* to, void* value) {
    const cuckoo_filter& filter = filter_at(value);
    for (const std::uint64_t number : numbers_of(filter.fields())) digest_number(to, number);
    for (std::size_t i = 0; i < filter.filters(); ++i) digest_bytes(to, filter.bytes(i));
    server.digest_end_sequence(to);
}

std::size_t cuckoo_memory(const void* value) { return filter_at(value).memory(); }

void release(void* value) { delete static_cast<cuckoo_filter*>(value); }

/// More than 64 makes the server free a value in the background; 0 would, too.
std::size_t cuckoo_free_effort(text* /*key*/, const void* value) {
    constexpr std::uint64_t bytes_of_one = std::uint64_t{64} << 10U;
    const cuckoo_filter& filter = filter_at(value);
    return filter.filters() + filter.slots() / bytes_of_one;
}

void* cuckoo_copy(text* /*from*/, text* /*to*/, const void* value) {
    return filter_at(value).copy().filter.release();
}

} // namespace

int register_cuckoo_type(context* in) {
    type_methods methods{.rdb_load = cuckoo_load,
                         .rdb_save = cuckoo_save,
                         .aof_rewrite = cuckoo_rewrite,
                         .mem_usage = cuckoo_memory,
                         .digest = cuckoo_digest,
                         .free = release,
                         .free_effort = cuckoo_free_effort,
                         .copy = cuckoo_copy,
                         .defrag = defrag_in_parts<cuckoo_filter, &cuckoo_filter::filters>};
    cuckoo_type = server.create_data_type(in, type_name, version_with_all_fields, &methods);
    return cuckoo_type != nullptr ? ok : failed;
}

} // namespace bloomery::redis_module
