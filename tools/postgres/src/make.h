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

/// A filter from the arguments n, p and options of a call, as many as there are, from the given one
/// on; null means that it was left out. Raises an error for what is not possible, or is larger than
/// allowed.
void bloom_make(bloom_handle* into, FunctionCallInfo call, int first);
/// The same for a filter that parallel workers make: Bloom filters that do not grow can be merged.
void bloom_make_parallel(bloom_handle* into, FunctionCallInfo call, int first);
/// A filter from options only, which are changed; without a number of keys it grows.
void bloom_make_serial(bloom_handle* into, char* options);

#endif
