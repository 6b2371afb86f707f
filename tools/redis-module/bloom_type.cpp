#include "bloom_type.hpp"

#include <bloomery/format/redisbloom.hpp>

#include "native_object.hpp"
#include "rdb.hpp"
#include "redisbloom_object.hpp"

#include <algorithm>

namespace bloomery::redis_module {

namespace {

constexpr const char* redisbloom_name = "MBbloom--";
constexpr int redisbloom_version = 4;
constexpr const char* native_name = "bloomery-";
constexpr int native_version = 1;

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

/// One layer after another; the cursor is the next one.
int bloom_defrag(defrag_context* by, text* /*key*/, void** value) {
    unsigned long from = 0;
    if (server.defrag_cursor_get(by, &from) != ok) from = 0;
    if (from == 0) {
        if (void* const moved = server.defrag_alloc(by, *value)) *value = moved;
    }
    auto& filter = *static_cast<bloom_object*>(*value);
    std::size_t next = 0;
    try {
        next = filter.defrag(by, from);
    } catch (const std::bad_alloc&) {
        return 0; // there is no place to move to
    }
    if (next >= filter.layer_count()) return 0;
    server.defrag_cursor_set(by, next);
    return 1;
}

template <class Object>
type_methods methods() {
    type_methods all;
    all.rdb_load = bloom_load<Object>;
    all.rdb_save = bloom_save;
    all.aof_rewrite = bloom_rewrite;
    all.mem_usage = bloom_memory;
    all.digest = bloom_digest;
    all.free = destroy;
    all.free_effort = bloom_free_effort;
    all.copy = bloom_copy;
    all.defrag = bloom_defrag;
    return all;
}

} // namespace

int register_bloom_types(context* in) {
    type_methods of_redisbloom = methods<redisbloom_object>();
    redisbloom_type =
        server.create_data_type(in, redisbloom_name, redisbloom_version, &of_redisbloom);
    type_methods of_native = methods<native_object>();
    native_type = server.create_data_type(in, native_name, native_version, &of_native);
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
