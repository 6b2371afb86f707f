// The functions that the module exports beyond those of bloomery.h, and what they share.
//
// They return a bloomery_status, as those do, and errors are told by bloomery_last_error().
#pragma once

#include <bloomery.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

extern "C" {

/// Implemented in JavaScript: takes bytes for web_encode; anything but 0 ends the call.
__attribute__((import_module("env"), import_name("web_take"))) int web_take(const uint8_t* bytes,
                                                                            size_t size);

/// bloomery_encode_to with web_take as the writer.
bloomery_status web_encode(const bloomery_filter* filter, const bloomery_write_options* options);

/// What the formulas of other systems give for n keys at a rate of p: a JSON array.
bloomery_status web_plans_of_others(uint64_t n, double p, char** json);
/// The size of a filter of a kind, such as "counting,bits=8": a JSON object.
bloomery_status web_plan_of_kind(const char* kind, uint64_t n, double p, char** json);
/// The cost of an array of bits as one bitmap in Redis: a JSON object.
bloomery_status web_redis_cost(uint64_t bit_count, uint32_t hash_count, char** json);

/// The cost of a filter for n keys at a rate of p that is split into bitmaps of at most `largest`
/// bytes.
bloomery_status web_redis_split(uint64_t n, double p, uint64_t largest, char** json);

/// A native file that is not loaded, as in format/remote.hpp.
typedef struct web_remote web_remote;
/// From the header page and the size of the file; the secret may be null.
bloomery_status web_remote_open(const uint8_t* page, size_t size, uint64_t file_bytes,
                                const uint8_t* secret, web_remote** opened);
void web_remote_close(web_remote* remote);
/// A filter that makes its digests, with bloomery_digest_many; it ends with the remote one.
bloomery_filter* web_remote_digester(web_remote* remote);
bloomery_status web_remote_info(const web_remote* remote, bloomery_info* info);
/// The pages that these digests need; valid until the next call.
bloomery_status web_remote_missing(web_remote* remote, const bloomery_digest* digests, size_t count,
                                   const uint64_t** pages, size_t* page_count);
bloomery_status web_remote_put(web_remote* remote, uint64_t page, const uint8_t* bytes, size_t size,
                               uint64_t checksum);
size_t web_remote_page_count(const web_remote* remote);
void web_remote_forget(web_remote* remote);
/// Bit i is 0 if key i is definitely not in the filter.
bloomery_status web_remote_ask(const web_remote* remote, const bloomery_digest* digests,
                               size_t count, uint8_t* maybe);
/// Statistics: begins to count, counts the next pages, and tells the result, whose density is valid
/// until the next call.
bloomery_status web_remote_count(web_remote* remote, uint64_t cells);
bloomery_status web_remote_add(web_remote* remote, const uint8_t* pages, size_t size,
                               const uint8_t* checksums, size_t checksum_bytes);
bloomery_status web_remote_counted(web_remote* remote, bloomery_statistics* to,
                                   const double** density);

/// The sizes and offsets of the structures of bloomery.h as this compiler has them: a JSON object.
bloomery_status web_structs(char** json);
}

namespace bloomery::inline v0::c {
/// src/c/status.cpp: keeps the sentence of the current exception, and returns its status.
[[nodiscard]] bloomery_status report() noexcept;
} // namespace bloomery::inline v0::c

namespace bloomery::web {

/// Calls a function, and turns what it throws into a status.
template <class Do>
[[nodiscard]] bloomery_status guarded(Do&& act) noexcept {
    try {
        act();
        return BLOOMERY_OK;
    } catch (...) {
        return c::report();
    }
}

/// A string that JavaScript frees with bloomery_free_memory. Throws std::bad_alloc.
[[nodiscard]] inline char* copied_out(std::string_view text) {
    auto* const made = static_cast<char*>(std::malloc(text.size() + 1));
    if (made == nullptr) {
        throw std::bad_alloc();
    }
    std::memcpy(made, text.data(), text.size());
    made[text.size()] = '\0';
    return made;
}

} // namespace bloomery::web
