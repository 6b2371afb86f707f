// Functions that make one filter from others, or from nothing.
#include "errors.h"
#include "function.h"
#include "key.h"
#include "limits.h"
#include "make.h"
#include "value.h"

#include <catalog/pg_type_d.h>
#include <miscadmin.h>

BLOOM_FUNCTION(bloom_new);
BLOOM_FUNCTION(bloom_add);
BLOOM_FUNCTION(bloom_add_text);
BLOOM_FUNCTION(bloom_add_encoded_text);
BLOOM_FUNCTION(bloom_add_encoded_integer);
BLOOM_FUNCTION(bloom_merge);
BLOOM_FUNCTION(bloom_intersect);

/// The value of a filter, which is closed.
static Datum value_of(bloom_handle* handle) {
    bloom_require_small(handle->filter);
    bloom_value* const made = bloom_value_from(handle->filter);
    bloom_close(handle);
    PG_RETURN_POINTER(made);
}

Datum bloom_new(PG_FUNCTION_ARGS) {
    bloom_handle* const made = bloom_new_handle(CurrentMemoryContext);
    bloom_make(made, fcinfo, 0);
    return value_of(made);
}

static Datum added(Datum value, Datum key, bloom_key_type type) {
    bloom_handle* const filter = bloom_filter_in(value);
    if (bloom_is_integer(type)) {
        bloom_require(bloomery_insert_u64(filter->filter, bloom_integer_key(type, key)));
    } else {
        bloom_bytes_key bytes = bloom_bytes_of(type, key);
        bloom_require(bloomery_insert(filter->filter, bytes.data, bytes.size));
        bloom_release_key(&bytes);
    }
    return value_of(filter);
}

Datum bloom_add(PG_FUNCTION_ARGS) {
    return added(PG_GETARG_DATUM(0), PG_GETARG_DATUM(1),
                 bloom_key_type_of(get_fn_expr_argtype(fcinfo->flinfo, 1)));
}

Datum bloom_add_text(PG_FUNCTION_ARGS) {
    return added(PG_GETARG_DATUM(0), PG_GETARG_DATUM(1), BLOOM_KEY_TEXT);
}

static Datum added_encoded(Datum value, const bloomery_keys* key) {
    bloom_handle* const filter = bloom_filter_in(value);
    bloom_require(bloomery_insert_many(filter->filter, key));
    return value_of(filter);
}

Datum bloom_add_encoded_text(PG_FUNCTION_ARGS) {
    bloom_encoded_key key;
    bloom_encode_text(&key, PG_GETARG_DATUM(1), PG_GETARG_TEXT_PP(2));
    return added_encoded(PG_GETARG_DATUM(0), &key.keys);
}

Datum bloom_add_encoded_integer(PG_FUNCTION_ARGS) {
    bloom_encoded_key key;
    bloom_encode_integer(&key, PG_GETARG_INT64(1), PG_GETARG_TEXT_PP(2));
    return added_encoded(PG_GETARG_DATUM(0), &key.keys);
}

static Datum combined(FunctionCallInfo fcinfo,
                      bloomery_status (*combine)(bloomery_filter*, const bloomery_filter*)) {
    bloom_handle* const into = bloom_filter_in(PG_GETARG_DATUM(0));
    bloom_handle* const other = bloom_filter_in(PG_GETARG_DATUM(1));
    CHECK_FOR_INTERRUPTS();
    bloom_require(combine(into->filter, other->filter));
    bloom_close(other);
    return value_of(into);
}

Datum bloom_merge(PG_FUNCTION_ARGS) { return combined(fcinfo, bloomery_merge); }

Datum bloom_intersect(PG_FUNCTION_ARGS) { return combined(fcinfo, bloomery_intersect); }
