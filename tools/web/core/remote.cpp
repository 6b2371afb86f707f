// Files that are not loaded: format/remote.hpp for JavaScript, which does the reading.
#include <bloomery/detail/hash/hash_id.hpp>
#include <bloomery/detail/layout/scheme.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/format/remote.hpp>

#include "web.hpp"

#include <optional>
#include <string>

using namespace bloomery;
using web::guarded;

struct web_remote {
    web_remote(byte_view page, std::uint64_t file_bytes, const format::decode_options& options)
        : filter(page, file_bytes, options) {}
    ~web_remote() { bloomery_close(digester); }
    web_remote(const web_remote&) = delete;
    web_remote& operator=(const web_remote&) = delete;

    format::remote_filter filter;
    bloomery_filter* digester = nullptr;
    std::optional<format::remote_statistics> tally;
    std::vector<std::uint64_t> missing;
    std::vector<double> density;
};

namespace {

byte_view bytes_at(const uint8_t* bytes, size_t size) {
    return {reinterpret_cast<const std::byte*>(bytes), size}; // NOLINT: bytes both
}

/// A tiny filter with the same hash: bloomery_digest_many then makes digests for keys of every form
/// and encoding.
bloomery_filter* digester_of(const native_hash& hash) {
    constexpr plan::shape tiny{layout_kind::classic, 64, 1};
    std::string file;
    format::encode_native(make_filter(tiny, storage::heap_words<>(1), hash, {}),
                          [&](byte_view part) {
                              file.append(reinterpret_cast<const char*>(part.data()),
                                          part.size()); // NOLINT
                          },
                          {.keep_secret = hash.is_keyed()});
    bloomery_filter* made = nullptr;
    if (bloomery_decode(file.data(), file.size(), nullptr, &made) != BLOOMERY_OK) {
        throw error(bloomery_last_error());
    }
    return made;
}

bloomery_info info_of(const format::native_header& header) {
    const spec& what = header.what;
    bloomery_info told = bloomery_info_init();
    told.kind = name_of(what.kind).data();
    told.layout = plan::name_of(what.shape.layout).data();
    told.scheme = layout::name_of(what.scheme).data();
    told.hash = hash::name(what.hash).data();
    told.seed = what.seed;
    told.bit_count = what.shape.bit_count;
    told.hash_count = what.shape.hash_count;
    told.keyed = hash::is_keyed(what.hash);
    told.item_capacity = header.made_for.item_capacity;
    told.target_rate = header.made_for.target_rate;
    told.byte_count = header.payload_bytes();
    told.intersected = header.made_for.intersected;
    return told;
}

} // namespace

bloomery_status web_remote_open(const uint8_t* page, size_t size, uint64_t file_bytes,
                                const uint8_t* secret, web_remote** opened) {
    return guarded([&] {
        *opened = nullptr;
        format::decode_options options;
        if (secret != nullptr) {
            const std::byte* const key = bytes_at(secret, BLOOMERY_SECRET_SIZE).data();
            options.secret = hash::sip_key{hash::load_le64(key), hash::load_le64(key + 8)};
        }
        auto made = std::make_unique<web_remote>(bytes_at(page, size), file_bytes, options);
        made->digester = digester_of(made->filter.hash());
        *opened = made.release();
    });
}

void web_remote_close(web_remote* remote) { delete remote; }

bloomery_filter* web_remote_digester(web_remote* remote) { return remote->digester; }

bloomery_status web_remote_info(const web_remote* remote, bloomery_info* info) {
    return guarded([&] { *info = info_of(remote->filter.header()); });
}

bloomery_status web_remote_missing(web_remote* remote, const bloomery_digest* digests, size_t count,
                                   const uint64_t** pages, size_t* page_count) {
    return guarded([&] {
        std::vector<digest128> all;
        all.reserve(count);
        for (size_t i = 0; i < count; ++i) {
            all.push_back({digests[i].low, digests[i].high});
        }
        remote->missing = remote->filter.missing(all);
        *pages = remote->missing.data();
        *page_count = remote->missing.size();
    });
}

bloomery_status web_remote_put(web_remote* remote, uint64_t page, const uint8_t* bytes, size_t size,
                               uint64_t checksum) {
    return guarded([&] { remote->filter.put(page, bytes_at(bytes, size), checksum); });
}

size_t web_remote_page_count(const web_remote* remote) { return remote->filter.page_count(); }
void web_remote_forget(web_remote* remote) { remote->filter.forget(); }

bloomery_status web_remote_ask(const web_remote* remote, const bloomery_digest* digests,
                               size_t count, uint8_t* maybe) {
    return guarded([&] {
        std::memset(maybe, 0, (count + 7) / 8);
        for (size_t i = 0; i < count; ++i) {
            const bool found = remote->filter.may_contain({digests[i].low, digests[i].high});
            maybe[i / 8] |= static_cast<uint8_t>(found ? 1U << i % 8 : 0);
        }
    });
}

bloomery_status web_remote_count(web_remote* remote, uint64_t cells) {
    return guarded([&] { remote->tally.emplace(remote->filter.header(), cells); });
}

bloomery_status web_remote_add(web_remote* remote, const uint8_t* pages, size_t size,
                               const uint8_t* checksums, size_t checksum_bytes) {
    return guarded([&] {
        remote->tally.value().add(bytes_at(pages, size), bytes_at(checksums, checksum_bytes));
    });
}

bloomery_status web_remote_counted(web_remote* remote, bloomery_statistics* to,
                                   const double** density) {
    return guarded([&] {
        const statistics now = remote->tally.value().result();
        bloomery_statistics told = bloomery_statistics_init();
        told.bit_count = now.bit_count;
        told.bits_set = now.bits_set;
        told.fill_ratio = now.fill_ratio;
        told.items = now.items.items;
        told.standard_error = now.items.standard_error;
        told.expected_rate = now.expected_rate;
        told.unit_bits = now.unit_bits;
        told.saturated = now.items.saturated;
        told.intersected = now.intersected;
        *to = told;
        remote->density = remote->tally->density();
        *density = remote->density.data();
    });
}
