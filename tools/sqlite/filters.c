// Filters as arguments and as results.
#include "connection.h"

bool take_bytes(sqlite3_context* context, sqlite3_value* value, bloomery_slice* bytes) {
    if (sqlite3_value_type(value) != SQLITE_BLOB) {
        fail(context, "a filter is a BLOB, such as bloom_agg makes; for one in a file, use "
                      "bloom_file('path')");
        return false;
    }
    bytes->data = sqlite3_value_blob(value);
    bytes->size = (size_t)sqlite3_value_bytes(value);
    if (bytes->data != NULL || bytes->size == 0) return true;
    sqlite3_result_error_nomem(context);
    return false;
}

static void refuse_foreign(sqlite3_context* context, bloomery_slice bytes) {
    const char* format = NULL;
    char* const why = sqlite3_mprintf("%s", bloomery_last_error());
    if (bloomery_detect(bytes.data, bytes.size, &format) == BLOOMERY_OK &&
        strcmp(format, "native") != 0) {
        fail(context,
             "this is a filter in the format %s; convert it first, with bloom_from(filter, '%s')",
             format, format);
    } else if (why == NULL) {
        sqlite3_result_error_nomem(context);
    } else {
        fail(context, "%s", why);
    }
    sqlite3_free(why);
}

enum { bytes_between_checks = 4 << 20 };

bloomery_filter* decode_native(sqlite3_context* context, bloomery_slice bytes, bool* sealed) {
    bloomery_filter* decoded = NULL;
    if (bytes.size >= bytes_between_checks && is_interrupted(context)) {
        fail_interrupted(context);
        return NULL;
    }
    bloomery_read_options options = bloomery_read_options_init();
    options.format = "native";
    options.refuse_unsealed = true;
    bloomery_status status = bloomery_decode(bytes.data, bytes.size, &options, &decoded);
    if (sealed != NULL) *sealed = status == BLOOMERY_OK;
    if (status == BLOOMERY_UNSEALED) {
        options.refuse_unsealed = false;
        status = bloomery_decode(bytes.data, bytes.size, &options, &decoded);
    }
    if (status == BLOOMERY_BAD_DATA) {
        refuse_foreign(context, bytes);
    } else if (status != BLOOMERY_OK) {
        fail_with(context, status);
    }
    return decoded;
}

bool see_filter(sqlite3_context* context, sqlite3_value* value, seen_filter* seen) {
    bloomery_slice bytes;
    seen->own = NULL;
    seen->filter = NULL;
    if (is_reference(value)) {
        seen->filter = referenced_filter(context, value);
    } else if (take_bytes(context, value, &bytes)) {
        seen->filter = seen->own = decode_native(context, bytes, NULL);
    }
    return seen->filter != NULL;
}

void unsee(seen_filter* seen) { bloomery_close(seen->own); }

bloomery_filter* take_filter(sqlite3_context* context, sqlite3_value* value) {
    seen_filter seen;
    if (!see_filter(context, value, &seen)) return NULL;
    if (seen.own != NULL) return seen.own;
    bloomery_filter* copy = NULL;
    (void)failed(context, bloomery_copy(seen.filter, &copy));
    return copy;
}

static bool has_no_keys(const bloomery_filter* filter) {
    bloomery_statistics now = bloomery_statistics_init();
    return bloomery_statistics_of(filter, &now) == BLOOMERY_OK && now.bits_set == 0;
}

bool merge_into(sqlite3_context* context, bloomery_filter** into, const bloomery_filter* other) {
    const bloomery_status status = bloomery_merge(*into, other);
    if (status == BLOOMERY_OK) return true;
    char* const why = sqlite3_mprintf("%s", bloomery_last_error());
    bloomery_filter* copy = NULL;
    bool done = false;
    if (status == BLOOMERY_INCOMPATIBLE && has_no_keys(other)) {
        done = true;
    } else if (status == BLOOMERY_INCOMPATIBLE && has_no_keys(*into)) {
        done = !failed(context, bloomery_copy(other, &copy));
    } else if (why == NULL || status == BLOOMERY_OUT_OF_MEMORY) {
        sqlite3_result_error_nomem(context);
    } else {
        fail(context, "%s", why);
    }
    if (copy != NULL) {
        bloomery_close(*into);
        *into = copy;
    }
    sqlite3_free(why);
    return done;
}

// Results.

uint64_t longest_value(sqlite3_context* context) {
    return (uint64_t)sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1);
}

bool refuse_longer(sqlite3_context* context, uint64_t bytes) {
    const uint64_t most = longest_value(context);
    if (bytes <= most) return false;
    fail(context,
         "the filter would have %llu bytes, and a value of this connection at most %llu "
         "(SQLITE_LIMIT_LENGTH, or \".limit length\" in the shell); make it for fewer keys or a "
         "higher rate, or make a file with the command and use bloom_file",
         (unsigned long long)bytes, (unsigned long long)most);
    return true;
}

/// Bytes that are being written.
typedef struct blob {
    sqlite3_context* context;
    uint8_t* bytes;
    uint64_t size;
    uint64_t room;
    uint64_t unchecked; ///< written since the last look at interrupts
    uint64_t refused;   ///< a size that was too large
    bool no_memory;
} blob;

static bool grow(blob* to, uint64_t size) {
    if (size <= to->room) return true;
    if (size > longest_value(to->context)) {
        to->refused = size;
        return false;
    }
    const uint64_t room = size > 2 * to->room ? size : 2 * to->room;
    uint8_t* const larger = sqlite3_realloc64(to->bytes, room);
    to->no_memory = larger == NULL;
    if (larger == NULL) return false;
    to->bytes = larger;
    to->room = room;
    return true;
}

static int write_part(const uint8_t* bytes, size_t size, void* context) {
    blob* const to = context;
    if (size == 0) return 0; // there may be no pointer
    to->unchecked += size;
    if (to->unchecked >= bytes_between_checks) {
        to->unchecked = 0;
        if (is_interrupted(to->context)) return 1;
    }
    if (!grow(to, to->size + size)) return 1;
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    return 0;
}

static void give_blob(sqlite3_context* context, blob* written, bloomery_status status) {
    if (status == BLOOMERY_OK) {
        sqlite3_result_blob64(context, written->bytes, written->size, sqlite3_free);
        return;
    }
    sqlite3_free(written->bytes);
    if (written->no_memory) {
        sqlite3_result_error_nomem(context);
    } else if (!refuse_longer(context, written->refused)) {
        fail_with(context, status);
    }
}

void give_filter(sqlite3_context* context, const bloomery_filter* filter, const char* format) {
    blob written = {.context = context};
    bloomery_write_options options = bloomery_write_options_init();
    options.format = format;
    if (format == NULL) { // the size is known
        uint64_t size = 0;
        if (failed(context, bloomery_encoded_size(filter, &options, &size)) ||
            refuse_longer(context, size)) {
            return;
        }
        if (!grow(&written, size)) {
            sqlite3_result_error_nomem(context);
            return;
        }
    }
    give_blob(context, &written, bloomery_encode_to(filter, &options, write_part, &written));
}
