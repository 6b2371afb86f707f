// Bloom filters in SQLite, for programs that link the extension instead of loading it:
//
//     sqlite3_auto_extension((void (*)(void))sqlite3_bloomerysqlite_init);
//
// Every connection that is opened afterwards has the functions of docs/sql.md.
#ifndef BLOOMERY_SQLITE_H
#define BLOOMERY_SQLITE_H

#ifdef __cplusplus
extern "C" {
#endif

struct sqlite3;
struct sqlite3_api_routines;

#if defined(_WIN32)
__declspec(dllexport)
#else
__attribute__((visibility("default")))
#endif
/// Adds the functions to a connection. SQLite derives the name from that of the file,
/// bloomery_sqlite, leaving out what is not a letter. `api` is ignored where SQLite itself is
/// linked.
int sqlite3_bloomerysqlite_init(struct sqlite3* database, char** error,
                                const struct sqlite3_api_routines* api);

#ifdef __cplusplus
}
#endif

#endif
