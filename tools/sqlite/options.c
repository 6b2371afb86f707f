// What a new filter is made from: bloom_agg(key, n, p, options).
#include "face.h"

#include <stdlib.h>

/// A filter without a number of keys begins with this many and grows.
enum { first_layer_items = 10000 };
static const double usual_rate = 0.01;

static bool is_number(const char* text, uint64_t* number) {
    char* end = NULL;
    if (*text < '0' || *text > '9') return false;
    *number = strtoull(text, &end, 10);
    return *end == '\0';
}

/// One option, "name=value". False if it is not one.
static bool parse_option(const char* name, const char* value, bloomery_options* options) {
    uint64_t number = 0;
    if (strcmp(name, "layout") == 0) return options->layout = value, true;
    if (strcmp(name, "kind") == 0) return options->kind = value, true;
    if (strcmp(name, "format") == 0) return options->format = value, true;
    if (!is_number(value, &number)) return false;
    if (strcmp(name, "seed") == 0) return options->seed = number, true;
    if (strcmp(name, "bits") == 0) return options->bits = number, true;
    if (strcmp(name, "bytes") == 0) return options->bytes = number, true;
    if (strcmp(name, "hashes") == 0 && number <= UINT32_MAX) {
        return options->hashes = (uint32_t)number, true;
    }
    return false;
}

const char* parse_options(char* text, bloomery_options* options) {
    while (*text != '\0') {
        char* const word = text;
        text += strcspn(text, " ");
        if (*text != '\0') *text++ = '\0';
        if (*word == '\0') continue;
        char* const equals = strchr(word, '=');
        if (equals == NULL) return word;
        *equals = '\0';
        const bool known = parse_option(word, equals + 1, options);
        *equals = '=';
        if (!known) return word;
    }
    return NULL;
}

static bool take_items(sqlite3_context* context, sqlite3_value* value, uint64_t* items) {
    if (is_null(value)) return true;
    const int64_t given = sqlite3_value_int64(value);
    if (sqlite3_value_numeric_type(value) != SQLITE_INTEGER || given < 0) {
        fail(context, "n is a number of keys, an integer; it is NULL for a filter that grows");
        return false;
    }
    *items = given == 0 ? 1 : (uint64_t)given; // an empty table has no keys, but has a filter
    return true;
}

static bool take_rate(sqlite3_context* context, sqlite3_value* value, double* rate) {
    if (is_null(value)) return true;
    const int type = sqlite3_value_numeric_type(value);
    *rate = sqlite3_value_double(value);
    if ((type == SQLITE_FLOAT || type == SQLITE_INTEGER) && *rate > 0 && *rate < 1) return true;
    fail(context, "p is a false-positive rate between 0 and 1, such as 0.01");
    return false;
}

/// A copy of the options as a text, to be freed; null for none.
static bool take_words(sqlite3_context* context, sqlite3_value* value, char** words) {
    const char* text;
    if (!take_text(context, value, "the options", &text)) return false;
    *words = text == NULL ? NULL : sqlite3_mprintf("%s", text);
    if (text == NULL || *words != NULL) return true;
    sqlite3_result_error_nomem(context);
    return false;
}

static void use_defaults(bloomery_options* options) {
    const bool sized = options->bits != 0 || options->bytes != 0;
    if (options->items == 0 && !sized) {
        options->items = first_layer_items;
        if (options->kind == NULL && options->format == NULL) options->kind = "scalable";
    }
    if (options->rate == 0 && !(sized && options->items != 0) && options->hashes == 0) {
        options->rate = usual_rate;
    }
}

/// Ends the call with an error if a filter is known to be too large before it is made.
static bool refuse_planned(sqlite3_context* context, const bloomery_options* options) {
    bloomery_plan plan = bloomery_plan_init();
    plan.bytes = options->bytes > options->bits / 8 ? options->bytes : options->bits / 8;
    const bool is_plannable =
        options->items != 0 && options->kind == NULL && options->format == NULL;
    return (is_plannable && failed(context, bloomery_plan_for(options, &plan))) ||
           refuse_longer(context, plan.bytes);
}

static bool make(sqlite3_context* context, bloomery_options* options, bloomery_filter** made) {
    use_defaults(options);
    return !refuse_planned(context, options) && !failed(context, bloomery_new_with(options, made));
}

bool make_filter(sqlite3_context* context, int count, sqlite3_value** values,
                 bloomery_filter** made) {
    bloomery_options options = bloomery_options_init();
    char* words = NULL;
    *made = NULL;
    if ((count > 0 && !take_items(context, values[0], &options.items)) ||
        (count > 1 && !take_rate(context, values[1], &options.rate)) ||
        (count > 2 && !take_words(context, values[2], &words))) {
        return false;
    }
    const char* const unknown = words == NULL ? NULL : parse_options(words, &options);
    if (unknown != NULL) {
        fail(context,
             "'%s' is not an option; write name=value with a space between two of them: layout, "
             "kind, seed, bits, bytes, hashes, format",
             unknown);
    }
    const bool done = unknown == NULL && make(context, &options, made);
    sqlite3_free(words);
    return done;
}
