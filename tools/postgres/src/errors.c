#include "errors.h"

#include <mb/pg_wchar.h>

static int code_of(bloomery_status status) {
    switch (status) {
    case BLOOMERY_BAD_ARGUMENT:
    case BLOOMERY_INCOMPATIBLE:
        return ERRCODE_INVALID_PARAMETER_VALUE;
    case BLOOMERY_MEMORY_REFUSED:
    case BLOOMERY_CLAIM_REFUSED:
    case BLOOMERY_FILTER_FULL:
    case BLOOMERY_GROWTH_REFUSED:
        return ERRCODE_PROGRAM_LIMIT_EXCEEDED;
    case BLOOMERY_BAD_DATA:
    case BLOOMERY_UNSEALED:
        return ERRCODE_DATA_CORRUPTED;
    case BLOOMERY_UNSUPPORTED:
    case BLOOMERY_NO_PLACE:
        return ERRCODE_FEATURE_NOT_SUPPORTED;
    case BLOOMERY_OUT_OF_MEMORY:
        return ERRCODE_OUT_OF_MEMORY;
    case BLOOMERY_STOPPED:
        return ERRCODE_QUERY_CANCELED;
    default:
        return ERRCODE_INTERNAL_ERROR;
    }
}

/// The library speaks UTF-8, and may quote what it was given.
static const char* sentence(void) {
    const char* const told = bloomery_last_error();
    return pg_any_to_server(told, (int)strlen(told), PG_UTF8);
}

static void raise_as(int code) pg_attribute_noreturn();
static void raise_as(int code) {
    ereport(ERROR, errcode(code), errmsg_internal("%s", sentence()));
    pg_unreachable();
}

void bloom_raise(bloomery_status status) {
    if (status == BLOOMERY_IO_ERROR) {
        const char* const told = sentence();
        errno = bloomery_last_system_error();
        ereport(ERROR, errcode_for_file_access(), errmsg_internal("%s", told));
    }
    raise_as(code_of(status));
}

void bloom_require_input(bloomery_status status) {
    if (status == BLOOMERY_BAD_DATA || status == BLOOMERY_UNSEALED) {
        raise_as(ERRCODE_INVALID_BINARY_REPRESENTATION);
    }
    bloom_require(status);
}
