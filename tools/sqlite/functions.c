// The functions that take whole filters.
#include "face.h"

#include <math.h>

static bool any_null(int count, sqlite3_value** values) {
    for (int i = 0; i < count; ++i) {
        if (is_null(values[i])) return true;
    }
    return false;
}

void bloom_new(sqlite3_context* context, int count, sqlite3_value** values) {
    bloomery_filter* made = NULL;
    if (make_filter(context, count, values, &made)) give_filter(context, made, NULL);
    bloomery_close(made);
}

static bloomery_status insert_encoded(sqlite3_context* context, sqlite3_value** values,
                                      bloomery_filter* into, bool* said) {
    uint32_t encoding;
    encoded_key added;
    *said = !take_encoding(context, values[2], &encoding) ||
            !take_encoded(context, values[1], encoding, &added);
    return *said ? BLOOMERY_OK : bloomery_insert_many(into, &added.keys);
}

static bloomery_status insert_plain(sqlite3_context* context, sqlite3_value* value,
                                    bloomery_filter* into, bool* said) {
    key added;
    *said = !take_key(context, value, &added);
    if (*said) return BLOOMERY_OK;
    return added.is_integer ? bloomery_insert_u64(into, added.number)
                            : bloomery_insert(into, added.bytes.data, added.bytes.size);
}

void bloom_add(sqlite3_context* context, int count, sqlite3_value** values) {
    if (any_null(2, values)) return;
    bloomery_filter* const filter = take_filter(context, values[0]);
    if (filter == NULL) return;
    bool said = false;
    const bloomery_status status = count == 3 && !is_null(values[2])
                                       ? insert_encoded(context, values, filter, &said)
                                       : insert_plain(context, values[1], filter, &said);
    if (!said && !failed(context, status)) give_filter(context, filter, NULL);
    bloomery_close(filter);
}

static bool intersect_into(sqlite3_context* context, bloomery_filter** into,
                           const bloomery_filter* other) {
    return !failed(context, bloomery_intersect(*into, other));
}

static void combine(sqlite3_context* context, sqlite3_value** values,
                    bool (*with)(sqlite3_context*, bloomery_filter**, const bloomery_filter*)) {
    if (any_null(2, values)) return;
    bloomery_filter* into = take_filter(context, values[0]);
    if (into == NULL) return;
    seen_filter other;
    if (see_filter(context, values[1], &other)) {
        if (with(context, &into, other.filter)) give_filter(context, into, NULL);
        unsee(&other);
    }
    bloomery_close(into);
}

void bloom_merge(sqlite3_context* context, int count, sqlite3_value** values) {
    (void)count;
    combine(context, values, merge_into);
}

void bloom_intersect(sqlite3_context* context, int count, sqlite3_value** values) {
    (void)count;
    combine(context, values, intersect_into);
}

void bloom_count(sqlite3_context* context, int count, sqlite3_value** values) {
    seen_filter seen;
    (void)count;
    if (is_null(values[0]) || !see_filter(context, values[0], &seen)) return;
    bloomery_statistics now = bloomery_statistics_init();
    if (!failed(context, bloomery_statistics_of(seen.filter, &now)) && !now.saturated &&
        now.items < 9e18) { // otherwise unknown: NULL
        sqlite3_result_int64(context, llround(now.items));
    }
    unsee(&seen);
}

static bool take_count(sqlite3_context* context, sqlite3_value* value, uint64_t* count) {
    const int64_t given = sqlite3_value_int64(value);
    if (sqlite3_value_numeric_type(value) != SQLITE_INTEGER || given < 0) {
        fail(context, "n is a number of keys: an integer, not negative");
        return false;
    }
    *count = (uint64_t)given;
    return true;
}

void bloom_fpp(sqlite3_context* context, int count, sqlite3_value** values) {
    seen_filter seen;
    uint64_t items = 0;
    if (any_null(count, values) || (count == 2 && !take_count(context, values[1], &items)) ||
        !see_filter(context, values[0], &seen)) {
        return;
    }
    bloomery_statistics now = bloomery_statistics_init();
    const bloomery_status status = count == 2
                                       ? bloomery_rate_at(seen.filter, items, &now.expected_rate)
                                       : bloomery_statistics_of(seen.filter, &now);
    if (!failed(context, status)) sqlite3_result_double(context, now.expected_rate);
    unsee(&seen);
}

enum { json_subtype = 'J' }; // so that json_object and others nest it

void bloom_info(sqlite3_context* context, int count, sqlite3_value** values) {
    seen_filter seen;
    (void)count;
    if (is_null(values[0]) || !see_filter(context, values[0], &seen)) return;
    char* json = NULL;
    if (!failed(context, bloomery_describe(seen.filter, NULL, &json))) {
        sqlite3_result_text(context, json, -1, SQLITE_TRANSIENT);
        sqlite3_result_subtype(context, json_subtype);
    }
    bloomery_free_memory(json);
    unsee(&seen);
}

// Formats.

void bloom_to(sqlite3_context* context, int count, sqlite3_value** values) {
    const char* format;
    seen_filter seen;
    (void)count;
    if (any_null(2, values) || !take_text(context, values[1], "the format", &format) ||
        !see_filter(context, values[0], &seen)) {
        return;
    }
    give_filter(context, seen.filter, strcmp(format, "native") == 0 ? NULL : format);
    unsee(&seen);
}

void bloom_from(sqlite3_context* context, int count, sqlite3_value** values) {
    bloomery_read_options options = bloomery_read_options_init();
    bloomery_filter* read = NULL;
    if (any_null(count, values) ||
        (count == 2 && !take_text(context, values[1], "the format", &options.format))) {
        return;
    }
    const int type = sqlite3_value_type(values[0]);
    if (type != SQLITE_BLOB && type != SQLITE_TEXT) { // some formats are JSON
        fail(context, "a filter of another system is a BLOB or a TEXT");
        return;
    }
    options.largest_filter_bytes = longest_value(context);
    key bytes;
    if (take_key(context, values[0], &bytes) &&
        !failed(context, bloomery_decode(bytes.bytes.data, bytes.bytes.size, &options, &read))) {
        give_filter(context, read, NULL);
    }
    bloomery_close(read);
}
