// Filters that a connection has open, and references to them.
#include "connection.h"

// Closing.

void release(void* held) {
    opened* const one = held;
    if (one == NULL || --one->holders != 0) return;
    bloomery_close(one->filter);
    sqlite3_free(one->bytes);
    sqlite3_free(one->file.path);
    sqlite3_free(one);
}

static void close_at(connection* of, int place) {
    if (of->last == of->open[place]) of->last = NULL;
    release(of->open[place]);
    of->open[place] = NULL;
}

void close_all(connection* of) {
    for (int i = 0; i < most_opened; ++i) close_at(of, i);
}

typedef struct census {
    int count;
    int oldest; ///< the place of the one that was used longest ago
    uint64_t memory;
} census;

static census counted(const connection* of) {
    census found = {0, -1, 0};
    for (int i = 0; i < most_opened; ++i) {
        const opened* const one = of->open[i];
        if (one == NULL) continue;
        ++found.count;
        found.memory += one->memory;
        if (found.oldest < 0 || one->last_use < of->open[found.oldest]->last_use) found.oldest = i;
    }
    return found;
}

/// Closes filters until there is a place for one of that size.
static void make_room(connection* of, uint64_t memory) {
    census now = counted(of);
    while (now.count == most_opened ||
           (now.count >= always_kept && now.memory + memory > most_memory)) {
        close_at(of, now.oldest);
        now = counted(of);
    }
}

// Opening.

/// A file is mapped, unless it holds another kind of filter: the system can drop it at any time.
static uint64_t memory_of(const bloomery_filter* filter, bool in_file) {
    bloomery_info info = bloomery_info_init();
    if (bloomery_info_of(filter, &info) != BLOOMERY_OK) return 0;
    const bool is_mapped =
        in_file && strcmp(info.kind, "bloom") == 0 && strcmp(info.scheme, "native") == 0;
    return is_mapped ? 0 : info.byte_count;
}

static opened* made_opened(bloomery_filter* filter, content* bytes, origin file) {
    opened* const made = sqlite3_malloc64(sizeof *made);
    if (made == NULL) {
        bloomery_close(filter);
        sqlite3_free(bytes);
        sqlite3_free(file.path);
        return NULL;
    }
    *made = (opened){.holders = 1, .filter = filter, .bytes = bytes, .file = file};
    made->memory = memory_of(filter, file.path != NULL);
    sqlite3_randomness(sizeof made->number, &made->number);
    return made;
}

opened* keep_open(sqlite3_context* context, bloomery_filter* filter, content* bytes, origin file) {
    connection* const of = connection_of(context);
    opened* const made = made_opened(filter, bytes, file);
    if (made == NULL) {
        sqlite3_result_error_nomem(context);
        return NULL;
    }
    make_room(of, made->memory);
    int place = 0;
    while (of->open[place] != NULL) ++place;
    of->open[place] = made;
    made->last_use = ++of->uses;
    return made;
}

// References.

bool is_reference(sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_INTEGER; }

const bloomery_filter* referenced_filter(sqlite3_context* context, sqlite3_value* value) {
    connection* const of = connection_of(context);
    const int64_t number = sqlite3_value_int64(value);
    if (of->last == NULL || of->last->number != number) {
        of->last = NULL;
        for (int i = 0; i < most_opened && of->last == NULL; ++i) {
            if (of->open[i] != NULL && of->open[i]->number == number) of->last = of->open[i];
        }
    }
    if (of->last == NULL) {
        fail(context,
             "%lld refers to no open filter: it was closed because others were opened, or "
             "it comes from another connection; call bloom_open or bloom_file again",
             (long long)number);
        return NULL;
    }
    of->last->last_use = ++of->uses;
    return of->last->filter;
}
