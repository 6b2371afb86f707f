// Values as text, on the wire, and as bytea: the bytes of the file, hexadecimal where they are
// text.
#include "function.h"
#include "value.h"

#include <common/hashfn.h>
#include <libpq/pqformat.h>
#include <utils/builtins.h>

BLOOM_FUNCTION(bloom_in);
BLOOM_FUNCTION(bloom_out);
BLOOM_FUNCTION(bloom_recv);
BLOOM_FUNCTION(bloom_send);
BLOOM_FUNCTION(bloom_from_bytea);
BLOOM_FUNCTION(bloom_to_bytea);
BLOOM_FUNCTION(bloom_eq);
BLOOM_FUNCTION(bloom_ne);
BLOOM_FUNCTION(bloom_hash);
BLOOM_FUNCTION(bloom_hash_extended);

Datum bloom_in(PG_FUNCTION_ARGS) {
    const char* const text = PG_GETARG_CSTRING(0);
    if (text[0] != '\\' || text[1] != 'x') {
        ereport(ERROR, errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
                errmsg("invalid input syntax for type %s: \"%.20s\"", "bloom", text),
                errhint("Write the bytes of the filter's file in hexadecimal, after \\x."));
    }
    const size_t digits = strlen(text + 2);
    char* const bytes = palloc(digits / 2 + 1);
    const size_t size = hex_decode(text + 2, digits, bytes);
    PG_RETURN_POINTER(bloom_value_from_bytes(bytes, size));
}

Datum bloom_out(PG_FUNCTION_ARGS) {
    const bloom_value* const value = bloom_value_of(PG_GETARG_DATUM(0));
    const size_t size = bloom_file_size(value);
    char* const text = palloc(2 * size + 3);
    text[0] = '\\';
    text[1] = 'x';
    text[2 + hex_encode((const char*)value->file, size, text + 2)] = '\0';
    PG_RETURN_CSTRING(text);
}

Datum bloom_recv(PG_FUNCTION_ARGS) {
    const StringInfo buffer = (StringInfo)PG_GETARG_POINTER(0);
    const int size = buffer->len - buffer->cursor;
    PG_RETURN_POINTER(bloom_value_from_bytes(pq_getmsgbytes(buffer, size), size));
}

static bytea* bytes_of(Datum datum) {
    const bloom_value* const value = bloom_value_of(datum);
    const size_t size = bloom_file_size(value);
    bytea* const made = palloc(VARHDRSZ + size);
    SET_VARSIZE(made, VARHDRSZ + size);
    memcpy(VARDATA(made), value->file, size);
    return made;
}

Datum bloom_send(PG_FUNCTION_ARGS) { PG_RETURN_BYTEA_P(bytes_of(PG_GETARG_DATUM(0))); }

Datum bloom_to_bytea(PG_FUNCTION_ARGS) { PG_RETURN_BYTEA_P(bytes_of(PG_GETARG_DATUM(0))); }

Datum bloom_from_bytea(PG_FUNCTION_ARGS) {
    const bytea* const bytes = PG_GETARG_BYTEA_PP(0);
    PG_RETURN_POINTER(bloom_value_from_bytes(VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes)));
}

// Equal values have the same bytes. The prefix is enough to know, and all that is read of a large
// one.

static const bloom_value* prefix_of(Datum datum) {
    const bloom_value* const start =
        (const bloom_value*)PG_DETOAST_DATUM_SLICE(datum, 0, BLOOM_PREFIX_SIZE - VARHDRSZ);
    if (VARSIZE(start) < BLOOM_PREFIX_SIZE) elog(ERROR, "a value of type bloom is too short");
    return start;
}

static bool is_equal(Datum a, Datum b) {
    return memcmp(prefix_of(a)->fingerprint, prefix_of(b)->fingerprint, BLOOM_FINGERPRINT_SIZE) ==
           0;
}

Datum bloom_eq(PG_FUNCTION_ARGS) {
    PG_RETURN_BOOL(is_equal(PG_GETARG_DATUM(0), PG_GETARG_DATUM(1)));
}

Datum bloom_ne(PG_FUNCTION_ARGS) {
    PG_RETURN_BOOL(!is_equal(PG_GETARG_DATUM(0), PG_GETARG_DATUM(1)));
}

Datum bloom_hash(PG_FUNCTION_ARGS) {
    return hash_any(prefix_of(PG_GETARG_DATUM(0))->fingerprint, BLOOM_FINGERPRINT_SIZE);
}

Datum bloom_hash_extended(PG_FUNCTION_ARGS) {
    return hash_any_extended(prefix_of(PG_GETARG_DATUM(0))->fingerprint, BLOOM_FINGERPRINT_SIZE,
                             (uint64)PG_GETARG_INT64(1));
}
