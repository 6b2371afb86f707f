// bloom_plan(n, p) and bloom_formats: tables that need not be created.
#include "face.h"

/// What the two have in common: rows are numbered from 0.
typedef struct table_cursor {
    sqlite3_vtab_cursor base; ///< SQLite's part; it must come first
    uint32_t row;
    bloomery_plan plan; ///< of bloom_plan
    sqlite3_int64 items;
    double rate;
} table_cursor;

static int connect_with(sqlite3* database, const char* columns, sqlite3_vtab** made) {
    const int status = sqlite3_declare_vtab(database, columns);
    if (status != SQLITE_OK) return status;
    (void)sqlite3_vtab_config(database, SQLITE_VTAB_INNOCUOUS);
    *made = sqlite3_malloc64(sizeof **made);
    if (*made == NULL) return SQLITE_NOMEM;
    memset(*made, 0, sizeof **made);
    return SQLITE_OK;
}

static int disconnect(sqlite3_vtab* table) {
    sqlite3_free(table);
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab* table, sqlite3_vtab_cursor** made) {
    table_cursor* const cursor = sqlite3_malloc64(sizeof *cursor);
    (void)table;
    if (cursor == NULL) return SQLITE_NOMEM;
    memset(cursor, 0, sizeof *cursor);
    *made = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor* cursor) {
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor* cursor) {
    ++((table_cursor*)cursor)->row;
    return SQLITE_OK;
}

static int row_number(sqlite3_vtab_cursor* cursor, sqlite3_int64* number) {
    *number = ((table_cursor*)cursor)->row;
    return SQLITE_OK;
}

static int refuse(sqlite3_vtab* table, const char* sentence) {
    sqlite3_free(table->zErrMsg);
    table->zErrMsg = sqlite3_mprintf("bloom_plan: %s", sentence);
    return SQLITE_ERROR;
}

// bloom_plan.

enum plan_column { layout, bits, bytes, hashes, expected_fpp, bits_per_key, n, p };

static int connect_plan(sqlite3* database, void* none, int count, const char* const* arguments,
                        sqlite3_vtab** made, char** error) {
    (void)none, (void)count, (void)arguments, (void)error;
    return connect_with(database,
                        "CREATE TABLE bloom_plan(layout TEXT, bits INTEGER, bytes INTEGER, "
                        "hashes INTEGER, expected_fpp REAL, bits_per_key REAL, "
                        "n INTEGER HIDDEN, p REAL HIDDEN)",
                        made);
}

/// Which constraint says what a hidden column is; -1: none does.
static int constraint_on(const sqlite3_index_info* about, int column, bool* unusable) {
    for (int i = 0; i < about->nConstraint; ++i) {
        if (about->aConstraint[i].iColumn != column ||
            about->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ) {
            continue;
        }
        if (about->aConstraint[i].usable) return i;
        *unusable = true;
    }
    return -1;
}

static int find_arguments(sqlite3_vtab* table, sqlite3_index_info* about) {
    bool unusable = false;
    const int on_n = constraint_on(about, n, &unusable);
    const int on_p = constraint_on(about, p, &unusable);
    if (unusable) return SQLITE_CONSTRAINT; // another order of the tables will do
    if (on_n < 0) return refuse(table, "give the number of keys: bloom_plan(1000000, 0.01)");
    about->aConstraintUsage[on_n].argvIndex = 1;
    about->aConstraintUsage[on_n].omit = 1;
    if (on_p >= 0) {
        about->aConstraintUsage[on_p].argvIndex = 2;
        about->aConstraintUsage[on_p].omit = 1;
    }
    about->estimatedCost = 1;
    about->estimatedRows = 1;
    return SQLITE_OK;
}

static int find_plan(sqlite3_vtab_cursor* base, int number, const char* name, int count,
                     sqlite3_value** values) {
    table_cursor* const cursor = (table_cursor*)base;
    bloomery_options options = bloomery_options_init();
    (void)number, (void)name;
    cursor->row = 1; // no row
    if (is_null(values[0]) || (count > 1 && is_null(values[1]))) return SQLITE_OK;
    cursor->items = sqlite3_value_int64(values[0]);
    cursor->rate = count > 1 ? sqlite3_value_double(values[1]) : 0.01;
    if (sqlite3_value_numeric_type(values[0]) != SQLITE_INTEGER || cursor->items < 1) {
        return refuse(base->pVtab, "n is a number of keys, at least 1");
    }
    if (!(cursor->rate > 0 && cursor->rate < 1)) {
        return refuse(base->pVtab, "p is a false-positive rate between 0 and 1, such as 0.01");
    }
    options.items = (uint64_t)cursor->items;
    options.rate = cursor->rate;
    cursor->plan = bloomery_plan_init();
    if (bloomery_plan_for(&options, &cursor->plan) != BLOOMERY_OK) {
        return refuse(base->pVtab, bloomery_last_error());
    }
    cursor->row = 0;
    return SQLITE_OK;
}

static int is_past_plan(sqlite3_vtab_cursor* cursor) { return ((table_cursor*)cursor)->row != 0; }

static int column_of_plan(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
    const table_cursor* const cursor = (const table_cursor*)base;
    const bloomery_plan* const plan = &cursor->plan;
    switch ((enum plan_column)column) {
    case layout:
        sqlite3_result_text(context, plan->layout, -1, SQLITE_STATIC);
        break;
    case bits:
        sqlite3_result_int64(context, (sqlite3_int64)plan->bits);
        break;
    case bytes:
        sqlite3_result_int64(context, (sqlite3_int64)plan->bytes);
        break;
    case hashes:
        sqlite3_result_int64(context, plan->hashes);
        break;
    case expected_fpp:
        sqlite3_result_double(context, plan->expected_rate);
        break;
    case bits_per_key:
        sqlite3_result_double(context, plan->bits_per_item);
        break;
    case n:
        sqlite3_result_int64(context, cursor->items);
        break;
    case p:
        sqlite3_result_double(context, cursor->rate);
        break;
    }
    return SQLITE_OK;
}

static const sqlite3_module plan_module = {
    .xConnect = connect_plan,
    .xBestIndex = find_arguments,
    .xDisconnect = disconnect,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = find_plan,
    .xNext = next_row,
    .xEof = is_past_plan,
    .xColumn = column_of_plan,
    .xRowid = row_number,
};

// bloom_formats.

enum format_column { name, what, keys, needs, writable, makeable };

static int connect_formats(sqlite3* database, void* none, int count, const char* const* arguments,
                           sqlite3_vtab** made, char** error) {
    (void)none, (void)count, (void)arguments, (void)error;
    return connect_with(database,
                        "CREATE TABLE bloom_formats(name TEXT, what TEXT, keys TEXT, needs TEXT, "
                        "writable INTEGER, makeable INTEGER)",
                        made);
}

static int scan_formats(sqlite3_vtab* table, sqlite3_index_info* about) {
    (void)table;
    about->estimatedCost = 50;
    about->estimatedRows = 50;
    return SQLITE_OK;
}

static int find_formats(sqlite3_vtab_cursor* cursor, int number, const char* idea, int count,
                        sqlite3_value** values) {
    (void)number, (void)idea, (void)count, (void)values;
    ((table_cursor*)cursor)->row = 0;
    return SQLITE_OK;
}

static int is_past_formats(sqlite3_vtab_cursor* cursor) {
    return bloomery_format_name(((table_cursor*)cursor)->row) == NULL;
}

static int column_of_format(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int column) {
    bloomery_format of = bloomery_format_init();
    if (bloomery_format_named(bloomery_format_name(((table_cursor*)cursor)->row), &of) !=
        BLOOMERY_OK) {
        return SQLITE_ERROR;
    }
    switch ((enum format_column)column) {
    case name:
        sqlite3_result_text(context, of.name, -1, SQLITE_STATIC);
        break;
    case what:
        sqlite3_result_text(context, of.what, -1, SQLITE_STATIC);
        break;
    case keys:
        sqlite3_result_text(context, of.keys, -1, SQLITE_STATIC);
        break;
    case needs:
        sqlite3_result_text(context, of.needs, -1, SQLITE_STATIC);
        break;
    case writable:
        sqlite3_result_int(context, of.writable);
        break;
    case makeable:
        sqlite3_result_int(context, of.makeable);
        break;
    }
    return SQLITE_OK;
}

static const sqlite3_module format_module = {
    .xConnect = connect_formats,
    .xBestIndex = scan_formats,
    .xDisconnect = disconnect,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = find_formats,
    .xNext = next_row,
    .xEof = is_past_formats,
    .xColumn = column_of_format,
    .xRowid = row_number,
};

int add_tables(sqlite3* database) {
    const int status = sqlite3_create_module_v2(database, "bloom_plan", &plan_module, NULL, NULL);
    return status != SQLITE_OK
               ? status
               : sqlite3_create_module_v2(database, "bloom_formats", &format_module, NULL, NULL);
}
