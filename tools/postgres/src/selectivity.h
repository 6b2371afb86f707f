// How many rows pass a filter.
#ifndef BLOOMERY_POSTGRES_SELECTIVITY_H
#define BLOOMERY_POSTGRES_SELECTIVITY_H

#include <postgres.h>

#include <nodes/pathnodes.h>

/// The share of rows for which "filter contains key" is true, from 0 to 1. `args` are the filter
/// and the key, or the key and the filter if key_first.
double bloom_selectivity(PlannerInfo* root, List* args, int table, bool key_first);

#endif
