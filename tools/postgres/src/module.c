// The extension as the server loads it.
#include "cache.h"
#include "function.h"
#include "limits.h"

extern BLOOM_EXPORT const Pg_magic_struct* Pg_magic_func(void);
PG_MODULE_MAGIC;

extern BLOOM_EXPORT void _PG_init(void);

void _PG_init(void) {
    bloom_define_limits();
    bloom_watch_transactions();
}
