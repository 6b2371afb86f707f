#include "bloom_type.hpp"

#include <bloomery/format/redis.hpp>

#include "native_object.hpp"
#include "rdb.hpp"
#include "redisbloom_object.hpp"

#include <algorithm>

namespace bloomery::redis_module {

namespace {

data_type* redisbloom_type = nullptr;
data_type* native_type = nullptr;

const bloom_object& object(const void* value) noexcept {
    return *static_cast<const bloom_object*>(value);
}

template <class Object>
void* bloom_load(stream* from, int version) {
    return load_or_null(
        from,
        [](stream* in, int of) -> void* {
            std::unique_ptr<bloom_object> loaded = Object::load(in, of);
            return loaded.release();
        },
        version);
}

void bloom_save(stream* to, void* value) { object(value).save(to); }

void bloom_rewrite(stream* to, text* key, void* value) {
    const bloom_object& filter = object(value);
    const std::vector<std::byte> header = filter.header();
    const auto emit = [&](std::uint64_t iterator, std::span<const std::byte> piece) {
        server.emit_aof(to, "BF.LOADCHUNK", "slb", key, static_cast<long long>(iterator),
                        piece.data(), piece.size());
    };
    emit(1, header);
    std::uint64_t offset = 0;
    while (true) {
        const auto piece = piece_at(filter, offset, format::redisbloom_chunk_bytes);
        if (piece.empty()) return;
        offset += piece.size();
        emit(offset + 1, piece);
    }
}

std::size_t bloom_memory(const void* value) { return object(value).facts().bytes; }

void bloom_digest(digest_state* to, void* value) { object(value).digest(to); }

void destroy(void* value) { delete static_cast<bloom_object*>(value); }

/// The server frees what takes more than 64 efforts on another thread. Pages are what takes time.
std::size_t bloom_free_effort(text* /*key*/, const void* value) {
    constexpr std::uint64_t bytes_in_an_effort = std::uint64_t{1} << 14U;
    return 1 + object(value).facts().bytes / bytes_in_an_effort;
}

void* bloom_copy(text* /*from*/, text* /*to*/, const void* value) {
    try {
        return object(value).copy().release();
    } catch (const std::exception&) {
        return nullptr;
    }
}

template <class Object>
data_type* register_type(context* in, const char* name, int version) {
    type_methods methods{.rdb_load = bloom_load<Object>,
                         .rdb_save = bloom_save,
                         .aof_rewrite = bloom_rewrite,
                         .mem_usage = bloom_memory,
                         .digest = bloom_digest,
                         .free = destroy,
                         .free_effort = bloom_free_effort,
                         .copy = bloom_copy,
                         .defrag = defrag_in_parts<bloom_object, &bloom_object::layer_count>};
    return server.create_data_type(in, name, version, &methods);
}

} // namespace

int register_bloom_types(context* in) {
    redisbloom_type = register_type<redisbloom_object>(in, "MBbloom--", 4);
    native_type = register_type<native_object>(in, "bloomery-", 1);
    return redisbloom_type != nullptr && native_type != nullptr ? ok : failed;
}

bloom_object* bloom_in(const open_key& key) noexcept {
    void* value = key.value(redisbloom_type);
    if (value == nullptr) value = key.value(native_type);
    return static_cast<bloom_object*>(value);
}

bloom_object& require_bloom(const open_key& key) {
    bloom_object* const filter = bloom_in(key);
    if (filter == nullptr) refuse_key(key);
    return *filter;
}

void put(open_key& into, std::unique_ptr<bloom_object> filter) noexcept {
    const bool native = dynamic_cast<const native_object*>(filter.get()) != nullptr;
    into.set(native ? native_type : redisbloom_type, filter.release());
}

std::span<const std::byte> piece_at(const bloom_object& of, std::uint64_t offset,
                                    std::uint64_t most) noexcept {
    for (std::size_t i = 0; i < of.layer_count(); ++i) {
        const std::span<const std::byte> bits = of.bits(i);
        if (offset < bits.size()) {
            return bits.subspan(offset, std::min<std::uint64_t>(most, bits.size() - offset));
        }
        offset -= bits.size();
    }
    return {};
}

} // namespace bloomery::redis_module
