// Files on the server, used in place.
//
// A mapped file that somebody shortens, as `cp other.bloom seen.bloom` does, makes the system send
// SIGBUS to whoever reads what is gone, which would end all sessions of the server. Here such a
// page is replaced by ones, which answer "maybe", and the call raises an error.
#ifndef BLOOMERY_POSTGRES_MAPPING_H
#define BLOOMERY_POSTGRES_MAPPING_H

#include "handle.h"

#include <datatype/timestamp.h>
#include <sys/stat.h>

/// A file at one place of a query.
typedef struct bloom_mapping {
    MemoryContext context;
    bloom_handle* handle;
    char* path;
    size_t path_size;
    Oid user;       ///< who may read it
    bool is_mapped; ///< false: it was read into memory
    struct stat file;
    TimestampTz statement; ///< when it was last compared with the file of that name
    int64 checked;         ///< in milliseconds
} bloom_mapping;

bloom_mapping* bloom_new_mapping(MemoryContext context);

/// The filter in the file of that name: looked up for each statement, and again every 10 ms, since
/// the file may have been replaced. Keys that are added to the file are seen at once. Raises an
/// error if the user may not read files.
const bloomery_filter* bloom_mapped(bloom_mapping* mapping, const char* path, size_t path_size);

/// To be called around each use of the filter.
void bloom_begin_use(void);
/// Raises an error if the file was shortened meanwhile.
void bloom_end_use(bloom_mapping* mapping);

/// Raises an error unless the user may read files of the server.
void bloom_require_file_access(void);

#endif
