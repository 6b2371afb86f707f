// Filters of other systems: bloom_to(filter, format) and bloom_from(bytes, format).
#include "errors.h"
#include "function.h"
#include "key.h"
#include "limits.h"
#include "value.h"

#include <mb/pg_wchar.h>
#include <utils/builtins.h>

BLOOM_FUNCTION(bloom_to);
BLOOM_FUNCTION(bloom_from);
BLOOM_FUNCTION(bloom_key_of_text);
BLOOM_FUNCTION(bloom_key_of_integer);

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

/// Lent bytes as bytea.
static Datum given_back(bloom_loan* loan, uint64 size) {
    bytea* const made = palloc(VARHDRSZ + size);
    SET_VARSIZE(made, VARHDRSZ + size);
    memcpy(VARDATA(made), loan->memory, size);
    bloom_end_loan(loan);
    PG_RETURN_BYTEA_P(made);
}

Datum bloom_key_of_text(PG_FUNCTION_ARGS) {
    const uint32 encoding = bloom_encoding_named(PG_GETARG_TEXT_PP(1));
    const text* const key = PG_GETARG_TEXT_PP(0);
    const int length = (int)VARSIZE_ANY_EXHDR(key);
    char* const utf8 = pg_server_to_any(VARDATA_ANY(key), length, PG_UTF8);
    const size_t size = utf8 == VARDATA_ANY(key) ? (size_t)length : strlen(utf8);
    bloom_loan* const made = bloom_new_loan();
    uint64 made_size = 0;
    bloom_require(
        bloomery_key_from_text(encoding, utf8, size, (uint8_t**)&made->memory, &made_size));
    return given_back(made, made_size);
}

Datum bloom_key_of_integer(PG_FUNCTION_ARGS) {
    const uint32 encoding = bloom_encoding_named(PG_GETARG_TEXT_PP(1));
    bloom_loan* const made = bloom_new_loan();
    uint64 size = 0;
    bloom_require(
        bloomery_key_from_integer(encoding, PG_GETARG_INT64(0), (uint8_t**)&made->memory, &size));
    return given_back(made, size);
}
