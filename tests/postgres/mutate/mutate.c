// For tests only: damaged filters, given to the functions as if they had been stored like that.
#include <postgres.h>

#include <fmgr.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define EXPORT __attribute__((visibility("default")))

extern EXPORT const Pg_magic_struct* Pg_magic_func(void);
PG_MODULE_MAGIC;

extern EXPORT Datum mutated(PG_FUNCTION_ARGS);
extern EXPORT const Pg_finfo_record* pg_finfo_mutated(void);
PG_FUNCTION_INFO_V1(mutated);

// Of the prefix of a value (tools/postgres/src/value.h) and of the native file (docs/format.md).
enum { mark_size = 4, fingerprint_size = 32, prefix_size = mark_size + fingerprint_size };
enum { header_size = 4096, header_sum_at = 2552, chunk_size = 4096 };

static uint64 state;

/// splitmix64
static uint64 next(void) {
    uint64 x = state += UINT64CONST(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64CONST(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64CONST(0x94D049BB133111EB);
    return x ^ (x >> 31);
}
static uint64 below(uint64 bound) { return next() % bound; }

static uint64 odd_number(void) {
    static const uint64 odd[] = {0,          1,          2,         7,     8,     63,
                                 64,         255,        256,       65535, 65536, INT_MAX,
                                 UINT32_MAX, UINT64_MAX, INT64_MAX, 512};
    const uint64 made = odd[below(lengthof(odd))];
    switch (below(4)) {
    case 0:
        return made + below(3) - 1;
    case 1:
        return UINT64CONST(1) << below(64);
    default:
        return made;
    }
}

/// One change, mostly where the fields are.
static void change(uint8* file, size_t size) {
    static const int widths[] = {1, 2, 4, 8};
    const int width = widths[below(lengthof(widths))];
    const uint64 number = odd_number();
    size_t at = below(8) == 0 ? below(size) : below(Min(size, 160));
    if (below(3) != 0 && size > header_size) at = header_size + below(Min(size - header_size, 400));
    if (below(2) == 0) {
        file[at] ^= (uint8)(1 << below(8));
        return;
    }
    at -= at % width;
    if (at + width <= size) memcpy(file + at, &number, width);
}

static void put(uint8* to, uint64 number) { memcpy(to, &number, sizeof number); }

static uint64 ones_in(const uint8* bytes, uint64 size) {
    uint64 count = 0;
    for (uint64 i = 0; i < size; ++i) count += (uint64)__builtin_popcount(bytes[i]);
    return count;
}

/// Makes the checksums and the number of ones right again, so that what they protect is looked at.
static void repair(uint8* file, size_t size) {
    uint64 payload;
    uint64 header_sum;
    if (size < header_size) return;
    header_sum = XXH3_64bits_withSeed(file, header_sum_at, 0);
    put(file + header_sum_at, header_sum);
    memcpy(&payload, file + 64, sizeof payload);
    payload = Min(payload, size - header_size);
    for (int slot = 2560; slot <= 3072; slot += 512) {
        put(file + slot + 16, ones_in(file + header_size, payload));
        put(file + slot + 56, XXH3_64bits_withSeed(file + slot, 56, header_sum));
    }
    for (uint64 chunk = 0; chunk * chunk_size < payload; ++chunk) {
        const uint64 start = header_size + chunk * chunk_size;
        const uint64 sum_at = header_size + payload + chunk * 8;
        const uint64 bytes = Min(chunk_size, payload - chunk * chunk_size);
        if (sum_at + 8 > size) return;
        put(file + sum_at, XXH3_64bits_withSeed(file + start, bytes, chunk + 1));
    }
}

/// mutated(file bytea, seed bigint): the same result for the same arguments.
Datum mutated(PG_FUNCTION_ARGS) {
    const bytea* const file = PG_GETARG_BYTEA_PP(0);
    const size_t size = VARSIZE_ANY_EXHDR(file);
    size_t made_size = size;
    state = (uint64)PG_GETARG_INT64(1) * UINT64CONST(0xD1342543DE82EF95);
    if (below(32) == 0) made_size = below(size + 64);
    uint8* const made = palloc0(VARHDRSZ + prefix_size + made_size);
    uint8* const bytes = made + VARHDRSZ + prefix_size;
    SET_VARSIZE(made, VARHDRSZ + prefix_size + made_size);
    memcpy(made + VARHDRSZ, "BLM\1", mark_size);
    put(made + VARHDRSZ + mark_size, next()); // a fingerprint that no other has
    memcpy(bytes, VARDATA_ANY(file), Min(size, made_size));
    if (made_size > 0) {
        for (uint64 i = 1 + below(2); i > 0; --i) change(bytes, made_size);
    }
    if (below(8) != 0) repair(bytes, made_size);
    if (below(1000) == 0) made[VARHDRSZ + below(prefix_size)] ^= 1;
    PG_RETURN_POINTER(made);
}
