// Filters that a connection has open, and references to them. A reference is a value for SQL: a
// small blob that may be copied, sorted and stored in a temporary table, however large the filter
// is. It contains a secret of the connection, so nobody else can make one. If the filter was closed
// meanwhile, using it is an error.
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

void close_all(connection* of) {
    for (int i = 0; i < most_opened; ++i) {
        release(of->open[i]);
        of->open[i] = NULL;
    }
}

/// The place of the filter that was used longest ago and that no value refers to; -1: none.
static int idle_place(const connection* of) {
    int found = -1;
    for (int i = 0; i < most_opened; ++i) {
        const opened* const one = of->open[i];
        if (one != NULL && one->values == 0 &&
            (found < 0 || one->last_use < of->open[found]->last_use)) {
            found = i;
        }
    }
    return found;
}

static uint64_t idle_memory(const connection* of) {
    uint64_t sum = 0;
    for (int i = 0; i < most_opened; ++i) {
        const opened* const one = of->open[i];
        sum += one != NULL && one->values == 0 ? one->memory : 0;
    }
    return sum;
}

static void close_at(connection* of, int place) {
    release(of->open[place]);
    of->open[place] = NULL;
}

/// A free place for a filter of that size, after closing idle ones if need be; -1: none.
static int make_room(connection* of, uint64_t memory) {
    int idle = idle_place(of);
    while (idle >= 0 && idle_memory(of) + memory > most_idle_memory) {
        close_at(of, idle);
        idle = idle_place(of);
    }
    for (int i = 0; i < most_opened; ++i) {
        if (of->open[i] == NULL) return i;
    }
    if (idle >= 0) close_at(of, idle);
    return idle;
}

// Opening.

static opened* made_opened(bloomery_filter* filter, content* bytes, origin file) {
    opened* const made = sqlite3_malloc64(sizeof *made);
    if (made == NULL) {
        bloomery_close(filter);
        sqlite3_free(bytes);
        sqlite3_free(file.path);
        return NULL;
    }
    *made = (opened){.holders = 1, .filter = filter, .bytes = bytes, .file = file};
    return made;
}

opened* keep_open(sqlite3_context* context, bloomery_filter* filter, content* bytes, origin file) {
    connection* const of = connection_of(context);
    bloomery_info info = bloomery_info_init();
    opened* const made = made_opened(filter, bytes, file);
    if (made == NULL) {
        sqlite3_result_error_nomem(context);
        return NULL;
    }
    const bool is_mapped = file.path != NULL;
    if (!is_mapped && bloomery_info_of(filter, &info) == BLOOMERY_OK)
        made->memory = info.byte_count;
    const int place = make_room(of, made->memory);
    if (place < 0) {
        fail(context, "%d filters are in use at the same time, which is the most", most_opened);
        release(made);
        return NULL;
    }
    made->number = ++of->numbers;
    made->last_use = ++of->uses;
    of->open[place] = made;
    return made;
}

// References.

typedef struct reference {
    char mark[24];
    uint8_t secret[BLOOMERY_SECRET_SIZE];
    uint64_t number;
} reference;
static const char mark[24] = "bloomery: an open filter";

/// A reference in a value that SQLite owns, which keeps the filter open.
typedef struct owned_reference {
    reference bytes; ///< comes first: it is what SQLite sees
    opened* to;
} owned_reference;

static void drop_reference(void* dropped) {
    opened* const to = ((owned_reference*)dropped)->to;
    --to->values;
    release(to);
    sqlite3_free(dropped);
}

void give_reference(sqlite3_context* context, opened* to) {
    owned_reference* const made = sqlite3_malloc64(sizeof *made);
    if (made == NULL) {
        sqlite3_result_error_nomem(context);
        return;
    }
    memcpy(made->bytes.mark, mark, sizeof mark);
    memcpy(made->bytes.secret, connection_of(context)->secret, sizeof made->bytes.secret);
    made->bytes.number = to->number;
    made->to = to;
    ++to->holders;
    ++to->values;
    sqlite3_result_blob(context, made, sizeof made->bytes, drop_reference);
}

bool is_reference(bloomery_slice bytes) {
    return bytes.size == sizeof(reference) && memcmp(bytes.data, mark, sizeof mark) == 0;
}

static void refuse_stranger(sqlite3_context* context) {
    fail(context, "bloom_open or bloom_file made this value in another connection, and it is only "
                  "valid there; to keep a filter, store its bytes, such as "
                  "bloom_to(bloom_file('path'), 'native')");
}

const bloomery_filter* referenced_filter(sqlite3_context* context, bloomery_slice bytes) {
    connection* const of = connection_of(context);
    reference found;
    memcpy(&found, bytes.data, sizeof found);
    if (memcmp(found.secret, of->secret, sizeof found.secret) != 0) {
        refuse_stranger(context);
        return NULL;
    }
    for (int i = 0; i < most_opened; ++i) {
        opened* const one = of->open[i];
        if (one != NULL && one->number == found.number) {
            one->last_use = ++of->uses;
            return one->filter;
        }
    }
    fail(context, "this filter was closed, because others were opened since; call bloom_open or "
                  "bloom_file again");
    return NULL;
}
