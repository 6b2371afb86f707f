// Filters in blobs, decoded once for many rows. A function cannot tell whether SQLite passes the
// same blob for each row, as from a subquery, or another one at the same address. The bytes tell: a
// sealed filter in the native format (docs/format.md) has checksums of its header and of every
// 4,096 bytes of its bits. If header and checksums are those of a filter that was decoded, whose
// checksums were verified, so are the bits. They take 1/500 of the time in which SQLite copies the
// blob for each row.
#include "connection.h"

/// The version of the format in which all this is where we look for it.
static const uint8_t version[] = {1, 0, 0, 0};
enum { version_at = 8 };

/// The parts of the header: what is written once, without the comment, and both records of the
/// state.
typedef struct part {
    uint32_t at;
    uint32_t size;
} part;
static const part parts[] = {{0, 160}, {2552, 72}, {3072, 64}};
enum { part_count = sizeof parts / sizeof parts[0] };
enum { payload_size_at = 64, chunk_size = 4096, checksum_size = 8 };

static uint64_t checksums_size(bloomery_slice bytes) {
    const uint8_t* const at = (const uint8_t*)bytes.data + payload_size_at;
    uint64_t payload = 0;
    for (int i = 7; i >= 0; --i) payload = payload << 8 | at[i];
    return (payload + chunk_size - 1) / chunk_size * checksum_size;
}

static const uint8_t* checksums_in(bloomery_slice bytes, uint64_t size) {
    return (const uint8_t*)bytes.data + bytes.size - size;
}

static bool is_content(const content* known, bloomery_slice bytes) {
    if (bytes.size != known->size) return false; // so the bytes have all parts
    const uint8_t* mine = known->header;
    for (int i = 0; i < part_count; mine += parts[i++].size) {
        const uint8_t* const theirs = (const uint8_t*)bytes.data + parts[i].at;
        if (memcmp(theirs, mine, parts[i].size) != 0) return false;
    }
    return memcmp(checksums_in(bytes, known->checksums_size), known->checksums,
                  known->checksums_size) == 0;
}

/// What identifies bytes that were decoded. Null: no memory.
static content* content_of(bloomery_slice bytes) {
    const uint64_t size = checksums_size(bytes);
    content* const made = sqlite3_malloc64(sizeof *made + size);
    if (made == NULL) return NULL;
    made->size = bytes.size;
    uint8_t* to = made->header;
    for (int i = 0; i < part_count; to += parts[i++].size) {
        memcpy(to, (const uint8_t*)bytes.data + parts[i].at, parts[i].size);
    }
    made->checksums_size = size;
    memcpy(made->checksums, checksums_in(bytes, size), size);
    return made;
}

static opened* open_new(sqlite3_context* context, bloomery_slice bytes) {
    bool sealed = false;
    bloomery_filter* const filter = decode_native(context, bytes, &sealed);
    if (filter == NULL) return NULL;
    // Only in a sealed filter has everything a checksum. Another one is never recognised, nor one
    // of a later version.
    const bool can_know =
        sealed && memcmp((const uint8_t*)bytes.data + version_at, version, sizeof version) == 0;
    content* const known = can_know ? content_of(bytes) : NULL;
    if (can_know && known == NULL) {
        bloomery_close(filter);
        sqlite3_result_error_nomem(context);
        return NULL;
    }
    return keep_open(context, filter, known, (origin){0});
}

opened* opened_blob(sqlite3_context* context, bloomery_slice bytes) {
    connection* const of = connection_of(context);
    for (int i = 0; i < most_opened; ++i) {
        opened* const one = of->open[i];
        if (one != NULL && one->bytes != NULL && is_content(one->bytes, bytes)) {
            one->last_use = ++of->uses;
            return one;
        }
    }
    return open_new(context, bytes);
}

void bloom_open(sqlite3_context* context, int count, sqlite3_value** values) {
    bloomery_slice bytes;
    (void)count;
    if (is_null(values[0])) return;
    if (is_reference(values[0])) {
        if (referenced_filter(context, values[0]) != NULL) sqlite3_result_value(context, values[0]);
        return;
    }
    if (!take_bytes(context, values[0], &bytes)) return;
    const opened* const one = opened_blob(context, bytes);
    if (one != NULL) sqlite3_result_int64(context, one->number);
}
