#include "cache.h"

#include "errors.h"
#include "limits.h"

#include <access/detoast.h>
#include <access/xact.h>
#include <utils/memutils.h>

static uint64 ended_count;

static void on_transaction(XactEvent event, void* unused) { ++ended_count; }

static void on_subtransaction(SubXactEvent event, SubTransactionId mine, SubTransactionId parent,
                              void* unused) {
    if (event == SUBXACT_EVENT_ABORT_SUB) ++ended_count;
}

void bloom_watch_transactions(void) {
    RegisterXactCallback(on_transaction, NULL);
    RegisterSubXactCallback(on_subtransaction, NULL);
}

static bloom_epoch now(void) {
    return (bloom_epoch){GetCurrentStatementStartTimestamp(), ended_count};
}

bloom_cache* bloom_new_cache(MemoryContext context) {
    bloom_cache* const made = MemoryContextAllocZero(context, sizeof *made);
    made->context = context;
    return made;
}

static inline bool is_value(const bloom_entry* entry, const bloom_value* value) {
    return entry->handle != NULL && VARSIZE(value) == BLOOM_PREFIX_SIZE + entry->file_size &&
           memcmp(value->mark, BLOOM_MARK, BLOOM_MARK_SIZE) == 0 &&
           memcmp(value->fingerprint, entry->fingerprint, BLOOM_FINGERPRINT_SIZE) == 0;
}

static inline bool is_stored(const bloom_entry* entry, const struct varatt_external* stored) {
    return entry->handle != NULL && entry->was_stored &&
           memcmp(&entry->stored, stored, sizeof *stored) == 0 &&
           entry->epoch.statement == GetCurrentStatementStartTimestamp() &&
           entry->epoch.ended == ended_count;
}

/// The filter of a value that is flat in memory, if it was decoded before.
static bloom_entry* find_value(bloom_cache* cache, const bloom_value* value) {
    for (int i = 0; i < BLOOM_CACHE_ENTRIES; ++i) {
        if (is_value(&cache->entries[i], value)) return &cache->entries[i];
    }
    return NULL;
}

static bloom_entry* find_stored(bloom_cache* cache, const struct varatt_external* stored) {
    for (int i = 0; i < BLOOM_CACHE_ENTRIES; ++i) {
        if (is_stored(&cache->entries[i], stored)) return &cache->entries[i];
    }
    return NULL;
}

static void drop(bloom_entry* entry) {
    bloom_handle* const handle = entry->handle;
    if (handle == NULL) return;
    entry->handle = NULL;
    MemoryContextDelete(GetMemoryChunkContext(handle)); // which closes the filter
}

/// An entry without a filter: the one that was filled first, and more until there is enough memory.
static bloom_entry* make_room(bloom_cache* cache, uint64 size) {
    bloom_entry* const chosen = &cache->entries[cache->oldest];
    uint64 used = size;
    cache->oldest = (cache->oldest + 1) % BLOOM_CACHE_ENTRIES;
    cache->last = NULL;
    drop(chosen);
    for (int i = 0; i < BLOOM_CACHE_ENTRIES; ++i) {
        if (cache->entries[i].handle != NULL) used += cache->entries[i].file_size;
    }
    for (int i = 0; i < BLOOM_CACHE_ENTRIES && used > bloom_limit(); ++i) {
        bloom_entry* const next = &cache->entries[(cache->oldest + i) % BLOOM_CACHE_ENTRIES];
        if (next->handle == NULL) continue;
        used -= next->file_size;
        drop(next);
    }
    return chosen;
}

/// Decodes a value. The entry counts only when everything has succeeded.
static bloom_entry* decode(bloom_cache* cache, const bloom_value* value) {
    const bloomery_read_options how = bloom_native_reading();
    const size_t size = bloom_file_size(value);
    bloom_entry* const made = make_room(cache, size);
    const MemoryContext own =
        AllocSetContextCreate(cache->context, "decoded filter", ALLOCSET_SMALL_SIZES);
    bloom_handle* const handle = bloom_new_handle(own);
    const bloomery_status status = bloomery_decode(value->file, size, &how, &handle->filter);
    if (status != BLOOMERY_OK) MemoryContextDelete(own);
    bloom_require(status);
    memcpy(made->fingerprint, value->fingerprint, BLOOM_FINGERPRINT_SIZE);
    made->file_size = size;
    made->was_stored = false;
    made->handle = handle;
    return made;
}

static bloom_entry* found_or_decoded(bloom_cache* cache, Datum datum) {
    const bloom_value* const value = bloom_value_of(datum);
    bloom_entry* found = find_value(cache, value);
    if (found == NULL) found = decode(cache, value);
    if ((Pointer)value != DatumGetPointer(datum)) pfree((void*)value);
    return found;
}

static bloom_entry* find(bloom_cache* cache, Datum datum) {
    struct varatt_external stored;
    if (!VARATT_IS_EXTERNAL_ONDISK(DatumGetPointer(datum))) return found_or_decoded(cache, datum);
    VARATT_EXTERNAL_GET_POINTER(stored, DatumGetPointer(datum));
    bloom_entry* found = find_stored(cache, &stored);
    if (found != NULL) return found;
    const bloom_epoch before = now(); // reading it may take long, but ends in the same statement
    found = found_or_decoded(cache, datum);
    found->was_stored = true;
    found->stored = stored;
    found->epoch = before;
    return found;
}

static inline bool is_last(const bloom_entry* last, const struct varlena* given) {
    struct varatt_external stored;
    if (VARATT_IS_4B_U(given)) return is_value(last, (const bloom_value*)given);
    if (!VARATT_IS_EXTERNAL_ONDISK(given)) return false;
    VARATT_EXTERNAL_GET_POINTER(stored, given);
    return is_stored(last, &stored);
}

const bloomery_filter* bloom_cached(bloom_cache* cache, Datum datum) {
    if (cache->last == NULL || !is_last(cache->last, (struct varlena*)DatumGetPointer(datum))) {
        cache->last = find(cache, datum);
    }
    return cache->last->handle->filter;
}
