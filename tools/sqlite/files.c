// bloom_file: filters in files, used in place.
#include "connection.h"

#include <sys/stat.h>

/// What changes when a file is replaced or overwritten; zeros if there is none.
static void identify(const char* path, int64_t identity[7]) {
    struct stat found;
    memset(identity, 0, 7 * sizeof *identity);
    if (stat(path, &found) != 0) return;
    identity[0] = (int64_t)found.st_dev;
    identity[1] = (int64_t)found.st_ino;
    identity[2] = (int64_t)found.st_size;
    identity[3] = (int64_t)found.st_mtim.tv_sec;
    identity[4] = (int64_t)found.st_mtim.tv_nsec;
    identity[5] = (int64_t)found.st_ctim.tv_sec;
    identity[6] = (int64_t)found.st_ctim.tv_nsec;
}

/// The file under that path, if it is open and still the same.
static opened* still_open(const connection* of, const origin* wanted) {
    for (int i = 0; i < most_opened; ++i) {
        opened* const one = of->open[i];
        if (one != NULL && one->file.path != NULL && strcmp(one->file.path, wanted->path) == 0 &&
            memcmp(one->file.identity, wanted->identity, sizeof wanted->identity) == 0) {
            return one;
        }
    }
    return NULL;
}

static opened* open_new(sqlite3_context* context, const origin* wanted) {
    bloomery_filter* mapped = NULL;
    if (failed(context, bloomery_map(wanted->path, false, NULL, &mapped))) return NULL;
    origin file = *wanted;
    file.path = sqlite3_mprintf("%s", wanted->path);
    if (file.path != NULL) return keep_open(context, mapped, NULL, file);
    bloomery_close(mapped);
    sqlite3_result_error_nomem(context);
    return NULL;
}

void bloom_file(sqlite3_context* context, int count, sqlite3_value** values) {
    connection* const of = connection_of(context);
    const char* path;
    origin wanted;
    (void)count;
    if (!take_text(context, values[0], "the path", &path) || path == NULL) return;
    wanted.path = (char*)path; // only to look at
    identify(path, wanted.identity);
    opened* one = still_open(of, &wanted);
    if (one == NULL) one = open_new(context, &wanted);
    if (one == NULL) return;
    one->last_use = ++of->uses;
    sqlite3_result_int64(context, one->number);
}
