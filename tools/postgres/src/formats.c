// Filters of other systems: bloom_to(filter, format) and bloom_from(bytes, format).
#include "errors.h"
#include "function.h"
#include "limits.h"
#include "value.h"

#include <utils/builtins.h>

BLOOM_FUNCTION(bloom_to);
BLOOM_FUNCTION(bloom_from);

Datum bloom_to(PG_FUNCTION_ARGS) {
    const char* const format = text_to_cstring(PG_GETARG_TEXT_PP(1));
    bloom_handle* const filter = bloom_filter_in(PG_GETARG_DATUM(0));
    uint64 size = 0;
    bytea* const made = bloom_written(filter->filter, format, VARHDRSZ, &size);
    SET_VARSIZE(made, VARHDRSZ + size);
    bloom_close(filter);
    PG_RETURN_BYTEA_P(made);
}

/// bloom_from(bytes [, format]): without a format, the one that the bytes identify.
Datum bloom_from(PG_FUNCTION_ARGS) {
    const bytea* const bytes = PG_GETARG_BYTEA_PP(0);
    const size_t size = VARSIZE_ANY_EXHDR(bytes);
    bloomery_read_options how = bloom_native_reading();
    how.format = PG_NARGS() > 1 ? text_to_cstring(PG_GETARG_TEXT_PP(1)) : NULL;
    how.largest_filter_bytes = bloom_limit();
    bloom_handle* const filter = bloom_new_handle(CurrentMemoryContext);
    bloom_require_input(bloomery_decode(VARDATA_ANY(bytes), size, &how, &filter->filter));
    bloom_require_small(filter->filter);
    bloom_value* const made = bloom_value_from(filter->filter);
    bloom_close(filter);
    PG_RETURN_POINTER(made);
}
