// bloom_contains, and the operators @> and <@.
#include "cache.h"
#include "errors.h"
#include "function.h"
#include "key.h"

#include <catalog/pg_type_d.h>

BLOOM_FUNCTION(bloom_contains);
BLOOM_FUNCTION(bloom_contains_text);
BLOOM_FUNCTION(bloom_contained_in);
BLOOM_FUNCTION(bloom_contained_in_text);
BLOOM_FUNCTION(bloom_contains_encoded_text);
BLOOM_FUNCTION(bloom_contains_encoded_integer);

/// What one place of a query keeps from row to row.
typedef struct site {
    bloom_key_type type;
    bloom_cache* cache;
} site;

static site* make_site(FmgrInfo* function, Oid key_type) {
    site* const made = MemoryContextAlloc(function->fn_mcxt, sizeof *made);
    made->type = bloom_key_type_of(key_type);
    made->cache = bloom_new_cache(function->fn_mcxt);
    function->fn_extra = made;
    return made;
}

/// What is kept for this call. `key` is the number of its argument, unless it is text in any case.
static site* site_of(FunctionCallInfo call, int key, bool is_text) {
    site* const found = call->flinfo->fn_extra;
    if (likely(found != NULL)) return found;
    return make_site(call->flinfo, is_text ? TEXTOID : get_fn_expr_argtype(call->flinfo, key));
}

static Datum answer(const site* here, Datum value, Datum key) {
    const bloomery_filter* const filter = bloom_cached(here->cache, value);
    bool maybe = true;
    if (bloom_is_integer(here->type)) {
        bloom_require(bloomery_may_contain_u64(filter, bloom_integer_key(here->type, key), &maybe));
    } else {
        bloom_bytes_key bytes = bloom_bytes_of(here->type, key);
        bloom_require(bloomery_may_contain(filter, bytes.data, bytes.size, &maybe));
        bloom_release_key(&bytes);
    }
    return BoolGetDatum(maybe);
}

Datum bloom_contains(PG_FUNCTION_ARGS) {
    return answer(site_of(fcinfo, 1, false), PG_GETARG_DATUM(0), PG_GETARG_DATUM(1));
}

Datum bloom_contains_text(PG_FUNCTION_ARGS) {
    return answer(site_of(fcinfo, 1, true), PG_GETARG_DATUM(0), PG_GETARG_DATUM(1));
}

Datum bloom_contained_in(PG_FUNCTION_ARGS) {
    return answer(site_of(fcinfo, 0, false), PG_GETARG_DATUM(1), PG_GETARG_DATUM(0));
}

Datum bloom_contained_in_text(PG_FUNCTION_ARGS) {
    return answer(site_of(fcinfo, 0, true), PG_GETARG_DATUM(1), PG_GETARG_DATUM(0));
}

static Datum answer_encoded(FunctionCallInfo fcinfo, const bloomery_keys* key) {
    const site* const here = site_of(fcinfo, 1, true);
    uint64 maybe = 1;
    bloom_require(bloomery_may_contain_many(bloom_cached(here->cache, PG_GETARG_DATUM(0)), key,
                                            NULL, &maybe));
    PG_RETURN_BOOL(maybe != 0);
}

Datum bloom_contains_encoded_text(PG_FUNCTION_ARGS) {
    bloom_encoded_key key;
    bloom_encode_text(&key, PG_GETARG_DATUM(1), PG_GETARG_TEXT_PP(2));
    return answer_encoded(fcinfo, &key.keys);
}

Datum bloom_contains_encoded_integer(PG_FUNCTION_ARGS) {
    bloom_encoded_key key;
    bloom_encode_integer(&key, PG_GETARG_INT64(1), PG_GETARG_TEXT_PP(2));
    return answer_encoded(fcinfo, &key.keys);
}
