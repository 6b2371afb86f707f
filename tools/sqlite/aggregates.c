// bloom_agg and bloom_union_agg.
#include "face.h"

/// How many keys go into a filter at a time, between two looks of SQLite at interrupts. Each key
/// may be the first in its part of a large filter, and the system then takes a millisecond to find
/// memory for that part.
enum { most_at_once = 1024, most_at_once_if_large = 8, large_filter = 32 << 20 };
enum { bytes_to_check = 1 << 20 };

/// A filter that is being built. SQLite zeroes it before the first row.
typedef struct building {
    bloomery_filter* filter;
    bool has_failed;
    bool hashes_ahead;
    uint32_t batch; ///< how many at a time
    uint32_t count;
    bloomery_digest digests[most_at_once]; ///< of keys that are not in the filter yet
} building;

static void give_up(building* at) {
    at->has_failed = true;
    bloomery_close(at->filter);
    at->filter = NULL;
}

static bool failed_at(sqlite3_context* context, building* at, bloomery_status status) {
    if (!failed(context, status)) return false;
    give_up(at);
    return true;
}

/// The filter grows with its keys, so its size is compared with the limit now and then.
static bool has_room(sqlite3_context* context, building* at) {
    bloomery_info info = bloomery_info_init();
    if (failed_at(context, at, bloomery_info_of(at->filter, &info))) return false;
    at->batch = info.byte_count > large_filter ? most_at_once_if_large : most_at_once;
    if (!refuse_longer(context, info.byte_count)) return true;
    give_up(at);
    return false;
}

/// Puts the keys of the batch into the filter.
static bool insert_batch(sqlite3_context* context, building* at) {
    const bloomery_keys keys = bloomery_keys_digests(at->digests, at->count);
    at->count = 0;
    return !failed_at(context, at, bloomery_insert_many(at->filter, &keys)) &&
           has_room(context, at);
}

static bool begin(sqlite3_context* context, building* at, int count, sqlite3_value** values) {
    bloomery_info info = bloomery_info_init();
    if (!make_filter(context, count - 1, values + 1, &at->filter)) {
        at->has_failed = true;
        return false;
    }
    if (failed_at(context, at, bloomery_info_of(at->filter, &info))) return false;
    at->hashes_ahead = info.hashes_ahead;
    return has_room(context, at);
}

static void insert_now(sqlite3_context* context, building* at, const key* added) {
    const bloomery_status status =
        added->is_integer ? bloomery_insert_u64(at->filter, added->number)
                          : bloomery_insert(at->filter, added->bytes.data, added->bytes.size);
    (void)failed_at(context, at, status);
}

static void insert_later(sqlite3_context* context, building* at, const key* added) {
    bloomery_digest* const digest = at->digests + at->count;
    const bloomery_status status =
        added->is_integer
            ? bloomery_digest_of_u64(at->filter, added->number, digest)
            : bloomery_digest_of(at->filter, added->bytes.data, added->bytes.size, digest);
    if (failed_at(context, at, status)) return;
    if (++at->count >= at->batch) (void)insert_batch(context, at);
}

void bloom_agg_step(sqlite3_context* context, int count, sqlite3_value** values) {
    building* const at = sqlite3_aggregate_context(context, sizeof *at);
    if (at == NULL) {
        sqlite3_result_error_nomem(context);
        return;
    }
    if (at->has_failed || (at->filter == NULL && !begin(context, at, count, values))) return;
    key added;
    if (is_null(values[0])) return;
    if (!take_key(context, values[0], &added)) {
        give_up(at);
    } else if (at->hashes_ahead) {
        insert_later(context, at, &added);
    } else {
        insert_now(context, at, &added);
    }
}

/// SQLite calls the last function of an aggregate also to clean up after an interrupt.
static bool stopped_before_end(sqlite3_context* context, const bloomery_filter* filter) {
    bloomery_info info = bloomery_info_init();
    if (failed(context, bloomery_info_of(filter, &info))) return true;
    if (info.byte_count < bytes_to_check || !is_interrupted(context)) return false;
    fail_interrupted(context);
    return true;
}

/// Without a row, the filter of no keys: SQLite does not say which n it was to be made for.
static void give_empty(sqlite3_context* context) {
    bloomery_filter* empty = NULL;
    if (make_filter(context, 0, NULL, &empty)) give_filter(context, empty, NULL);
    bloomery_close(empty);
}

void bloom_agg_final(sqlite3_context* context) {
    building* const at = sqlite3_aggregate_context(context, 0);
    if (at == NULL) {
        give_empty(context);
        return;
    }
    if (at->filter == NULL) return; // the error was told before
    if (!stopped_before_end(context, at->filter) && insert_batch(context, at)) {
        give_filter(context, at->filter, NULL);
    }
    bloomery_close(at->filter);
    at->filter = NULL;
}

// The union of a column of filters.

typedef struct merging {
    bloomery_filter* filter;
    bool has_failed;
} merging;

void bloom_union_step(sqlite3_context* context, int count, sqlite3_value** values) {
    merging* const at = sqlite3_aggregate_context(context, sizeof *at);
    (void)count;
    if (at == NULL) {
        sqlite3_result_error_nomem(context);
        return;
    }
    if (at->has_failed || is_null(values[0])) return;
    if (at->filter == NULL) {
        at->filter = take_filter(context, values[0]);
        at->has_failed = at->filter == NULL;
        return;
    }
    seen_filter other;
    at->has_failed = !see_filter(context, values[0], &other);
    if (at->has_failed) return;
    at->has_failed = !merge_into(context, &at->filter, other.filter);
    unsee(&other);
}

void bloom_union_final(sqlite3_context* context) {
    merging* const at = sqlite3_aggregate_context(context, 0);
    if (at == NULL || (at->filter == NULL && !at->has_failed)) {
        give_empty(context);
        return;
    }
    if (!at->has_failed && !stopped_before_end(context, at->filter)) {
        give_filter(context, at->filter, NULL);
    }
    bloomery_close(at->filter);
    at->filter = NULL;
}
