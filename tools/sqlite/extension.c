// The entry point: adds all functions to a connection.
#include "bloomery_sqlite.h"
#include "connection.h"

SQLITE_EXTENSION_INIT1

typedef void (*row_function)(sqlite3_context*, int, sqlite3_value**);

typedef struct entry {
    const char* name;
    int least, most; ///< arguments
    int flags;
    row_function row;
    void (*last)(sqlite3_context*); ///< of an aggregate
} entry;

// The result depends on the arguments alone.
#define PURE (SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS)

// bloom_file is not for views and triggers of a database that somebody else made: they could find
// out which files there are. A statement calls it once per path, so that all its rows see one file.
static const entry entries[] = {
    {"bloom_new", 0, 3, PURE, bloom_new, NULL},
    {"bloom_contains", 2, 3, PURE, bloom_contains, NULL},
    {"bloom_add", 2, 3, PURE, bloom_add, NULL},
    {"bloom_merge", 2, 2, PURE, bloom_merge, NULL},
    {"bloom_intersect", 2, 2, PURE, bloom_intersect, NULL},
    {"bloom_count", 1, 1, PURE, bloom_count, NULL},
    {"bloom_fpp", 1, 2, PURE, bloom_fpp, NULL},
    {"bloom_info", 1, 1, PURE, bloom_info, NULL},
    {"bloom_to", 2, 2, PURE, bloom_to, NULL},
    {"bloom_from", 1, 2, PURE, bloom_from, NULL},
    {"bloom_open", 1, 1, SQLITE_INNOCUOUS, bloom_open, NULL}, // another number in each connection
    {"bloom_file", 1, 1, SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, bloom_file, NULL},
    {"bloom_agg", 1, 4, PURE, bloom_agg_step, bloom_agg_final},
    {"bloom_union_agg", 1, 1, PURE, bloom_union_step, bloom_union_final},
};
enum { entry_count = sizeof entries / sizeof entries[0] };
_Static_assert((int)entry_count <= (int)most_functions,
               "a connection has no room for all functions");
#ifdef SQLITE_RESULT_SUBTYPE
enum { subtype_flag = SQLITE_RESULT_SUBTYPE };
#else
enum { subtype_flag = 0 };
#endif

static void leave(void* given) {
    connection* const of = ((registered*)given)->of;
    if (--of->references != 0) return;
    close_all(of);
    sqlite3_free(of);
}

/// Adds a function with every number of arguments that it takes.
static int add(sqlite3* database, connection* to, const entry* from, registered* called) {
    int status = SQLITE_OK;
    for (int count = from->least; count <= from->most && status == SQLITE_OK; ++count) {
        const bool joins = from->last != NULL;
        const int flags = SQLITE_UTF8 | from->flags | (joins ? 0 : subtype_flag);
        ++to->references; // SQLite calls leave even if it fails
        status = sqlite3_create_function_v2(database, from->name, count, flags, called,
                                            joins ? NULL : from->row, joins ? from->row : NULL,
                                            from->last, leave);
    }
    return status;
}

static int add_all(sqlite3* database, connection* to) {
    int status = SQLITE_OK;
    ++to->references; // ours, so that a failure does not free it under our feet
    for (int i = 0; i < entry_count && status == SQLITE_OK; ++i) {
        to->functions[i] = (registered){to, entries[i].name};
        status = add(database, to, entries + i, to->functions + i);
    }
    leave(&(registered){to, NULL});
    return status;
}

int sqlite3_bloomerysqlite_init(sqlite3* database, char** error, const sqlite3_api_routines* api) {
    SQLITE_EXTENSION_INIT2(api);
    (void)api;
    if (sqlite3_libversion_number() < 3031000) {
        *error = sqlite3_mprintf("bloomery needs SQLite 3.31 or later, and this is %s",
                                 sqlite3_libversion());
        return SQLITE_ERROR;
    }
    connection* const made = sqlite3_malloc64(sizeof *made);
    if (made == NULL) return SQLITE_NOMEM;
    memset(made, 0, sizeof *made);
    const int status = add_all(database, made);
    return status == SQLITE_OK ? add_tables(database) : status;
}
