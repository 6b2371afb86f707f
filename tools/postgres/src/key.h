// Values of SQL as keys: the same keys as in the command, in C++ and in Python.
#ifndef BLOOMERY_POSTGRES_KEY_H
#define BLOOMERY_POSTGRES_KEY_H

#include <postgres.h>

#include <bloomery.h>
#include <fmgr.h>

/// The types that can be keys.
typedef enum bloom_key_type {
    BLOOM_KEY_TEXT,
    BLOOM_KEY_CHAR, ///< char(n): without the blanks at the end, as when it is cast to text
    BLOOM_KEY_NAME,
    BLOOM_KEY_BYTEA,
    BLOOM_KEY_UUID,
    BLOOM_KEY_INT2,
    BLOOM_KEY_INT4,
    BLOOM_KEY_INT8,
    BLOOM_KEY_TIMESTAMPTZ ///< microseconds since 1970
} bloom_key_type;

/// Raises an error that says what to do if a type cannot be a key.
bloom_key_type bloom_key_type_of(Oid type);

/// Whether keys of a type are integers.
static inline bool bloom_is_integer(bloom_key_type type) { return type >= BLOOM_KEY_INT2; }

uint64 bloom_integer_key(bloom_key_type type, Datum value);

/// A key that is bytes. Release it when it has been used.
typedef struct bloom_bytes_key {
    const void* data;
    size_t size;
    void* copy; ///< null: the bytes are those of the value
} bloom_bytes_key;

bloom_bytes_key bloom_bytes_of(bloom_key_type type, Datum value);

static inline void bloom_release_key(bloom_bytes_key* key) {
    if (unlikely(key->copy != NULL)) pfree(key->copy);
}

/// A key as another system encodes it, in the form that bulk calls take.
typedef struct bloom_encoded_key {
    bloomery_keys keys; ///< one
    bloomery_slice text;
    int64 integer;
} bloom_encoded_key;

void bloom_encode_text(bloom_encoded_key* key, Datum value, const text* encoding);
void bloom_encode_integer(bloom_encoded_key* key, int64 value, const text* encoding);

/// The number of an encoding. Raises an error for a name that is none.
uint32 bloom_encoding_named(const text* name);

#endif
