#include "value.h"

#include "errors.h"
#include "limits.h"

#include <common/cryptohash.h>
#include <miscadmin.h>

const bloom_value* bloom_value_of(Datum datum) {
    const bloom_value* const value = (const bloom_value*)PG_DETOAST_DATUM(datum);
    if (VARSIZE(value) < BLOOM_PREFIX_SIZE ||
        memcmp(value->mark, BLOOM_MARK, BLOOM_MARK_SIZE) != 0) {
        ereport(ERROR, errcode(ERRCODE_DATA_CORRUPTED),
                errmsg("this value of type bloom was not written by this version of bloomery"));
    }
    return value;
}

static void require_value_size(uint64 file_size) {
    if (file_size <= BLOOM_LARGEST_VALUE) return;
    ereport(ERROR, errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
            errmsg("a value of type bloom has at most %d MB, but this filter has %.1f MB",
                   (int)(BLOOM_LARGEST_VALUE >> 20), (double)file_size / (1 << 20)),
            errhint("Keep it in a file on the server, and read it with bloom_file."));
}

bloom_value* bloom_new_value(uint64 file_size) {
    require_value_size(file_size);
    bloom_value* const made = palloc(BLOOM_PREFIX_SIZE + file_size);
    SET_VARSIZE(made, BLOOM_PREFIX_SIZE + file_size);
    memcpy(made->mark, BLOOM_MARK, BLOOM_MARK_SIZE);
    return made;
}

static void require_hashed(int result, pg_cryptohash_ctx* hash) {
    if (result >= 0) return;
    ereport(ERROR, errcode(ERRCODE_INTERNAL_ERROR),
            errmsg("cannot compute the SHA-256 of a filter: %s", pg_cryptohash_error(hash)));
}

void bloom_seal_value(bloom_value* value) {
    const size_t size = bloom_file_size(value);
    const size_t step = (size_t)1 << 20;
    pg_cryptohash_ctx* const hash = pg_cryptohash_create(PG_SHA256);
    PG_TRY();
    {
        require_hashed(pg_cryptohash_init(hash), hash);
        for (size_t at = 0; at < size; at += step) {
            CHECK_FOR_INTERRUPTS();
            require_hashed(pg_cryptohash_update(hash, value->file + at, Min(step, size - at)),
                           hash);
        }
        require_hashed(pg_cryptohash_final(hash, value->fingerprint, BLOOM_FINGERPRINT_SIZE), hash);
    }
    PG_FINALLY();
    {
        pg_cryptohash_free(hash);
    }
    PG_END_TRY();
}

bloom_handle* bloom_filter_in_bytes(const void* bytes, size_t size) {
    const bloomery_read_options how = bloom_native_reading();
    bloom_handle* const made = bloom_new_handle(CurrentMemoryContext);
    bloom_require(bloomery_decode(bytes, size, &how, &made->filter));
    return made;
}

bloom_handle* bloom_filter_in(Datum datum) {
    const bloom_value* const value = bloom_value_of(datum);
    bloom_handle* const made = bloom_filter_in_bytes(value->file, bloom_file_size(value));
    if ((Pointer)value != DatumGetPointer(datum)) pfree((void*)value);
    return made;
}

bloom_value* bloom_value_from_bytes(const void* bytes, size_t size) {
    const bloomery_read_options how = bloom_native_reading();
    bloom_handle* const checked = bloom_new_handle(CurrentMemoryContext);
    require_value_size(size);
    bloom_require_input(bloomery_decode(bytes, size, &how, &checked->filter));
    bloom_close(checked);
    bloom_value* const made = bloom_new_value(size);
    memcpy(made->file, bytes, size);
    bloom_seal_value(made);
    return made;
}

/// Where the library writes: it must neither pass the end nor raise an error in between.
typedef struct target {
    uint8* next;
    uint64 left;
    bool may_stop;
} target;

static int write_part(const uint8_t* bytes, size_t size, void* context) {
    target* const to = context;
    if ((to->may_stop && InterruptPending) || size > to->left) return 1;
    memcpy(to->next, bytes, size);
    to->next += size;
    to->left -= size;
    return 0;
}

void* bloom_written(const bloomery_filter* filter, const char* format, size_t before,
                    uint64* size) {
    bloomery_write_options how = bloomery_write_options_init();
    how.format = format;
    how.keep_secret = format == NULL; // or nobody could read the value again
    bloom_require(bloomery_encoded_size(filter, &how, size));
    require_value_size(*size);
    uint8* const made = palloc(before + *size);
    target to = {made + before, *size, true};
    bloomery_status status = bloomery_encode_to(filter, &how, write_part, &to);
    if (status == BLOOMERY_STOPPED && InterruptPending) {
        CHECK_FOR_INTERRUPTS(); // returns if there is nothing to end
        to = (target){made + before, *size, false};
        status = bloomery_encode_to(filter, &how, write_part, &to);
    }
    bloom_require(status);
    *size -= to.left;
    return made;
}

bloom_value* bloom_value_from(const bloomery_filter* filter) {
    uint64 size = 0;
    bloom_value* const made = bloom_written(filter, NULL, BLOOM_PREFIX_SIZE, &size);
    SET_VARSIZE(made, BLOOM_PREFIX_SIZE + size);
    memcpy(made->mark, BLOOM_MARK, BLOOM_MARK_SIZE);
    bloom_seal_value(made);
    return made;
}
