// bloom_agg: a filter of the keys of a column.
#include "aggregate.h"

#include "errors.h"
#include "function.h"
#include "limits.h"
#include "make.h"
#include "value.h"

#include <miscadmin.h>
#include <utils/builtins.h>

BLOOM_FUNCTION(bloom_agg_transition);
BLOOM_FUNCTION(bloom_agg_serial_transition);
BLOOM_FUNCTION(bloom_union_agg_transition);
BLOOM_FUNCTION(bloom_agg_final);

MemoryContext bloom_aggregate_context(FunctionCallInfo call) {
    MemoryContext context;
    if (!AggCheckCallContext(call, &context)) {
        elog(ERROR, "this function can only be called by an aggregate");
    }
    return context;
}

bloom_state* bloom_new_state(MemoryContext context) {
    bloom_state* const made = MemoryContextAllocZero(context, sizeof *made);
    made->handle = bloom_new_handle(context);
    made->context = context;
    return made;
}

static void insert_keys(bloom_state* state, const bloomery_keys* keys) {
    state->count = 0;
    bloom_require(bloomery_insert_many(state->handle->filter, keys));
    if (state->grows) bloom_require_small(state->handle->filter);
}

void bloom_flush(bloom_state* state) {
    CHECK_FOR_INTERRUPTS();
    if (state->count == 0) return;
    const bloomery_keys keys = bloom_is_integer(state->type)
                                   ? bloomery_keys_u64(state->keys.integers, state->count)
                                   : bloomery_keys_digests(state->keys.digests, state->count);
    insert_keys(state, &keys);
}

/// Makes room for one more key.
static void make_room(bloom_state* state) {
    const Size width = bloom_is_integer(state->type) ? sizeof(uint64) : sizeof(bloomery_digest);
    if (state->room == BLOOM_BATCH_KEYS) {
        bloom_flush(state);
    } else if (state->room == 0) {
        state->keys.integers = MemoryContextAlloc(state->context, BLOOM_FEW_KEYS * width);
        state->room = BLOOM_FEW_KEYS;
    } else {
        state->keys.integers = repalloc(state->keys.integers, BLOOM_BATCH_KEYS * width);
        state->room = BLOOM_BATCH_KEYS;
    }
}

/// Filters of other systems hash differently, and take keys one by one.
static void insert_now(bloom_state* state, Datum key) {
    if (bloom_is_integer(state->type)) {
        bloom_require(
            bloomery_insert_u64(state->handle->filter, bloom_integer_key(state->type, key)));
        return;
    }
    bloom_bytes_key bytes = bloom_bytes_of(state->type, key);
    bloom_require(bloomery_insert(state->handle->filter, bytes.data, bytes.size));
    bloom_release_key(&bytes);
}

static void collect(bloom_state* state, Datum key) {
    if (state->count == state->room) make_room(state);
    if (bloom_is_integer(state->type)) {
        state->keys.integers[state->count++] = bloom_integer_key(state->type, key);
        return;
    }
    bloom_bytes_key bytes = bloom_bytes_of(state->type, key);
    bloom_require(bloomery_digest_of(state->handle->filter, bytes.data, bytes.size,
                                     &state->keys.digests[state->count]));
    bloom_release_key(&bytes);
    ++state->count;
}

/// What the kind of the filter says about how keys are inserted.
static void set_kind(bloom_state* state) {
    bloomery_info info = bloomery_info_init();
    bloom_require(bloomery_info_of(state->handle->filter, &info));
    state->is_foreign = !info.hashes_ahead;
    state->grows = strcmp(info.kind, "bloom") != 0;
}

static void set_type(bloom_state* state, FunctionCallInfo call) {
    state->type = bloom_key_type_of(get_fn_expr_argtype(call->flinfo, 1));
    state->is_typed = true;
}

static void take_key(FunctionCallInfo fcinfo, bloom_state* state) {
    if (!state->is_typed) set_type(state, fcinfo);
    if (state->is_foreign) {
        insert_now(state, PG_GETARG_DATUM(1));
    } else {
        collect(state, PG_GETARG_DATUM(1));
    }
}

/// bloom_agg(key, n [, p [, options]]): null keys are ignored, and of n, p and options those of the
/// first key count.
Datum bloom_agg_transition(PG_FUNCTION_ARGS) {
    bloom_state* state = PG_ARGISNULL(0) ? NULL : (bloom_state*)PG_GETARG_POINTER(0);
    if (state == NULL && PG_ARGISNULL(1)) PG_RETURN_NULL();
    if (unlikely(state == NULL)) {
        state = bloom_new_state(bloom_aggregate_context(fcinfo));
        bloom_make_parallel(state->handle, fcinfo, 2);
        set_kind(state);
    }
    if (!PG_ARGISNULL(1)) take_key(fcinfo, state);
    PG_RETURN_POINTER(state);
}

/// bloom_agg(key [, options]): the same, in the order of the keys.
Datum bloom_agg_serial_transition(PG_FUNCTION_ARGS) {
    bloom_state* state = PG_ARGISNULL(0) ? NULL : (bloom_state*)PG_GETARG_POINTER(0);
    if (state == NULL && PG_ARGISNULL(1)) PG_RETURN_NULL();
    if (unlikely(state == NULL)) {
        const bool has_options = PG_NARGS() > 2 && !PG_ARGISNULL(2);
        char* const options = has_options ? text_to_cstring(PG_GETARG_TEXT_PP(2)) : pstrdup("");
        state = bloom_new_state(bloom_aggregate_context(fcinfo));
        bloom_make_serial(state->handle, options);
        set_kind(state);
    }
    if (!PG_ARGISNULL(1)) take_key(fcinfo, state);
    PG_RETURN_POINTER(state);
}

/// bloom_union_agg(filter): null filters are ignored.
Datum bloom_union_agg_transition(PG_FUNCTION_ARGS) {
    const MemoryContext context = bloom_aggregate_context(fcinfo);
    bloom_state* state = PG_ARGISNULL(0) ? NULL : (bloom_state*)PG_GETARG_POINTER(0);
    CHECK_FOR_INTERRUPTS();
    if (PG_ARGISNULL(1)) {
        if (state == NULL) PG_RETURN_NULL();
        PG_RETURN_POINTER(state);
    }
    bloom_handle* const other = bloom_filter_in(PG_GETARG_DATUM(1));
    if (state == NULL) {
        state = bloom_new_state(context);
        bloom_move(state->handle, other);
    } else {
        bloom_require(bloomery_merge(state->handle->filter, other->filter));
        bloom_require_small(state->handle->filter);
    }
    bloom_close(other);
    PG_RETURN_POINTER(state);
}

/// Null if there was no key, as other aggregates.
Datum bloom_agg_final(PG_FUNCTION_ARGS) {
    (void)bloom_aggregate_context(fcinfo);
    if (PG_ARGISNULL(0)) PG_RETURN_NULL();
    bloom_state* const state = (bloom_state*)PG_GETARG_POINTER(0);
    bloom_flush(state);
    PG_RETURN_POINTER(bloom_value_from(state->handle->filter));
}
