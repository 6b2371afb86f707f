// What is known about a filter, and the size of one that was not made yet.
#include "errors.h"
#include "function.h"
#include "make.h"
#include "value.h"

#include <access/htup_details.h>
#include <funcapi.h>
#include <math.h>
#include <mb/pg_wchar.h>
#include <utils/builtins.h>
#include <utils/jsonb.h>

BLOOM_FUNCTION(bloom_info);
BLOOM_FUNCTION(bloom_count);
BLOOM_FUNCTION(bloom_fpp);
BLOOM_FUNCTION(bloom_fpp_at);
BLOOM_FUNCTION(bloom_plan);

Datum bloom_info(PG_FUNCTION_ARGS) {
    bloom_handle* const filter = bloom_filter_in(PG_GETARG_DATUM(0));
    bloom_loan* const json = bloom_new_loan();
    bloom_require(bloomery_describe(filter->filter, NULL, (char**)&json->memory));
    bloom_close(filter);
    char* const text = pg_any_to_server(json->memory, (int)strlen(json->memory), PG_UTF8);
    const Datum made = DirectFunctionCall1(jsonb_in, CStringGetDatum(text));
    bloom_end_loan(json);
    return made;
}

static bloomery_statistics statistics_of(Datum value) {
    bloom_handle* const filter = bloom_filter_in(value);
    bloomery_statistics told = bloomery_statistics_init();
    bloom_require(bloomery_statistics_of(filter->filter, &told));
    bloom_close(filter);
    return told;
}

/// The number of distinct keys; null if every bit is set, and nobody knows.
Datum bloom_count(PG_FUNCTION_ARGS) {
    const bloomery_statistics known = statistics_of(PG_GETARG_DATUM(0));
    if (known.saturated || !(known.items < 9e18)) PG_RETURN_NULL();
    PG_RETURN_INT64((int64)llround(known.items));
}

Datum bloom_fpp(PG_FUNCTION_ARGS) {
    PG_RETURN_FLOAT8(statistics_of(PG_GETARG_DATUM(0)).expected_rate);
}

static void require_count(int64 items) {
    if (items >= 0) return;
    ereport(ERROR, errcode(ERRCODE_INVALID_PARAMETER_VALUE),
            errmsg("the number of keys must not be negative, but is %lld", (long long)items));
}

Datum bloom_fpp_at(PG_FUNCTION_ARGS) {
    const int64 items = PG_GETARG_INT64(1);
    double rate = 0;
    require_count(items);
    bloom_handle* const filter = bloom_filter_in(PG_GETARG_DATUM(0));
    bloom_require(bloomery_rate_at(filter->filter, (uint64)items, &rate));
    bloom_close(filter);
    PG_RETURN_FLOAT8(rate);
}

/// bloom_plan(n, p): one row.
Datum bloom_plan(PG_FUNCTION_ARGS) {
    TupleDesc row;
    bool nulls[8] = {false};
    if (get_call_result_type(fcinfo, NULL, &row) != TYPEFUNC_COMPOSITE) {
        elog(ERROR, "the result of bloom_plan must be a row");
    }
    const bloomery_plan plan = bloom_plan_of(PG_GETARG_INT64(0), PG_GETARG_FLOAT8(1));
    Datum values[8] = {
        PG_GETARG_DATUM(0),
        PG_GETARG_DATUM(1),
        CStringGetTextDatum(plan.layout),
        Int64GetDatum((int64)plan.bits),
        Int64GetDatum((int64)plan.bytes),
        Int32GetDatum((int32)plan.hashes),
        Float8GetDatum(plan.expected_rate),
        Float8GetDatum(plan.bits_per_item),
    };
    PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(row), values, nulls)));
}
