// bloom_file(path), and what the planner makes of bloom_contains(bloom_file(path), key).
#include "errors.h"
#include "function.h"
#include "key.h"
#include "limits.h"
#include "mapping.h"
#include "value.h"

#include <catalog/pg_type_d.h>
#include <miscadmin.h>
#include <storage/fd.h>
#include <utils/builtins.h>

BLOOM_FUNCTION(bloom_file);
BLOOM_FUNCTION(bloom_file_contains);
BLOOM_FUNCTION(bloom_file_contains_text);

static uint64 size_of(FILE* file, const char* path) {
    struct stat found;
    if (fstat(fileno(file), &found) != 0) {
        ereport(ERROR, errcode_for_file_access(), errmsg("cannot read \"%s\": %m", path));
    }
    if (!S_ISREG(found.st_mode)) {
        ereport(ERROR, errcode(ERRCODE_WRONG_OBJECT_TYPE),
                errmsg("\"%s\" is not a regular file", path));
    }
    return (uint64)found.st_size;
}

/// The bytes of a file, as a value without a fingerprint.
static bloom_value* read_file(const char* path) {
    FILE* const file = AllocateFile(path, PG_BINARY_R);
    if (file == NULL) {
        ereport(ERROR, errcode_for_file_access(), errmsg("cannot read \"%s\": %m", path));
    }
    const size_t size = size_of(file, path);
    bloom_value* const made = bloom_new_value(size);
    const size_t step = (size_t)1 << 20;
    for (size_t at = 0; at < size; at += step) {
        const size_t part = Min(step, size - at);
        CHECK_FOR_INTERRUPTS();
        if (fread(made->file + at, 1, part, file) != part) {
            ereport(ERROR, errcode_for_file_access(), errmsg("cannot read \"%s\": %m", path));
        }
    }
    FreeFile(file);
    return made;
}

/// Whether bytes are a native file that nobody is changing.
static bool is_sealed(const bloom_value* bytes) {
    bloomery_read_options how = bloom_native_reading();
    bloom_handle* const checked = bloom_new_handle(CurrentMemoryContext);
    how.refuse_unsealed = true;
    const bloomery_status status =
        bloomery_decode(bytes->file, bloom_file_size(bytes), &how, &checked->filter);
    bloom_close(checked);
    return status == BLOOMERY_OK;
}

Datum bloom_file(PG_FUNCTION_ARGS) {
    const char* const path = text_to_cstring(PG_GETARG_TEXT_PP(0));
    bloom_require_file_access();
    bloom_value* const bytes = read_file(path);
    if (is_sealed(bytes)) {
        bloom_seal_value(bytes);
        PG_RETURN_POINTER(bytes);
    }
    // A file of another system, or one that a writer has open; or one that is damaged.
    bloom_handle* const loaded = bloom_new_handle(CurrentMemoryContext);
    pfree(bytes);
    bloom_require(bloomery_load(path, NULL, &loaded->filter));
    bloom_value* const made = bloom_value_from(loaded->filter);
    bloom_close(loaded);
    PG_RETURN_POINTER(made);
}

/// What one place of a query keeps from row to row.
typedef struct file_site {
    bloom_key_type type;
    bloom_mapping* mapping;
} file_site;

static file_site* site_of_file(FmgrInfo* function, bool is_text) {
    file_site* made = function->fn_extra;
    if (made != NULL) return made;
    made = MemoryContextAlloc(function->fn_mcxt, sizeof *made);
    made->type = is_text ? BLOOM_KEY_TEXT : bloom_key_type_of(get_fn_expr_argtype(function, 1));
    made->mapping = bloom_new_mapping(function->fn_mcxt);
    function->fn_extra = made;
    return made;
}

static Datum answer_from_file(const file_site* here, const text* path, Datum key) {
    const bloomery_filter* const filter =
        bloom_mapped(here->mapping, VARDATA_ANY(path), VARSIZE_ANY_EXHDR(path));
    bloomery_status status;
    bool maybe = true;
    if (bloom_is_integer(here->type)) {
        const uint64 integer = bloom_integer_key(here->type, key);
        bloom_begin_use();
        status = bloomery_may_contain_u64(filter, integer, &maybe);
        bloom_end_use(here->mapping);
    } else {
        bloom_bytes_key bytes = bloom_bytes_of(here->type, key);
        bloom_begin_use();
        status = bloomery_may_contain(filter, bytes.data, bytes.size, &maybe);
        bloom_end_use(here->mapping);
        bloom_release_key(&bytes);
    }
    bloom_require(status);
    return BoolGetDatum(maybe);
}

Datum bloom_file_contains(PG_FUNCTION_ARGS) {
    return answer_from_file(site_of_file(fcinfo->flinfo, false), PG_GETARG_TEXT_PP(0),
                            PG_GETARG_DATUM(1));
}

Datum bloom_file_contains_text(PG_FUNCTION_ARGS) {
    return answer_from_file(site_of_file(fcinfo->flinfo, true), PG_GETARG_TEXT_PP(0),
                            PG_GETARG_DATUM(1));
}
