// What a connection keeps between calls: filters in memory and files, open for the next rows and
// the next statements.
#ifndef BLOOMERY_SQLITE_CONNECTION_H
#define BLOOMERY_SQLITE_CONNECTION_H

#include "face.h"

/// What identifies the bytes of a sealed filter: see blobs.c.
typedef struct content {
    uint64_t size;
    uint8_t header[296];
    uint64_t checksums_size;
    uint8_t checksums[]; ///< a copy of the blob's
} content;

/// The path of a file, and what changes when it is replaced or overwritten.
typedef struct origin {
    char* path;
    int64_t identity[7];
} origin;

/// A filter that is open, from a blob or from a file.
typedef struct opened {
    unsigned holders; ///< the connection, and statements with a constant filter
    int64_t number;   ///< random, so that nobody can guess it
    uint64_t last_use;
    uint64_t memory; ///< bytes
    bloomery_filter* filter;
    content* bytes; ///< of a blob; else null
    origin file;    ///< of a file; else null
} opened;

/// When another filter is opened, those that were used longest ago are closed: if there are too
/// many, or if they need too much memory, but not the few that were used last.
enum { most_opened = 64, most_memory = 256 << 20, always_kept = 4 };

/// A function of the extension, as SQLite calls it back.
typedef struct registered {
    connection* of;
    const char* name;
} registered;

enum { most_functions = 16 };

struct connection {
    unsigned references; ///< functions that have not been destroyed
    uint64_t uses;       ///< a clock, to see what was used last
    opened* last;        ///< what the last reference referred to
    opened* open[most_opened];
    registered functions[most_functions];
};

/// Takes a filter, and keeps it with what identifies it, which it takes too. Null: the call has
/// ended with an error.
opened* keep_open(sqlite3_context* context, bloomery_filter* filter, content* bytes, origin file);
void release(void* held);
void close_all(connection* of);

// A reference is an integer: SQLite copies it for every row at no cost, and it may be sorted and
// stored in a temporary table. If the filter was closed meanwhile, using it is an error.

bool is_reference(sqlite3_value* value);
/// What a reference refers to. Null: the call has ended with an error.
const bloomery_filter* referenced_filter(sqlite3_context* context, sqlite3_value* value);

/// The filter in a blob, which is decoded once for all rows with the same bytes. Null: the call has
/// ended with an error.
opened* opened_blob(sqlite3_context* context, bloomery_slice bytes);

#endif
