// Filters that were decoded for one row and are used again for the next, at one place of a query.
//
// A stale filter would answer "no" for a key that is in, so a filter is found again only by what
// identifies its bytes, never by where they are or by what the planner says about an expression:
//
// - A value in memory has the SHA-256 of its bytes in its prefix.
// - A value that is stored outside its row has an identity in the TOAST table, which never gets
//   other bytes while a statement can see it. An identity could be used again only after the row
//   is gone and four billion others were stored, so it counts only within one statement, and until
//   a transaction or subtransaction ends: both could let go of the row.
//
// So it does not matter whether the filter is a constant, a parameter, the result of a subquery
// that runs again, or a column.
#ifndef BLOOMERY_POSTGRES_CACHE_H
#define BLOOMERY_POSTGRES_CACHE_H

#include "value.h"

#include <access/toast_internals.h>

/// Until when an identity in a TOAST table stands for the same bytes.
typedef struct bloom_epoch {
    TimestampTz statement;
    uint64 ended; ///< transactions and subtransactions
} bloom_epoch;

/// A decoded filter, and by what it is found again.
typedef struct bloom_entry {
    bloom_handle* handle; ///< null: unused
    uint64 file_size;
    uint8 fingerprint[BLOOM_FINGERPRINT_SIZE];
    bool was_stored; ///< the next two are set
    struct varatt_external stored;
    bloom_epoch epoch;
} bloom_entry;

#define BLOOM_CACHE_ENTRIES 16

typedef struct bloom_cache {
    MemoryContext context;
    bloom_entry* last; ///< what the last row used
    int oldest;
    bloom_entry entries[BLOOM_CACHE_ENTRIES];
} bloom_cache;

/// Counts the ends of transactions; called when the module is loaded.
void bloom_watch_transactions(void);

bloom_cache* bloom_new_cache(MemoryContext context);

/// The filter in a value. It is valid until the next call.
const bloomery_filter* bloom_cached(bloom_cache* cache, Datum datum);

#endif
