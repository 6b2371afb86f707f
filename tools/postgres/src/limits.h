// How large a filter may become. The library allocates outside the server's memory contexts, which
// work_mem and other settings do not limit.
#ifndef BLOOMERY_POSTGRES_LIMITS_H
#define BLOOMERY_POSTGRES_LIMITS_H

#include <postgres.h>

#include <bloomery.h>

/// The largest value: as hexadecimal text it must fit into the gigabyte that the server allows for
/// a row, or nobody could dump it.
#define BLOOM_LARGEST_VALUE ((uint64)500 << 20)

/// Defines bloomery.max_filter_size.
void bloom_define_limits(void);
/// Its value in bytes.
uint64 bloom_limit(void);
/// Raises an error if a filter of so many bytes may not be made.
void bloom_require_size(uint64 bytes);
/// The same for a filter that exists, and may have grown.
void bloom_require_small(const bloomery_filter* filter);
/// How values are read: in the native format, and claiming no more memory than is allowed.
bloomery_read_options bloom_native_reading(void);

#endif
