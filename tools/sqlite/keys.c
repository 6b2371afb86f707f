// SQLite's values as keys: the same keys as in the command and in C.
#include "face.h"

#include <stdlib.h>

bool is_null(sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_NULL; }

static bool take_bytes_of_key(sqlite3_context* context, sqlite3_value* value, key* taken) {
    // The pointer comes first: it may convert the value.
    const bool is_text = sqlite3_value_type(value) == SQLITE_TEXT;
    taken->bytes.data = is_text ? sqlite3_value_text(value) : sqlite3_value_blob(value);
    taken->bytes.size = (size_t)sqlite3_value_bytes(value);
    if (taken->bytes.data != NULL || taken->bytes.size == 0) return true;
    sqlite3_result_error_nomem(context);
    return false;
}

static void refuse_real(sqlite3_context* context) {
    fail(context, "a REAL cannot be a key, because 1 and 1.0 would be different keys; use "
                  "CAST(... AS INTEGER) or CAST(... AS TEXT)");
}

bool take_key(sqlite3_context* context, sqlite3_value* value, key* taken) {
    switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
        taken->is_integer = true;
        taken->number = (uint64_t)sqlite3_value_int64(value);
        return true;
    case SQLITE_FLOAT:
        refuse_real(context);
        return false;
    default:
        taken->is_integer = false;
        return take_bytes_of_key(context, value, taken);
    }
}

bool take_text(sqlite3_context* context, sqlite3_value* value, const char* what,
               const char** text) {
    *text = NULL;
    if (is_null(value)) return true;
    if (sqlite3_value_type(value) != SQLITE_TEXT) {
        fail(context, "%s must be a text", what);
        return false;
    }
    *text = (const char*)sqlite3_value_text(value);
    if (*text == NULL) {
        sqlite3_result_error_nomem(context);
        return false;
    }
    if (strlen(*text) != (size_t)sqlite3_value_bytes(value)) {
        fail(context, "%s must not contain a zero byte", what);
        return false;
    }
    return true;
}

bool take_encoding(sqlite3_context* context, sqlite3_value* name, uint32_t* encoding) {
    const char* text;
    *encoding = BLOOMERY_KEY_ENCODING_BYTES;
    return take_text(context, name, "the encoding of the key", &text) &&
           (text == NULL || !failed(context, bloomery_key_encoding_named(text, encoding)));
}

static bool takes_floats(uint32_t encoding) {
    return encoding == BLOOMERY_KEY_ENCODING_F32LE || encoding == BLOOMERY_KEY_ENCODING_F64LE ||
           encoding == BLOOMERY_KEY_ENCODING_F64LE_CANONICAL;
}

bool take_encoded(sqlite3_context* context, sqlite3_value* value, uint32_t encoding,
                  encoded_key* taken) {
    taken->keys = bloomery_keys_init();
    taken->keys.encoding = encoding;
    taken->keys.count = 1;
    taken->keys.data = &taken->number;
    const int type = sqlite3_value_type(value);
    if (takes_floats(encoding) && (type == SQLITE_FLOAT || type == SQLITE_INTEGER)) {
        taken->keys.form = BLOOMERY_KEYS_F64;
        taken->number.real = sqlite3_value_double(value);
        return true;
    }
    key plain;
    if (!take_key(context, value, &plain)) return false;
    if (plain.is_integer) {
        taken->keys.form = BLOOMERY_KEYS_I64;
        taken->number.integer = (int64_t)plain.number;
    } else {
        taken->keys.form = BLOOMERY_KEYS_SLICES;
        taken->number.bytes = plain.bytes;
    }
    return true;
}
