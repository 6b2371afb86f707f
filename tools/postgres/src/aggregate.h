// The state of bloom_agg and bloom_union_agg.
#ifndef BLOOMERY_POSTGRES_AGGREGATE_H
#define BLOOMERY_POSTGRES_AGGREGATE_H

#include "handle.h"
#include "key.h"

#include <fmgr.h>

#define BLOOM_FEW_KEYS 32
#define BLOOM_BATCH_KEYS 1024

/// Keys are collected and inserted many at a time, which is faster: a bulk call fetches the memory
/// of several keys at once. With many groups most get few keys, so the room for them grows.
typedef struct bloom_state {
    bloom_handle* handle;
    MemoryContext context;
    bloom_key_type type;
    bool grows;      ///< it may exceed the limit later
    bool is_typed;   ///< the type of the keys is known
    bool is_foreign; ///< keys are not collected
    uint32 count;
    uint32 room;
    union {
        uint64* integers;
        bloomery_digest* digests;
    } keys;
} bloom_state;

/// The context of an aggregate. Raises an error if the function was called in another way.
MemoryContext bloom_aggregate_context(FunctionCallInfo call);
bloom_state* bloom_new_state(MemoryContext context);
/// Inserts the keys that were collected, and looks for interrupts.
void bloom_flush(bloom_state* state);

#endif
