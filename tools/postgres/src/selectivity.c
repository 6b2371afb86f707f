#include "selectivity.h"

#include "errors.h"
#include "function.h"
#include "value.h"

#include <access/htup_details.h>
#include <catalog/pg_statistic.h>
#include <math.h>
#include <optimizer/optimizer.h>
#include <utils/selfuncs.h>
#include <utils/syscache.h>

/// For a filter that is not known yet: that of a range that is open at one end.
#define UNKNOWN_SELECTIVITY DEFAULT_INEQ_SEL

BLOOM_FUNCTION(bloom_contains_selectivity);
BLOOM_FUNCTION(bloom_contained_in_selectivity);

/// The keys in a filter and its rate.
static bloomery_statistics statistics_in(Datum value) {
    bloom_handle* const filter = bloom_filter_in(value);
    bloomery_statistics told = bloomery_statistics_init();
    bloom_require(bloomery_statistics_of(filter->filter, &told));
    bloom_close(filter);
    return told;
}

static double null_share(const VariableStatData* column) {
    if (!HeapTupleIsValid(column->statsTuple)) return 0;
    return ((Form_pg_statistic)GETSTRUCT(column->statsTuple))->stanullfrac;
}

/// The keys in the filter are assumed to be in the column too, as for a semi-join. The others pass
/// at the rate of the filter.
static double share_of(const bloomery_statistics* filter, VariableStatData* column) {
    bool is_guess = false;
    const double distinct = Max(1, get_variable_numdistinct(column, &is_guess));
    const double members = is_guess ? UNKNOWN_SELECTIVITY : Min(1, filter->items / distinct);
    const double rate = filter->expected_rate;
    return (members + (1 - members) * rate) * (1 - null_share(column));
}

double bloom_selectivity(PlannerInfo* root, List* args, int table, bool key_first) {
    VariableStatData column;
    Node* other = NULL;
    bool column_first = false;
    double share = UNKNOWN_SELECTIVITY;
    if (!get_restriction_variable(root, args, table, &column, &other, &column_first)) return share;
    const bool is_filter = column_first == key_first; // otherwise the column is the filter
    if (is_filter && IsA(other, Const)) {
        const Const* const constant = castNode(Const, other);
        share = 0;
        if (!constant->constisnull) {
            const bloomery_statistics known = statistics_in(constant->constvalue);
            share = share_of(&known, &column);
        }
    }
    ReleaseVariableStats(column);
    return isnan(share) ? UNKNOWN_SELECTIVITY : Min(1, Max(0, share));
}

// The restriction estimators of @> and <@.

static Datum estimate(FunctionCallInfo fcinfo, bool key_first) {
    PlannerInfo* const root = (PlannerInfo*)PG_GETARG_POINTER(0);
    List* const args = (List*)PG_GETARG_POINTER(2);
    PG_RETURN_FLOAT8(bloom_selectivity(root, args, PG_GETARG_INT32(3), key_first));
}

Datum bloom_contains_selectivity(PG_FUNCTION_ARGS) { return estimate(fcinfo, false); }

Datum bloom_contained_in_selectivity(PG_FUNCTION_ARGS) { return estimate(fcinfo, true); }
