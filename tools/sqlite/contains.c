// bloom_contains: called for every row, so that nothing may be done twice.
#include "connection.h"

static const bloomery_filter* filter_to_ask(sqlite3_context* context, sqlite3_value* value) {
    if (is_reference(value)) return referenced_filter(context, value);
    // SQLite keeps this from row to row if the argument is constant, and only then.
    const opened* const constant = sqlite3_get_auxdata(context, 0);
    if (constant != NULL) return constant->filter;
    bloomery_slice bytes;
    opened* const one = take_bytes(context, value, &bytes) ? opened_blob(context, bytes) : NULL;
    if (one == NULL) return NULL;
    ++one->holders;
    sqlite3_set_auxdata(context, 0, one, release);
    return one->filter;
}

static void answer(sqlite3_context* context, bloomery_status status, bool maybe) {
    if (!failed(context, status)) sqlite3_result_int(context, maybe);
}

static void contains_encoded(sqlite3_context* context, sqlite3_value** values) {
    uint32_t encoding;
    encoded_key asked;
    if (!take_encoding(context, values[2], &encoding) ||
        !take_encoded(context, values[1], encoding, &asked)) {
        return;
    }
    const bloomery_filter* const filter = filter_to_ask(context, values[0]);
    if (filter == NULL) return;
    uint8_t maybe = 1;
    const bloomery_status status = bloomery_may_contain_many(filter, &asked.keys, &maybe, NULL);
    answer(context, status, maybe != 0);
}

void bloom_contains(sqlite3_context* context, int count, sqlite3_value** values) {
    if (is_null(values[0]) || is_null(values[1])) return;
    if (count == 3 && !is_null(values[2])) {
        contains_encoded(context, values);
        return;
    }
    key asked;
    if (!take_key(context, values[1], &asked)) return;
    const bloomery_filter* const filter = filter_to_ask(context, values[0]);
    if (filter == NULL) return;
    bool maybe = true;
    const bloomery_status status =
        asked.is_integer ? bloomery_may_contain_u64(filter, asked.number, &maybe)
                         : bloomery_may_contain(filter, asked.bytes.data, asked.bytes.size, &maybe);
    answer(context, status, maybe);
}
