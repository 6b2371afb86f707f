// Functions that SQL can call. Everything else in the module is hidden: the server loads modules so
// that one could use the functions of another of the same name.
#ifndef BLOOMERY_POSTGRES_FUNCTION_H
#define BLOOMERY_POSTGRES_FUNCTION_H

#include <postgres.h>

#include <fmgr.h>

#define BLOOM_EXPORT __attribute__((visibility("default")))

#define BLOOM_FUNCTION(name)                                                                       \
    extern BLOOM_EXPORT Datum name(PG_FUNCTION_ARGS);                                              \
    extern BLOOM_EXPORT const Pg_finfo_record* pg_finfo_##name(void);                              \
    PG_FUNCTION_INFO_V1(name)

#endif
