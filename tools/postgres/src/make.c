#include "make.h"

#include "errors.h"
#include "limits.h"

#include <utils/builtins.h>

/// One option of several, "name=value", separated by commas.
static void take_option(char* text, bloomery_options* to) {
    char* const equals = strchr(text, '=');
    char* end = NULL;
    if (equals != NULL) *equals = '\0';
    if (equals != NULL && strcmp(text, "layout") == 0) {
        to->layout = equals + 1;
    } else if (equals != NULL && strcmp(text, "seed") == 0) {
        errno = 0;
        to->seed = strtoull(equals + 1, &end, 10);
        if (errno != 0 || equals[1] < '0' || equals[1] > '9' || *end != '\0') {
            ereport(ERROR, errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("\"%s\" is not a seed", equals + 1),
                    errhint("A seed is a number from 0 to 18446744073709551615."));
        }
    } else {
        ereport(ERROR, errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                errmsg("unknown option \"%s\"", text),
                errhint("The options are layout and seed: 'layout=split-8x32,seed=7'."));
    }
}

static void take_options(char* text, bloomery_options* to) {
    while (text != NULL && *text != '\0') {
        char* const comma = strchr(text, ',');
        if (comma != NULL) *comma = '\0';
        take_option(text, to);
        text = comma == NULL ? NULL : comma + 1;
    }
}

static void require_items(int64 items) {
    if (items > 0) return;
    ereport(ERROR, errcode(ERRCODE_INVALID_PARAMETER_VALUE),
            errmsg("the number of keys must be positive, not %lld", (long long)items));
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
    how.items = (uint64)items;
    how.rate = rate;
    return how;
}

bloomery_plan bloom_plan_of(int64 items, double rate) {
    const bloomery_options how = options_for(items, rate);
    bloomery_plan plan = bloomery_plan_init();
    bloom_require(bloomery_plan_for(&how, &plan));
    return plan;
}

static void make(bloom_handle* into, const bloomery_options* how) {
    bloomery_plan plan = bloomery_plan_init();
    bloom_require(bloomery_plan_for(how, &plan)); // before anything is allocated
    bloom_require_size(plan.bytes);
    bloom_require(bloomery_new_with(how, &into->filter));
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

void bloom_make_from(bloom_handle* into, FunctionCallInfo fcinfo, int first) {
    const int count = PG_NARGS() - first;
    if (PG_ARGISNULL(first)) {
        refuse_null("the number of keys", "Leave it out for a filter that grows: bloom_agg(key).");
    }
    if (count > 1 && PG_ARGISNULL(first + 1)) {
        refuse_null("the false-positive rate", "Leave it out for the default, 0.01.");
    }
    const double rate = count > 1 ? PG_GETARG_FLOAT8(first + 1) : BLOOM_USUAL_RATE;
    bloomery_options how = options_for(PG_GETARG_INT64(first), rate);
    if (count > 2 && !PG_ARGISNULL(first + 2)) {
        take_options(text_to_cstring(PG_GETARG_TEXT_PP(first + 2)), &how);
    }
    make(into, &how);
}
