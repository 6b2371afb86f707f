// The type bloom as it is stored: the bytes of a native file behind a short prefix.
#ifndef BLOOMERY_POSTGRES_VALUE_H
#define BLOOMERY_POSTGRES_VALUE_H

#include <postgres.h>

#include "handle.h"

#include <fmgr.h>

#define BLOOM_MARK "BLM\1"
#define BLOOM_MARK_SIZE 4
#define BLOOM_FINGERPRINT_SIZE 32

/// The prefix. The fingerprint is the SHA-256 of the file. With it, two values can be compared in
/// a few nanoseconds, which is how a filter that was decoded for one row is found again for the
/// next. Only this module writes it, always from the bytes, so equal fingerprints are equal bytes.
/// An address would not do: memory is freed and used again for another filter of the same size.
typedef struct bloom_value {
    char length[VARHDRSZ]; ///< the server's
    char mark[BLOOM_MARK_SIZE];
    uint8 fingerprint[BLOOM_FINGERPRINT_SIZE];
    uint8 file[FLEXIBLE_ARRAY_MEMBER];
} bloom_value;

#define BLOOM_PREFIX_SIZE offsetof(bloom_value, file)

/// The bytes of the file in a value.
static inline size_t bloom_file_size(const bloom_value* value) {
    return VARSIZE(value) - BLOOM_PREFIX_SIZE;
}

/// A value in memory as it was made; a copy if it was stored elsewhere or compressed. Raises an
/// error for what is not such a value.
const bloom_value* bloom_value_of(Datum datum);

/// Room for a file, to be sealed when it is filled.
bloom_value* bloom_new_value(uint64 file_size);
/// Computes the fingerprint.
void bloom_seal_value(bloom_value* value);

/// The value of bytes from outside. Raises an error unless the loader accepts them.
bloom_value* bloom_value_from_bytes(const void* bytes, size_t size);
/// The value of a filter.
bloom_value* bloom_value_from(const bloomery_filter* filter);
/// The filter in a value, in the current memory context.
bloom_handle* bloom_filter_in(Datum datum);
/// The filter in native bytes, in the current memory context.
bloom_handle* bloom_filter_in_bytes(const void* bytes, size_t size);

/// A filter written to memory of the server, `before` bytes from its start.
void* bloom_written(const bloomery_filter* filter, const char* format, size_t before, uint64* size);

#endif
