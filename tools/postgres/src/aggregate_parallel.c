// What parallel workers need: states that are sent to the leader, and combined there. Setting bits
// gives the same result in any order, so the filter has the same bytes with any number of workers.
#include "aggregate.h"
#include "errors.h"
#include "function.h"
#include "limits.h"
#include "value.h"

BLOOM_FUNCTION(bloom_agg_combine);
BLOOM_FUNCTION(bloom_agg_serialize);
BLOOM_FUNCTION(bloom_agg_deserialize);

/// The server passes states from one aggregate to another only in bytes, so the other one is ours
/// and ends with the current row.
Datum bloom_agg_combine(PG_FUNCTION_ARGS) {
    const MemoryContext context = bloom_aggregate_context(fcinfo);
    bloom_state* into = PG_ARGISNULL(0) ? NULL : (bloom_state*)PG_GETARG_POINTER(0);
    if (PG_ARGISNULL(1)) {
        if (into == NULL) PG_RETURN_NULL();
        PG_RETURN_POINTER(into);
    }
    bloom_state* const other = (bloom_state*)PG_GETARG_POINTER(1);
    bloom_flush(other);
    if (into == NULL) {
        into = bloom_new_state(context);
        bloom_move(into->handle, other->handle);
    } else {
        bloom_flush(into);
        bloom_require(bloomery_merge(into->handle->filter, other->handle->filter));
        bloom_close(other->handle);
    }
    PG_RETURN_POINTER(into);
}

Datum bloom_agg_serialize(PG_FUNCTION_ARGS) {
    (void)bloom_aggregate_context(fcinfo);
    bloom_state* const state = (bloom_state*)PG_GETARG_POINTER(0);
    uint64 size = 0;
    bloom_flush(state);
    bytea* const made = bloom_written(state->handle->filter, NULL, VARHDRSZ, &size);
    SET_VARSIZE(made, VARHDRSZ + size);
    PG_RETURN_BYTEA_P(made);
}

Datum bloom_agg_deserialize(PG_FUNCTION_ARGS) {
    (void)bloom_aggregate_context(fcinfo);
    const bytea* const bytes = PG_GETARG_BYTEA_PP(0);
    const bloomery_read_options how = bloom_native_reading();
    bloom_state* const made = bloom_new_state(CurrentMemoryContext);
    bloom_require(
        bloomery_decode(VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes), &how, &made->handle->filter));
    PG_RETURN_POINTER(made);
}
