// BF.SCANDUMP, BF.LOADCHUNK
#include <bloomery/detail/format/redis_layers.hpp>
#include <bloomery/error.hpp>

#include "bloom_commands.hpp"
#include "bloom_type.hpp"
#include "native_object.hpp"
#include "redisbloom_object.hpp"
#include "room.hpp"
#include "settings.hpp"

#include <algorithm>
#include <limits>

namespace bloomery::redis_module {

namespace {

/// RedisBloom sends 16 MiB, which takes the server tens of milliseconds. It takes any size back.
constexpr std::uint64_t longest_piece = std::uint64_t{1} << 20U;
constexpr long long header_iterator = 1;
constexpr const char* bad_data_text = "ERR received bad data";

void reply_piece(context* to, std::uint64_t iterator, std::span<const std::byte> piece) noexcept {
    server.reply_array(to, 2);
    server.reply_number(to, static_cast<long long>(iterator));
    server.reply_bytes(to, reinterpret_cast<const char*>(piece.data()), piece.size());
}

std::unique_ptr<bloom_object> from_header(byte_view bytes, const filter_limits& limit) {
    try {
        if (format::looks_like_redis_layers(bytes)) {
            return native_object::from_header(bytes, limit);
        }
        return redisbloom_object::from_header(bytes, limit);
    } catch (const std::bad_alloc&) {
        throw refusal{bad_data_text};
    } catch (const error&) {
        throw refusal{bad_data_text};
    }
}

/// Writes a piece to where its iterator says: 1 more than the offset of its end.
void load_piece(bloom_object& into, long long iterator, byte_view piece) {
    if (iterator <= 0 || static_cast<std::uint64_t>(iterator) < piece.size()) {
        throw refusal{bad_data_text};
    }
    const std::uint64_t end = static_cast<std::uint64_t>(iterator);
    std::uint64_t offset = end - piece.size();
    if (offset-- != 0) {
        for (std::size_t i = 0; i < into.layer_count(); ++i) {
            const std::span<std::byte> bits = into.bits(i);
            if (offset < bits.size()) {
                if (piece.size() > bits.size() - offset) {
                    throw refusal{"ERR invalid chunk - Too big for current filter"};
                }
                std::ranges::copy(piece, bits.begin() + static_cast<std::ptrdiff_t>(offset));
                return;
            }
            offset -= bits.size();
        }
    }
    throw refusal{"ERR invalid offset - no link found"};
}

} // namespace

void bloom_scandump(const call& now) {
    now.require(now.count() == 3);
    const open_key key(now, now[1], open_read);
    const bloom_object& filter = require_bloom(key);
    long long iterator = 0;
    if (server.to_number(now[2], &iterator) != ok) {
        throw refusal{"Second argument must be numeric"};
    }
    if (iterator == 0) return reply_piece(now.in(), header_iterator, filter.header());
    const auto at = static_cast<std::uint64_t>(iterator);
    const std::span<const std::byte> piece =
        iterator > 0 ? piece_at(filter, at - 1, longest_piece) : std::span<const std::byte>{};
    reply_piece(now.in(), piece.empty() ? 0 : at + piece.size(), piece);
}

void bloom_loadchunk(const call& now) {
    now.require(now.count() == 4);
    long long iterator = 0;
    if (server.to_number(now[2], &iterator) != ok) {
        throw refusal{"ERR Second argument must be numeric"};
    }
    open_key key(now, now[1], open_read | open_write);
    if (key.is_empty() && iterator == header_iterator) {
        std::unique_ptr<bloom_object> made =
            from_header(key_bytes(now[3]), bloom_limits(now.must_obey()));
        require_room(now, made->bit_bytes());
        put(key, std::move(made));
    } else {
        load_piece(require_bloom(key), iterator, key_bytes(now[3]));
    }
    server.replicate_verbatim(now.in());
    key.close();
    now.tell_changed("bloom.load");
    server.reply_status(now.in(), "OK");
}

} // namespace bloomery::redis_module
