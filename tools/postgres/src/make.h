// New filters.
#ifndef BLOOMERY_POSTGRES_MAKE_H
#define BLOOMERY_POSTGRES_MAKE_H

#include "handle.h"

#include <fmgr.h>

#define BLOOM_USUAL_RATE 0.01
/// How many keys the first layer of a filter that grows is for.
#define BLOOM_FIRST_KEYS 10000

/// What a filter for that many keys would be. Raises an error for what is not possible.
bloomery_plan bloom_plan_of(int64 items, double rate);

/// A filter that grows.
void bloom_make_growing(bloom_handle* into);

/// A filter from the arguments n, p and options of a call, as many as there are, from the given one
/// on. Raises an error for what is not possible, or is larger than allowed.
void bloom_make_from(bloom_handle* into, FunctionCallInfo call, int first, bool any_kind);

#endif
