// Errors, and what a function knows about itself.
#include "connection.h"

#include <stdarg.h>

static const registered* registered_in(sqlite3_context* context) {
    return sqlite3_user_data(context);
}

const char* function_name(sqlite3_context* context) { return registered_in(context)->name; }

connection* connection_of(sqlite3_context* context) { return registered_in(context)->of; }

void fail(sqlite3_context* context, const char* sentence, ...) {
    va_list values;
    va_start(values, sentence);
    char* const said = sqlite3_vmprintf(sentence, values);
    va_end(values);
    char* const all = sqlite3_mprintf("%s: %s", function_name(context), said);
    sqlite3_free(said);
    if (all == NULL) {
        sqlite3_result_error_nomem(context);
    } else {
        sqlite3_result_error(context, all, -1);
    }
    sqlite3_free(all);
}

void fail_with(sqlite3_context* context, bloomery_status status) {
    if (status == BLOOMERY_OUT_OF_MEMORY) {
        sqlite3_result_error_nomem(context);
    } else if (status == BLOOMERY_STOPPED) { // only an interrupt stops a call
        fail_interrupted(context);
    } else {
        fail(context, "%s", bloomery_last_error());
    }
}

bool failed(sqlite3_context* context, bloomery_status status) {
    if (status == BLOOMERY_OK) return false;
    fail_with(context, status);
    return true;
}

void fail_interrupted(sqlite3_context* context) {
    sqlite3_result_error(context, "interrupted", -1);
    sqlite3_result_error_code(context, SQLITE_INTERRUPT);
}

/// Until all statements that were interrupted have ended, SQLite interrupts the others too.
static bool would_be_interrupted(sqlite3* database) {
    sqlite3_stmt* trial = NULL;
    int status = sqlite3_prepare_v2(database, "SELECT 1", -1, &trial, NULL);
    if (status == SQLITE_OK) status = sqlite3_step(trial);
    sqlite3_finalize(trial);
    return status == SQLITE_INTERRUPT;
}

bool is_interrupted(sqlite3_context* context) {
    sqlite3* const database = sqlite3_context_db_handle(context);
#if SQLITE_VERSION_NUMBER >= 3041000
    if (sqlite3_libversion_number() >= 3041000) return sqlite3_is_interrupted(database) != 0;
#endif
    return would_be_interrupted(database);
}
