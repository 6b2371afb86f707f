// What every function of the extension needs: SQLite, the C interface, keys, filters and errors.
#ifndef BLOOMERY_SQLITE_FACE_H
#define BLOOMERY_SQLITE_FACE_H

#include <bloomery.h>
#include <sqlite3ext.h>
// SQLite's functions are called through a table that it passes to the extension.
SQLITE_EXTENSION_INIT3

/// What a connection keeps between calls: files that are open, and filters that it has decoded.
typedef struct connection connection;

// Errors.

/// The name of the function that runs, for messages.
const char* function_name(sqlite3_context* context);
connection* connection_of(sqlite3_context* context);

/// Ends the call with an error: "bloom_add: " and the sentence, as in sqlite3_mprintf.
void fail(sqlite3_context* context, const char* sentence, ...);
/// The same with the last error of the library.
void fail_with(sqlite3_context* context, bloomery_status status);
/// The same if the status is one. Returns whether it was.
bool failed(sqlite3_context* context, bloomery_status status);

/// Whether sqlite3_interrupt was called. It takes microseconds.
bool is_interrupted(sqlite3_context* context);
/// Ends the call like any other interrupted one.
void fail_interrupted(sqlite3_context* context);

// Keys.

/// A key: an integer, or bytes that belong to the value and are valid as long as it is.
typedef struct key {
    bool is_integer;
    uint64_t number;
    bloomery_slice bytes;
} key;

bool is_null(sqlite3_value* value);
/// The key that a value is; not NULL. False: the call has ended with an error.
bool take_key(sqlite3_context* context, sqlite3_value* value, key* taken);
/// The encoding that an argument names; null: none. False: the call has ended with an error.
bool take_encoding(sqlite3_context* context, sqlite3_value* name, uint32_t* encoding);
/// A key as an array of one for the bulk calls, which know the encodings of other systems. It must
/// stay where it is.
typedef struct encoded_key {
    bloomery_keys keys;
    union {
        int64_t integer;
        double real;
        bloomery_slice bytes;
    } number;
} encoded_key;
/// False: the call has ended with an error.
bool take_encoded(sqlite3_context* context, sqlite3_value* value, uint32_t encoding,
                  encoded_key* taken);

// Filters.

/// The bytes of a value that is to be a filter. False: the call has ended with an error.
bool take_bytes(sqlite3_context* context, sqlite3_value* value, bloomery_slice* bytes);
/// A filter of one's own, to be changed and closed. Null: the call has ended with an error.
bloomery_filter* take_filter(sqlite3_context* context, sqlite3_value* value);
/// Decodes bytes in the native format. *sealed, unless null, becomes whether no writer left them
/// half done. Null: the call has ended with an error.
bloomery_filter* decode_native(sqlite3_context* context, bloomery_slice bytes, bool* sealed);

/// A filter to look at: one's own, or one that the connection keeps.
typedef struct seen_filter {
    const bloomery_filter* filter;
    bloomery_filter* own;
} seen_filter;
/// False: the call has ended with an error.
bool see_filter(sqlite3_context* context, sqlite3_value* value, seen_filter* seen);
void unsee(seen_filter* seen);

/// The most bytes that a value may have.
uint64_t longest_value(sqlite3_context* context);
/// Ends the call with an error if a filter of that many bytes cannot be a value. Returns whether.
bool refuse_longer(sqlite3_context* context, uint64_t bytes);
/// Ends the call with the filter as a blob; null: native.
void give_filter(sqlite3_context* context, const bloomery_filter* filter, const char* format);

/// The text of a value without zeros inside, and null for NULL. False: the call has ended with an
/// error that names `what` the text is.
bool take_text(sqlite3_context* context, sqlite3_value* value, const char* what, const char** text);

/// Puts all keys of another filter into the first, which may be replaced. A filter without keys,
/// such as an aggregate makes of no rows, may be of another size. False: the call has ended with an
/// error.
bool merge_into(sqlite3_context* context, bloomery_filter** into, const bloomery_filter* other);

// Making filters.

/// A number of keys, a rate and a text with options, as bloom_agg and bloom_plan take them; each
/// may be NULL or missing. Without a number, the filter grows. False: the call has ended.
bool make_filter(sqlite3_context* context, int count, sqlite3_value** values,
                 bloomery_filter** made);
/// Reads "layout=split-8x32 seed=7" into options. The text is changed, and must outlive them.
/// Returns a word that is not an option, null if there is none.
const char* parse_options(char* text, bloomery_options* options);

// The functions.

void bloom_new(sqlite3_context* context, int count, sqlite3_value** values);
void bloom_contains(sqlite3_context* context, int count, sqlite3_value** values);
void bloom_add(sqlite3_context* context, int count, sqlite3_value** values);
void bloom_merge(sqlite3_context* context, int count, sqlite3_value** values);
void bloom_intersect(sqlite3_context* context, int count, sqlite3_value** values);
void bloom_count(sqlite3_context* context, int count, sqlite3_value** values);
void bloom_fpp(sqlite3_context* context, int count, sqlite3_value** values);
void bloom_info(sqlite3_context* context, int count, sqlite3_value** values);
void bloom_to(sqlite3_context* context, int count, sqlite3_value** values);
void bloom_from(sqlite3_context* context, int count, sqlite3_value** values);
void bloom_open(sqlite3_context* context, int count, sqlite3_value** values);
void bloom_file(sqlite3_context* context, int count, sqlite3_value** values);
void bloom_agg_step(sqlite3_context* context, int count, sqlite3_value** values);
void bloom_agg_final(sqlite3_context* context);
void bloom_union_step(sqlite3_context* context, int count, sqlite3_value** values);
void bloom_union_final(sqlite3_context* context);

/// Adds bloom_plan and bloom_formats to a connection. Returns SQLite's status.
int add_tables(sqlite3* database);

#endif
