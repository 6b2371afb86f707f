#include "make.h"

#include "errors.h"
#include "limits.h"

#include <utils/builtins.h>
#include <utils/float.h>

static void refuse_option(const char* option) {
    ereport(ERROR, errcode(ERRCODE_INVALID_PARAMETER_VALUE),
            errmsg("unknown option \"%s\"", option),
            errhint("Write name=value, with a space between two of them, such as "
                    "'layout=split-8x32 seed=7'. The names are items, rate, layout, seed, bits, "
                    "bytes, hashes, kind and format."));
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

static void take_number(const char* name, const char* value, bloomery_options* to) {
    if (strcmp(name, "items") == 0) {
        to->items = number_in(name, value);
    } else if (strcmp(name, "seed") == 0) {
        to->seed = number_in(name, value);
    } else if (strcmp(name, "bits") == 0) {
        to->bits = number_in(name, value);
    } else if (strcmp(name, "bytes") == 0) {
        to->bytes = number_in(name, value);
    } else if (strcmp(name, "hashes") == 0) {
        to->hashes = (uint32)Min(number_in(name, value), PG_UINT32_MAX);
    } else if (strcmp(name, "rate") == 0) {
        to->rate = float8in_internal((char*)value, NULL, "double precision", value);
        require_rate(to->rate);
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

bloomery_plan bloom_plan_of(int64 items, double rate) {
    bloomery_options how = bloomery_options_init();
    bloomery_plan plan = bloomery_plan_init();
    require_items(items);
    require_rate(rate);
    how.items = (uint64)Max(items, 1);
    how.rate = rate;
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

/// What was not said: a filter without a number of keys grows, and the rate is 1 %.
static void use_defaults(bloomery_options* how) {
    const bool sized = how->bits != 0 || how->bytes != 0;
    if (how->items == 0 && !sized) {
        how->items = BLOOM_FIRST_KEYS;
        if (how->kind == NULL && how->format == NULL) how->kind = "scalable";
    }
    if (how->rate == 0 && !(sized && how->items != 0) && how->hashes == 0) {
        how->rate = BLOOM_USUAL_RATE;
    }
}

static void take_arguments(FunctionCallInfo fcinfo, int first, bloomery_options* how) {
    if (!PG_ARGISNULL(first)) {
        require_items(PG_GETARG_INT64(first));
        how->items = (uint64)Max(PG_GETARG_INT64(first), 1); // that of an empty table is 0
    }
    if (PG_NARGS() > first + 1 && !PG_ARGISNULL(first + 1)) {
        how->rate = PG_GETARG_FLOAT8(first + 1);
        require_rate(how->rate);
    }
    if (PG_NARGS() > first + 2 && !PG_ARGISNULL(first + 2)) {
        take_options(text_to_cstring(PG_GETARG_TEXT_PP(first + 2)), how);
    }
}

void bloom_make(bloom_handle* into, FunctionCallInfo call, int first) {
    bloomery_options how = bloomery_options_init();
    take_arguments(call, first, &how);
    use_defaults(&how);
    make(into, &how);
}

void bloom_make_parallel(bloom_handle* into, FunctionCallInfo call, int first) {
    bloomery_options how = bloomery_options_init();
    take_arguments(call, first, &how);
    if (how.items == 0 && how.bits == 0 && how.bytes == 0) {
        ereport(ERROR, errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                errmsg("the number of keys must not be null"),
                errhint("For a filter that grows, leave it out: bloom_agg(key), or bloom_agg(key, "
                        "'rate=0.001') for another rate."));
    }
    if (how.kind != NULL && strcmp(how.kind, "bloom") != 0) {
        ereport(ERROR, errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                errmsg("a filter of the kind \"%s\" cannot be made in parallel", how.kind),
                errhint("Pass everything as options: bloom_agg(key, 'kind=counting items=1000')."));
    }
    use_defaults(&how);
    make(into, &how);
}

void bloom_make_serial(bloom_handle* into, char* options) {
    bloomery_options how = bloomery_options_init();
    take_options(options, &how);
    use_defaults(&how);
    make(into, &how);
}
