#include "make.h"

#include "errors.h"
#include "limits.h"

#include <utils/builtins.h>

static void refuse_option(const char* option) {
    ereport(ERROR, errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("unknown option \"%s\"", option),
            errhint("Write name=value, with a space between two of them, such as "
                    "'layout=split-8x32 seed=7'. The names are layout, seed, bits, bytes, hashes, "
                    "format and, for bloom_new, kind."));
}

static uint64 number_in(const char* option, const char* value) {
    char* end = NULL;
    errno = 0;
    const uint64 number = strtoull(value, &end, 10);
    if (errno != 0 || *value < '0' || *value > '9' || *end != '\0') {
        ereport(ERROR, errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                errmsg("the option %s needs a number, not \"%s\"", option, value));
    }
    return number;
}

static void take_number(const char* name, const char* value, bloomery_options* to) {
    if (strcmp(name, "seed") == 0) {
        to->seed = number_in(name, value);
    } else if (strcmp(name, "bits") == 0) {
        to->bits = number_in(name, value);
    } else if (strcmp(name, "bytes") == 0) {
        to->bytes = number_in(name, value);
    } else if (strcmp(name, "hashes") == 0) {
        to->hashes = (uint32)Min(number_in(name, value), PG_UINT32_MAX);
    } else {
        refuse_option(name);
    }
}

static void take_option(char* option, bloomery_options* to) {
    char* const equals = strchr(option, '=');
    if (equals == NULL) refuse_option(option);
    *equals = '\0';
    if (strcmp(option, "layout") == 0) {
        to->layout = equals + 1;
    } else if (strcmp(option, "kind") == 0) {
        to->kind = equals + 1;
    } else if (strcmp(option, "format") == 0) {
        to->format = equals + 1;
    } else {
        take_number(option, equals + 1, to);
    }
}

/// Options are words "name=value".
static void take_options(char* text, bloomery_options* to) {
    for (char* word = strtok_r(text, " ", &text); word != NULL; word = strtok_r(NULL, " ", &text)) {
        take_option(word, to);
    }
}

static void require_items(int64 items) {
    if (items >= 0) return;
    ereport(ERROR, errcode(ERRCODE_INVALID_PARAMETER_VALUE),
            errmsg("the number of keys must not be negative, but is %lld", (long long)items));
}

static void require_rate(double rate) {
    if (rate > 0 && rate < 1) return;
    ereport(ERROR, errcode(ERRCODE_INVALID_PARAMETER_VALUE),
            errmsg("the false-positive rate must be between 0 and 1, not %g", rate),
            errhint("1 %% is 0.01."));
}

static bloomery_options options_for(int64 items, double rate) {
    bloomery_options how = bloomery_options_init();
    require_items(items);
    require_rate(rate);
    how.items = (uint64)Max(items, 1); // that of an empty table is 0
    how.rate = rate;
    return how;
}

bloomery_plan bloom_plan_of(int64 items, double rate) {
    const bloomery_options how = options_for(items, rate);
    bloomery_plan plan = bloomery_plan_init();
    bloom_require(bloomery_plan_for(&how, &plan));
    return plan;
}

/// Only of a Bloom filter is the size known before it is made; others have limits of their own.
static void make(bloom_handle* into, const bloomery_options* how) {
    bloomery_plan plan = bloomery_plan_init();
    if (how->kind == NULL && how->format == NULL) {
        bloom_require(bloomery_plan_for(how, &plan));
        bloom_require_size(plan.bytes);
    }
    bloom_require(bloomery_new_with(how, &into->filter));
    bloom_require_small(into->filter);
}

void bloom_make_growing(bloom_handle* into) {
    bloomery_options how = bloomery_options_init();
    how.items = BLOOM_FIRST_KEYS;
    how.rate = BLOOM_USUAL_RATE;
    how.kind = "scalable";
    bloom_require(bloomery_new_with(&how, &into->filter));
}

static void refuse_null(const char* what, const char* hint) {
    ereport(ERROR, errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("%s must not be null", what),
            errhint("%s", hint));
}

static void require_arguments(FunctionCallInfo fcinfo, int first) {
    const int count = PG_NARGS() - first;
    if (PG_ARGISNULL(first)) {
        refuse_null("the number of keys", "Leave it out for a filter that grows: bloom_agg(key).");
    }
    if (count > 1 && PG_ARGISNULL(first + 1)) {
        refuse_null("the false-positive rate", "Leave it out for the default, 0.01.");
    }
}

void bloom_make_from(bloom_handle* into, FunctionCallInfo fcinfo, int first, bool any_kind) {
    const int count = PG_NARGS() - first;
    require_arguments(fcinfo, first);
    const double rate = count > 1 ? PG_GETARG_FLOAT8(first + 1) : BLOOM_USUAL_RATE;
    bloomery_options how = options_for(PG_GETARG_INT64(first), rate);
    if (count > 2 && !PG_ARGISNULL(first + 2)) {
        take_options(text_to_cstring(PG_GETARG_TEXT_PP(first + 2)), &how);
    }
    if (how.bits != 0 || how.bytes != 0) how.rate = 0; // it follows from these
    if (how.kind != NULL && !any_kind) {
        ereport(ERROR, errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                errmsg("bloom_agg makes Bloom filters only, not \"%s\"", how.kind),
                errhint("In most other kinds, the bytes depend on the order of the keys. Make one "
                        "with bloom_new, and add keys with bloom_add."));
    }
    make(into, &how);
}
