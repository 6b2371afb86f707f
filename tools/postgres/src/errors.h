// Errors of the library as errors of the server.
#ifndef BLOOMERY_POSTGRES_ERRORS_H
#define BLOOMERY_POSTGRES_ERRORS_H

#include <postgres.h>

#include <bloomery.h>

/// Raises the last error of the library. No frame of the library may be below the caller.
void bloom_raise(bloomery_status status) pg_attribute_noreturn();

/// Raises an error unless a call of the library succeeded.
static inline void bloom_require(bloomery_status status) {
    if (unlikely(status != BLOOMERY_OK)) bloom_raise(status);
}

/// The same for bytes that come from outside, which are wrong and not corrupted.
void bloom_require_input(bloomery_status status);

#endif
