// Bloom filters for C, and for every language that can call C.
//
//     bloomery_filter *seen;
//     if (bloomery_new(1000000, 0.01, &seen) != BLOOMERY_OK) {
//         fprintf(stderr, "%s\n", bloomery_last_error());
//     }
//
// Errors. Every function that can fail returns a bloomery_status, 0 for success.
// bloomery_last_error() returns a sentence that explains the last error of the calling thread. A
// function that fails changes no filter and no file unless its description says otherwise. Null
// pointers and malformed structures give BLOOMERY_BAD_ARGUMENT. No C++ exception leaves the
// library.
//
// Outputs. After a failure, output pointers are null, numbers and digests 0, flags false and
// answers "maybe"; outcomes and structures are as they were. Bitmaps and arrays: see the functions.
//
// Answers. "No" is certain, "maybe" is not. A query that fails answers "maybe", so that a key that
// was inserted is never denied.
//
// Memory. Close a filter with bloomery_close, and free strings and bytes that the library allocated
// for you with bloomery_free_memory: never one with the other. A string returned as const char*
// belongs to the library and stays valid, except that of bloomery_last_error().
//
// Structures begin with struct_size, which must be the size of the structure; the functions
// bloomery_..._init set it. Later versions may add fields at the end or instead of reserved bytes,
// where zero means what this version does. Reserved bytes must be 0, and the library sets them to
// 0.
//
// Threads. Any number of threads may call functions that take a const bloomery_filter at once. A
// call that changes a filter must be the only call on it, unless it goes through a handle of
// bloomery_shared. Different filters are independent.
//
// Callbacks are called in the calling thread, before the function returns. They must return: they
// must not throw a C++ exception, and must not leave by longjmp.
//
// Versions. As long as BLOOMERY_C_ABI stays the same, functions keep their names and meanings, and
// new ones may be added. In the shared library they have the symbol version BLOOMERY_0.
//
// Sizes that the library returns are uint64_t; those of memory that you pass are size_t. Strings
// are UTF-8 and null-terminated unless a size is passed with them. See docs/c.md.
#ifndef BLOOMERY_H
#define BLOOMERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(_WIN32)
#define BLOOMERY_C_EXPORT
#else
#define BLOOMERY_C_EXPORT __attribute__((visibility("default")))
#endif

/// For functions whose result must not be ignored.
#if defined(__GNUC__)
#define BLOOMERY_C_CHECKED __attribute__((warn_unused_result))
#else
#define BLOOMERY_C_CHECKED
#endif

#define BLOOMERY_C_API BLOOMERY_C_EXPORT BLOOMERY_C_CHECKED

#ifdef __cplusplus
extern "C" {
#endif

/// The version of this interface. It changes only if programs must be compiled again.
#define BLOOMERY_C_ABI 0

// Versions.

/// The version of the library in use, such as "0.1.0", and of its interface.
BLOOMERY_C_EXPORT const char* bloomery_version(void);
BLOOMERY_C_EXPORT uint32_t bloomery_abi(void);

/// The instructions that bulk calls use: "scalar", "neon", "avx2", "avx512" or
/// "avx512_vbmi".
BLOOMERY_C_EXPORT const char* bloomery_kernel(void);

// Errors.

typedef enum bloomery_status {
    BLOOMERY_OK = 0,
    BLOOMERY_BAD_ARGUMENT = 1,    ///< a value, pointer or structure that cannot be used
    BLOOMERY_INCOMPATIBLE = 2,    ///< two filters that cannot be combined
    BLOOMERY_MEMORY_REFUSED = 3,  ///< more memory than a limit or the system allows
    BLOOMERY_CLAIM_REFUSED = 4,   ///< a file asks for more memory than it carries bits
    BLOOMERY_BAD_DATA = 5,        ///< bytes that are not a filter: damaged, truncated, or never one
    BLOOMERY_UNSEALED = 6,        ///< a file whose last writer died, and you asked to refuse those
    BLOOMERY_UNSUPPORTED = 7,     ///< a version, kind or hash that is not known, or a kind's limit
    BLOOMERY_NO_PLACE = 8,        ///< a key that another system's filter cannot hold
    BLOOMERY_FILTER_FULL = 9,     ///< no room is left, and the filter does not grow
    BLOOMERY_GROWTH_REFUSED = 10, ///< it would grow by more than the limits allow
    BLOOMERY_IO_ERROR = 11,       ///< the system refused; see bloomery_last_system_error
    BLOOMERY_OUT_OF_MEMORY = 12,
    BLOOMERY_STOPPED = 13,  ///< a callback asked to stop
    BLOOMERY_INTERNAL = 14, ///< a bug in the library: please report it
    /// Not a status: it makes the type 32 bits wide for every compiler, also with -fshort-enums.
    BLOOMERY_STATUS_MAX = 0x7fffffff
} bloomery_status;

/// What went wrong in the last failed call of this thread; "" if none has failed. Valid until the
/// next failed call of this thread.
BLOOMERY_C_EXPORT const char* bloomery_last_error(void);
/// Its status, and the system's errno if that was BLOOMERY_IO_ERROR, 0 otherwise.
BLOOMERY_C_EXPORT bloomery_status bloomery_last_status(void);
BLOOMERY_C_EXPORT int bloomery_last_system_error(void);
/// The index of the key at which that call stopped, if it was a call for many keys; BLOOMERY_NO_KEY
/// if it was not, or if it failed before it came to a key. A call that inserts or erases keys has
/// done so with all keys before it and none from it on, except that after BLOOMERY_OUT_OF_MEMORY
/// some of those from it on may be in.
BLOOMERY_C_EXPORT uint64_t bloomery_last_key_index(void);
#define BLOOMERY_NO_KEY UINT64_MAX

/// "ok", "bad_argument", ...; "unknown" for any other number.
BLOOMERY_C_EXPORT const char* bloomery_status_name(bloomery_status status);

/// Frees a string or bytes that the library allocated for the caller. Null is allowed. Not for
/// filters: bloomery_close closes those, and passing one to this function corrupts the heap.
BLOOMERY_C_EXPORT void bloomery_free_memory(void* memory);

// Making filters.

/// A filter of any kind: in memory, or mapped from a file.
typedef struct bloomery_filter bloomery_filter;

/// The bytes of a secret.
#define BLOOMERY_SECRET_SIZE 16

/// What a new filter is made from. Leave zero or null what you do not specify. Sufficient are items
/// (with a rate, by default 1 %, or with bytes or bits), or bits and hashes, or a rate and bytes or
/// bits.
typedef struct bloomery_options {
    size_t struct_size;
    uint64_t items;  ///< the number of distinct keys
    double rate;     ///< the false-positive rate with that many keys
    uint64_t bytes;  ///< memory
    uint64_t bits;   ///< or the size of the array in bits
    uint32_t hashes; ///< probes per key; 0: the best number
    bool foldable;   ///< at a size that bloomery_fold can shrink to fit the keys that came
    uint8_t reserved[3];
    uint64_t seed;         ///< different seeds: different false positives
    const uint8_t* secret; ///< BLOOMERY_SECRET_SIZE bytes: a keyed hash, for keys that an adversary
                           ///< chooses
    const char* layout;    ///< one of bloomery_layout_name; null: the planner's choice
    const char* kind;      ///< "bloom" (null), "counting,bits=8", "window,span=24h", ...
    const char* format;    ///< a filter of another system: "guava", "redisson", ...; null: ours
} bloomery_options;

/// Makes a filter for this many distinct keys at this rate. The planner chooses its layout.
BLOOMERY_C_API bloomery_status bloomery_new(uint64_t items, double rate, bloomery_filter** made);

/// Makes a filter from options. A kind other than bloom takes items and rate only; a filter of
/// another system is sized by that system's formula from items and rate, or from bits and hashes.
BLOOMERY_C_API bloomery_status bloomery_new_with(const bloomery_options* options,
                                                 bloomery_filter** made);

/// An empty filter that can be merged with another: the same except for its keys.
BLOOMERY_C_API bloomery_status bloomery_new_like(const bloomery_filter* other,
                                                 bloomery_filter** made);

/// A copy in memory, even if the source is mapped.
BLOOMERY_C_API bloomery_status bloomery_copy(const bloomery_filter* source, bloomery_filter** made);

/// A second handle on a filter, with which any number of threads may insert keys and query them at
/// the same time: bloomery_insert, bloomery_try_insert and bloomery_may_contain with their _u64 and
/// _many variants. No insert is lost. Once an insert has returned, every thread that knows this
/// gets the answer "maybe"; if threads insert the same new key at the same time, at least one is
/// told that it was new. Threads may use one shared handle or one each. It also answers
/// bloomery_info_of, bloomery_rate_at and the functions for digests; the others return
/// BLOOMERY_UNSUPPORTED.
///
/// While threads insert, the first handle may be used only for what is in that last list. As long
/// as a shared handle is open, the calls that replace the filter or its bits, which are
/// bloomery_clear, bloomery_merge, bloomery_intersect, bloomery_fold and bloomery_add_exceptions,
/// return BLOOMERY_BAD_ARGUMENT. When the threads are done, the first handle has all keys, to be
/// saved or counted. Close each handle; the filter ends with the last of them, in any order. O(1).
/// BLOOMERY_UNSUPPORTED unless bloomery_info.can_share.
BLOOMERY_C_API bloomery_status bloomery_shared(bloomery_filter* filter, bloomery_filter** shared);

/// Ends a filter; a mapped one is synced if that works, so call bloomery_sync before to know. Null
/// is fine.
BLOOMERY_C_EXPORT void bloomery_close(bloomery_filter* filter);

/// BLOOMERY_SECRET_SIZE random bytes for bloomery_options.secret.
BLOOMERY_C_API bloomery_status bloomery_random_secret(uint8_t* secret);

/// The names of all kinds that bloomery_new_with makes, and of all layouts, from 0 on; null after
/// the last. bloomery_key_encoding_name and bloomery_format_name are used in the same way.
BLOOMERY_C_EXPORT const char* bloomery_kind_name(uint32_t at);
BLOOMERY_C_EXPORT const char* bloomery_layout_name(uint32_t at);

// One key.
// A key is bytes, or an integer, which is hashed differently: the integer 7 equals no byte key.
// Signed integers are converted to uint64_t as in C. The keys are the same as in the C++ library
// and in the command.

/// The result of an operation on a key. Functions set it as a uint32_t.
typedef enum bloomery_outcome {
    BLOOMERY_OUTCOME_DONE = 0,
    BLOOMERY_OUTCOME_NOT_PRESENT = 1, ///< erase: the key is definitely not in; nothing changed
    BLOOMERY_OUTCOME_FULL = 2,        ///< insert: no room is left; nothing changed
    BLOOMERY_OUTCOME_SATURATED = 3    ///< done, but a counter of the key is stuck at its maximum
} bloomery_outcome;

/// Adds a key. Returns BLOOMERY_FILTER_FULL if there is no room.
BLOOMERY_C_API bloomery_status bloomery_insert(bloomery_filter* filter, const void* key,
                                               size_t size);
BLOOMERY_C_API bloomery_status bloomery_insert_u64(bloomery_filter* filter, uint64_t key);

/// Adds a key. *fresh becomes whether it was definitely new, *outcome what happened. Both may be
/// null. A full filter is BLOOMERY_OUTCOME_FULL, and the call returns BLOOMERY_OK; if outcome is
/// null, it returns BLOOMERY_FILTER_FULL instead.
BLOOMERY_C_API bloomery_status bloomery_try_insert(bloomery_filter* filter, const void* key,
                                                   size_t size, bool* fresh, uint32_t* outcome);
BLOOMERY_C_API bloomery_status bloomery_try_insert_u64(bloomery_filter* filter, uint64_t key,
                                                       bool* fresh, uint32_t* outcome);

/// *maybe becomes false if the key is definitely not in the filter; true if it is, if this is a
/// false positive, or if the call fails.
BLOOMERY_C_API bloomery_status bloomery_may_contain(const bloomery_filter* filter, const void* key,
                                                    size_t size, bool* maybe);
BLOOMERY_C_API bloomery_status bloomery_may_contain_u64(const bloomery_filter* filter, uint64_t key,
                                                        bool* maybe);

/// Erases one occurrence of a key. Erase only keys that are in the filter: erasing a false positive
/// makes it deny keys that are in it. outcome may be null. BLOOMERY_UNSUPPORTED unless
/// bloomery_info.can_erase.
BLOOMERY_C_API bloomery_status bloomery_erase(bloomery_filter* filter, const void* key, size_t size,
                                              uint32_t* outcome);
BLOOMERY_C_API bloomery_status bloomery_erase_u64(bloomery_filter* filter, uint64_t key,
                                                  uint32_t* outcome);

/// About how often a key is in the filter: docs/kinds.md says what each kind promises.
/// BLOOMERY_UNSUPPORTED unless bloomery_info.can_count.
BLOOMERY_C_API bloomery_status bloomery_count(const bloomery_filter* filter, const void* key,
                                              size_t size, uint64_t* count);
BLOOMERY_C_API bloomery_status bloomery_count_u64(const bloomery_filter* filter, uint64_t key,
                                                  uint64_t* count);

/// A hashed key: it works with every filter that has the same hash and seed.
typedef struct bloomery_digest {
    uint64_t low;
    uint64_t high;
} bloomery_digest;

/// The digest of a key. Returns BLOOMERY_UNSUPPORTED unless bloomery_info.hashes_ahead.
BLOOMERY_C_API bloomery_status bloomery_digest_of(const bloomery_filter* filter, const void* key,
                                                  size_t size, bloomery_digest* digest);
BLOOMERY_C_API bloomery_status bloomery_digest_of_u64(const bloomery_filter* filter, uint64_t key,
                                                      bloomery_digest* digest);

// Many keys.

/// How an array of keys is stored.
typedef enum bloomery_key_form {
    BLOOMERY_KEYS_U64 = 0, ///< integers: the same keys as in calls for one key
    BLOOMERY_KEYS_I64 = 1,
    BLOOMERY_KEYS_U32 = 2,
    BLOOMERY_KEYS_I32 = 3,
    BLOOMERY_KEYS_U16 = 4,
    BLOOMERY_KEYS_I16 = 5,
    BLOOMERY_KEYS_U8 = 6,
    BLOOMERY_KEYS_I8 = 7,
    BLOOMERY_KEYS_F32 =
        8, ///< floating point: only with an encoding of them, such as BLOOMERY_KEY_ENCODING_F64LE
    BLOOMERY_KEYS_F64 = 9,
    BLOOMERY_KEYS_FIXED = 10,     ///< byte strings of `width` bytes each
    BLOOMERY_KEYS_OFFSETS32 = 11, ///< Arrow's binary and utf8: bytes and count + 1 int32 offsets
    BLOOMERY_KEYS_OFFSETS64 = 12, ///< Arrow's large_binary and large_utf8: int64 offsets
    BLOOMERY_KEYS_VIEWS = 13,     ///< Arrow's binary_view and utf8_view: views into `buffers`
    BLOOMERY_KEYS_SLICES = 14,    ///< bloomery_slice
    BLOOMERY_KEYS_DIGESTS = 15    ///< bloomery_digest: already hashed
} bloomery_key_form;

/// A pointer and a size.
typedef struct bloomery_slice {
    const void* data;
    size_t size;
} bloomery_slice;

/// An array of keys. The library keeps no pointer to it after the call.
typedef struct bloomery_keys {
    size_t struct_size;
    uint32_t form;     ///< bloomery_key_form
    uint32_t encoding; ///< bloomery_key_encoding; 0: keys are used as they are
    uint64_t count;
    const void* data;    ///< the integers, bytes, views, slices or digests
    int64_t stride;      ///< bytes from one key to the next; 0: contiguous. Not for OFFSETS
    uint64_t width;      ///< FIXED: the bytes of each key
    const void* offsets; ///< OFFSETS32, OFFSETS64: where each key begins; the end of the last
    uint64_t data_size;  ///< OFFSETS: the size of data, which no offset may exceed; 0: unknown
    const void* const* buffers;  ///< VIEWS: the buffers that they refer to
    const int64_t* buffer_sizes; ///< VIEWS: their sizes in bytes
    uint64_t buffer_count;       ///< VIEWS: how many there are
    const uint8_t* validity;  ///< one bit per key, low bits first; 0: the key is skipped. Null: no
                              ///< key is skipped
    uint64_t validity_offset; ///< the bit of the first key
} bloomery_keys;

// Answers are bitmaps as in Arrow: bit i % 8 of byte i / 8 belongs to key i, low bits first. A
// bitmap has (count + 7) / 8 bytes, and the bits past the last key are set to 0. A key that
// validity excludes is skipped, and its bit is 0. The bitmap may be null if you need only the
// number, and the number if you need only the bitmap.
// A bulk call that fails has processed the keys before bloomery_last_key_index(), and they stay in
// the filter. Keys are checked as they are read: offsets that decrease, exceed the data or are
// negative are refused. A long call can be split into several at no extra cost; nothing is
// allocated per key.
// After an error, a bitmap of (count + 7) / 8 bytes is filled, and the number set, as each function
// says. They are 0 and the bitmap is untouched only if its size is unknown: if keys is null, its
// struct_size too small or its count 2^60 or more.

/// Adds all keys.
BLOOMERY_C_API bloomery_status bloomery_insert_many(bloomery_filter* filter,
                                                    const bloomery_keys* keys);
/// Adds all keys, in order. Bit i is whether key i was definitely new; a key added earlier in the
/// same call is not. After an error, the bits of keys that were not added are 0.
BLOOMERY_C_API bloomery_status bloomery_try_insert_many(bloomery_filter* filter,
                                                        const bloomery_keys* keys, uint8_t* fresh,
                                                        uint64_t* fresh_count);
/// Queries all keys. Bit i is 0 if key i is definitely not in the filter. After an error, all bits
/// are 1.
BLOOMERY_C_API bloomery_status bloomery_may_contain_many(const bloomery_filter* filter,
                                                         const bloomery_keys* keys, uint8_t* maybe,
                                                         uint64_t* maybe_count);
/// Erases all keys, in order, as bloomery_erase does. Bit i is 0 if key i was definitely not in the
/// filter. After an error, the bits of keys that were not erased are 0.
BLOOMERY_C_API bloomery_status bloomery_erase_many(bloomery_filter* filter,
                                                   const bloomery_keys* keys, uint8_t* erased,
                                                   uint64_t* erased_count);
/// How often each key was inserted; 0 for keys that validity excludes. After an error, the counts
/// are unspecified.
BLOOMERY_C_API bloomery_status bloomery_count_many(const bloomery_filter* filter,
                                                   const bloomery_keys* keys, uint64_t* counts);
/// The digests of all keys; zero for keys that validity excludes. After an error, the digests are
/// unspecified.
BLOOMERY_C_API bloomery_status bloomery_digest_many(const bloomery_filter* filter,
                                                    const bloomery_keys* keys,
                                                    bloomery_digest* digests);

// Keys as other systems encode them.

/// How another system encodes a string or a number before it hashes it: see docs/formats.md. The
/// form of the keys must match the type that is named here.
typedef enum bloomery_key_encoding {
    BLOOMERY_KEY_ENCODING_BYTES = 0,   ///< anything: keys are used as they are
    BLOOMERY_KEY_ENCODING_INT = 1,     ///< integers: the same
    BLOOMERY_KEY_ENCODING_HEX = 2,     ///< text: the bytes that pairs of hexadecimal digits spell
    BLOOMERY_KEY_ENCODING_UTF8 = 3,    ///< text: as in Java; an unpaired surrogate becomes '?'
    BLOOMERY_KEY_ENCODING_UTF16LE = 4, ///< text: its code units
    BLOOMERY_KEY_ENCODING_UTF16LE_TEXT =
        5,                            ///< text: the same; an unpaired surrogate becomes U+FFFD
    BLOOMERY_KEY_ENCODING_LATIN1 = 6, ///< text: ISO-8859-1; other characters become '?'
    BLOOMERY_KEY_ENCODING_I32LE = 7,  ///< integers, from here on, as bytes
    BLOOMERY_KEY_ENCODING_I32BE = 8,
    BLOOMERY_KEY_ENCODING_U32BE = 9,
    BLOOMERY_KEY_ENCODING_I64LE = 10,
    BLOOMERY_KEY_ENCODING_I64BE = 11,
    BLOOMERY_KEY_ENCODING_F32LE = 12, ///< floating point
    BLOOMERY_KEY_ENCODING_F64LE = 13,
    BLOOMERY_KEY_ENCODING_KRYO5 = 14,      ///< text
    BLOOMERY_KEY_ENCODING_KRYO5_INT = 15,  ///< integers
    BLOOMERY_KEY_ENCODING_KRYO5_LONG = 16, ///< integers
    BLOOMERY_KEY_ENCODING_JAVA_INT = 17,   ///< integers that stay integers
    BLOOMERY_KEY_ENCODING_JAVA_LONG = 18,
    BLOOMERY_KEY_ENCODING_F64LE_CANONICAL = 19 ///< floating point, with one zero and one NaN
} bloomery_key_encoding;

/// "bytes", "int", "hex", "utf8", ..., as for --key of the command; null after the last. The second
/// is the number of such a name.
BLOOMERY_C_EXPORT const char* bloomery_key_encoding_name(uint32_t encoding);
BLOOMERY_C_API bloomery_status bloomery_key_encoding_named(const char* name, uint32_t* encoding);

/// The key that another system makes of a string, an integer or a float: its bytes. The caller
/// frees the bytes with bloomery_free_memory. Bulk calls do this for all keys at once: see
/// bloomery_keys.encoding.
BLOOMERY_C_API bloomery_status bloomery_key_from_text(uint32_t encoding, const char* text,
                                                      size_t text_size, uint8_t** key,
                                                      uint64_t* key_size);
BLOOMERY_C_API bloomery_status bloomery_key_from_integer(uint32_t encoding, int64_t number,
                                                         uint8_t** key, uint64_t* key_size);
BLOOMERY_C_API bloomery_status bloomery_key_from_float(uint32_t encoding, double number,
                                                       uint8_t** key, uint64_t* key_size);

// Combining filters.

/// BLOOMERY_OK if the two can be combined; otherwise BLOOMERY_INCOMPATIBLE, with the reason in
/// bloomery_last_error.
BLOOMERY_C_API bloomery_status bloomery_compatible(const bloomery_filter* a,
                                                   const bloomery_filter* b);
/// The first becomes the union of the two, which may be the same filter.
BLOOMERY_C_API bloomery_status bloomery_merge(bloomery_filter* into, const bloomery_filter* other);
/// The first becomes the intersection: what may be in both. They may be the same filter.
BLOOMERY_C_API bloomery_status bloomery_intersect(bloomery_filter* into,
                                                  const bloomery_filter* other);
/// Shrinks the filter to the smallest size at which the keys in it still have a false-positive rate
/// of at most `rate`. BLOOMERY_BAD_ARGUMENT if it is above that already, BLOOMERY_UNSUPPORTED
/// unless it is a Bloom filter in memory with one of the native layouts.
BLOOMERY_C_API bloomery_status bloomery_fold(bloomery_filter* filter, double rate);
/// Removes all keys.
BLOOMERY_C_API bloomery_status bloomery_clear(bloomery_filter* filter);
/// Whether the two have the same spec and the same bits.
BLOOMERY_C_API bloomery_status bloomery_equal(const bloomery_filter* a, const bloomery_filter* b,
                                              bool* equal);

// Describing filters.

typedef struct bloomery_info {
    size_t struct_size;
    const char* kind;   ///< "bloom", "counting", ...
    const char* layout; ///< "classic", "split-8x64", ...
    const char* scheme; ///< "native", or the system whose bit positions it uses
    const char* hash;   ///< "xxh3_64", ...
    uint64_t seed;      ///< for a keyed hash: the check value of its secret
    uint64_t bit_count; ///< bits, counters or cells
    uint32_t hash_count;
    bool keyed;
    bool can_erase;
    bool can_count;
    bool hashes_ahead;      ///< accepts digests
    uint64_t item_capacity; ///< what it was made for; 0 if unknown
    double target_rate;
    uint64_t byte_count;  ///< the size of its arrays
    bool intersected;     ///< contains an intersection: the bits do not give the number of keys
    bool may_lack_places; ///< some keys are refused with BLOOMERY_NO_PLACE
    bool can_share;       ///< bloomery_shared works
    uint8_t reserved[5];
} bloomery_info;

/// Describes a filter. O(1).
BLOOMERY_C_API bloomery_status bloomery_info_of(const bloomery_filter* filter, bloomery_info* info);

/// What a filter consists of, and what bloomery_statistics counts.
typedef enum bloomery_unit {
    BLOOMERY_UNIT_BIT = 0,
    BLOOMERY_UNIT_COUNTER = 1,
    BLOOMERY_UNIT_CELL = 2,
    BLOOMERY_UNIT_FIRST_LEVEL_BIT = 3
} bloomery_unit;

typedef struct bloomery_statistics {
    size_t struct_size;
    uint64_t bit_count; ///< bits, or units of `unit`
    uint64_t bits_set;  ///< how many are set or in use
    double fill_ratio;
    double items;          ///< distinct keys, estimated; infinite when saturated
    double standard_error; ///< of that estimate
    double expected_rate;  ///< the current false-positive rate
    uint32_t unit;         ///< bloomery_unit
    uint32_t unit_bits;    ///< the width of a unit
    bool saturated;        ///< every bit is set: every answer is "maybe"
    bool intersected;      ///< if true, `items` is an upper bound
    uint8_t reserved[6];
} bloomery_statistics;

/// Computes statistics from the bits of a filter. O(size).
BLOOMERY_C_API bloomery_status bloomery_statistics_of(const bloomery_filter* filter,
                                                      bloomery_statistics* statistics);
/// The expected rate when this many distinct keys are in.
BLOOMERY_C_API bloomery_status bloomery_rate_at(const bloomery_filter* filter, uint64_t items,
                                                double* rate);
/// Both of the above and facts specific to the kind, as a JSON object. `format` names another
/// system's format whose own figures are included; null for none. The caller frees the string with
/// bloomery_free_memory.
BLOOMERY_C_API bloomery_status bloomery_describe(const bloomery_filter* filter, const char* format,
                                                 char** json);

// Kinds.

/// Sets the time of a window filter, in any unit and from any origin, as long as they stay the
/// same. A no-op for other kinds.
BLOOMERY_C_API bloomery_status bloomery_advance(bloomery_filter* filter, uint64_t now);

/// Makes room for that many more keys in a scalable filter; BLOOMERY_OUTCOME_FULL if its limits
/// forbid it, or, if outcome is null, BLOOMERY_FILTER_FULL.
BLOOMERY_C_API bloomery_status bloomery_reserve(bloomery_filter* filter, uint64_t items,
                                                uint32_t* outcome);

/// A cascade: separates the stored keys from the others without errors. For keys in neither set the
/// answer is meaningless. It uses seed and secret of the options; null for none.
BLOOMERY_C_API bloomery_status bloomery_new_cascade(const bloomery_keys* stored,
                                                    const bloomery_keys* others,
                                                    const bloomery_options* options,
                                                    bloomery_filter** made);

/// Options of an exception list; zero means the default.
typedef struct bloomery_exception_options {
    size_t struct_size;
    uint64_t most_entries; ///< 0: 65,536
    bool evict_oldest;     ///< if the list is full; otherwise new keys are refused
    bool fingerprints;     ///< store 128 bits of a keyed hash instead of each key
    uint8_t reserved[6];
    const uint8_t* secret; ///< BLOOMERY_SECRET_SIZE bytes, for fingerprints; null: the filter's, or
                           ///< random
} bloomery_exception_options;

/// Gives a filter a list of known false positives, if it has none.
BLOOMERY_C_API bloomery_status bloomery_add_exceptions(bloomery_filter* filter,
                                                       const bloomery_exception_options* options);
/// Adds a key that is known to be absent to the list: the filter denies it from then on. The
/// outcome is NOT_PRESENT if the filter denies it already, FULL if the list is full; if outcome is
/// null, the latter is BLOOMERY_FILTER_FULL. Do not report a key that was inserted.
BLOOMERY_C_API bloomery_status bloomery_report_false_positive(bloomery_filter* filter,
                                                              const void* key, size_t size,
                                                              uint32_t* outcome);
BLOOMERY_C_API bloomery_status bloomery_report_false_positive_u64(bloomery_filter* filter,
                                                                  uint64_t key, uint32_t* outcome);
/// Takes a key off the list. *listed is set to whether it was there; it may be null.
BLOOMERY_C_API bloomery_status bloomery_withdraw(bloomery_filter* filter, const void* key,
                                                 size_t size, bool* listed);
BLOOMERY_C_API bloomery_status bloomery_withdraw_u64(bloomery_filter* filter, uint64_t key,
                                                     bool* listed);

// Sizes.

/// The numbers of a filter that has not been made yet.
typedef struct bloomery_plan {
    size_t struct_size;
    const char* layout;
    uint64_t bits;
    uint64_t bytes;
    uint32_t hashes;
    bool meets_rate; ///< false only if items, rate and bits were given, and the bits are too few
    uint8_t reserved[3];
    uint64_t items;
    double rate;          ///< the requested rate, or the rate reached if none was given
    double expected_rate; ///< the exact rate with that many items
    double bits_per_item;
    uint64_t item_capacity; ///< the most keys at that rate
} bloomery_plan;

/// The filter that bloomery_new_with would make from the options. Only for Bloom filters in the
/// native format.
BLOOMERY_C_API bloomery_status bloomery_plan_for(const bloomery_options* options,
                                                 bloomery_plan* plan);
/// The exact rate of a Bloom filter of that layout, bits and hashes with that many keys: for
/// charts, and to see the effect of overfilling.
BLOOMERY_C_API bloomery_status bloomery_expected_rate(const char* layout, uint64_t bits,
                                                      uint32_t hashes, uint64_t items,
                                                      double* rate);
/// Recommends a structure for a situation, with the numbers that decide, as a JSON object. The
/// situation is a string such as "items=10M,rate=0.1%,remove=yes"; docs/c.md lists what it may
/// contain. The caller frees the JSON with bloomery_free_memory.
BLOOMERY_C_API bloomery_status bloomery_advise(const char* situation, char** json);

// Files and bytes.

/// How a filter is written; null for the defaults.
typedef struct bloomery_write_options {
    size_t struct_size;
    const char* format;   ///< "native" (null), "guava", "redisson-dump", ...
    const char* comment;  ///< native: anything, at most 2,048 bytes
    bool keep_secret;     ///< native: put the secret of a keyed filter into the file too
    bool refuse_existing; ///< files: do not replace an existing file
    uint8_t reserved[6];
} bloomery_write_options;

/// How a filter is read; null for the defaults, and 0 for a default limit.
typedef struct bloomery_read_options {
    size_t struct_size;
    const char* format; ///< with what the bytes do not contain: "redisson,bits=9585058,hashes=7";
                        ///< null: native, or another format that the bytes identify
    const uint8_t* secret; ///< BLOOMERY_SECRET_SIZE bytes, for a keyed filter
    bool refuse_unsealed;  ///< a file whose writer died: BLOOMERY_UNSEALED instead of recovering
    bool refuse_locked;    ///< bloomery_map for writing: fail while another writer has the file
    uint8_t reserved[6];
    uint64_t largest_filter_bytes; ///< larger filters are refused
    uint64_t most_unseen_bytes;    ///< memory that a file may claim beyond what it contains
    uint32_t most_hashes;
    uint32_t most_layers;
} bloomery_read_options;

/// Writes a filter to a file. A reader sees either the old file or the new one, even after a crash.
BLOOMERY_C_API bloomery_status bloomery_save(const bloomery_filter* filter, const char* path,
                                             const bloomery_write_options* options);
/// Reads the filter in a file into memory.
BLOOMERY_C_API bloomery_status bloomery_load(const char* path, const bloomery_read_options* options,
                                             bloomery_filter** loaded);
/// Maps a native file to use it in place, instantly whatever its size. Any number of processes may
/// read a file, and one may write.
BLOOMERY_C_API bloomery_status bloomery_map(const char* path, bool writable,
                                            const bloomery_read_options* options,
                                            bloomery_filter** mapped);
/// Returns when everything inserted into a mapped filter is on disk. A no-op for a filter in
/// memory.
BLOOMERY_C_API bloomery_status bloomery_sync(bloomery_filter* filter);
/// Changes a filter for bloomery_update. It must not close the filter, and must close the shared
/// handles that it opens.
typedef bloomery_status (*bloomery_updater)(bloomery_filter* filter, void* context);
/// Loads the filter in a file, calls `update` with it, and saves it, while a lock keeps other
/// writers out. If `update` returns anything but BLOOMERY_OK, the file is unchanged, and that
/// status is returned; bloomery_last_error() is that of the call in `update` that failed with it,
/// or says that `update` returned it.
BLOOMERY_C_API bloomery_status bloomery_update(const char* path, bloomery_updater update,
                                               void* context, const bloomery_read_options* options);

/// The bytes of a filter, as in a file. The caller frees them with bloomery_free_memory.
BLOOMERY_C_API bloomery_status bloomery_encode(const bloomery_filter* filter,
                                               const bloomery_write_options* options,
                                               uint8_t** bytes, uint64_t* size);
/// The number of these bytes. O(1) for the native format, as long as encoding for others.
BLOOMERY_C_API bloomery_status bloomery_encoded_size(const bloomery_filter* filter,
                                                     const bloomery_write_options* options,
                                                     uint64_t* size);
/// Takes bytes for bloomery_encode_to; anything but 0 ends the call.
typedef int (*bloomery_writer)(const uint8_t* bytes, size_t size, void* context);
/// Passes the same bytes to `write`, piece by piece; BLOOMERY_STOPPED if it ends the call.
BLOOMERY_C_API bloomery_status bloomery_encode_to(const bloomery_filter* filter,
                                                  const bloomery_write_options* options,
                                                  bloomery_writer write, void* context);
/// The filter in such bytes. Every length is compared with the bytes present before anything is
/// allocated. The library keeps no pointer to the bytes.
BLOOMERY_C_API bloomery_status bloomery_decode(const void* bytes, size_t size,
                                               const bloomery_read_options* options,
                                               bloomery_filter** decoded);
/// The name of the format of a whole file; BLOOMERY_BAD_DATA, with the candidates, if the bytes do
/// not identify one.
BLOOMERY_C_API bloomery_status bloomery_detect(const void* bytes, size_t size, const char** format);

/// One format.
typedef struct bloomery_format {
    size_t struct_size;
    const char* name;
    const char* what;  ///< a one-line description
    const char* keys;  ///< the usual key encoding of its users
    const char* needs; ///< what must be given because the bytes do not contain it; "": nothing
    bool writable;     ///< bloomery_save and bloomery_encode support it
    bool makeable;     ///< bloomery_new_with supports it
    uint8_t reserved[6];
} bloomery_format;

/// The names of all formats, from 0 on, "native" first; null after the last.
BLOOMERY_C_EXPORT const char* bloomery_format_name(uint32_t at);
/// Describes the format of that name.
BLOOMERY_C_API bloomery_status bloomery_format_named(const char* name, bloomery_format* format);

// Structures with their size set and everything else zero.

#define BLOOMERY_C_INIT(name)                                                                      \
    static inline name name##_init(void) {                                                         \
        name made;                                                                                 \
        memset(&made, 0, sizeof made);                                                             \
        made.struct_size = sizeof made;                                                            \
        return made;                                                                               \
    }
BLOOMERY_C_INIT(bloomery_options)
BLOOMERY_C_INIT(bloomery_keys)
BLOOMERY_C_INIT(bloomery_info)
BLOOMERY_C_INIT(bloomery_statistics)
BLOOMERY_C_INIT(bloomery_plan)
BLOOMERY_C_INIT(bloomery_exception_options)
BLOOMERY_C_INIT(bloomery_write_options)
BLOOMERY_C_INIT(bloomery_read_options)
BLOOMERY_C_INIT(bloomery_format)
#undef BLOOMERY_C_INIT

/// Contiguous integers.
static inline bloomery_keys bloomery_keys_u64(const uint64_t* integers, uint64_t count) {
    bloomery_keys keys = bloomery_keys_init();
    keys.form = BLOOMERY_KEYS_U64;
    keys.data = integers;
    keys.count = count;
    return keys;
}

/// Strings or other bytes, one after another: key i is bytes[offsets[i]] to bytes[offsets[i + 1] -
/// 1].
static inline bloomery_keys bloomery_keys_offsets32(const void* bytes, const int32_t* offsets,
                                                    uint64_t count) {
    bloomery_keys keys = bloomery_keys_init();
    keys.form = BLOOMERY_KEYS_OFFSETS32;
    keys.data = bytes;
    keys.offsets = offsets;
    keys.count = count;
    return keys;
}
static inline bloomery_keys bloomery_keys_offsets64(const void* bytes, const int64_t* offsets,
                                                    uint64_t count) {
    bloomery_keys keys = bloomery_keys_init();
    keys.form = BLOOMERY_KEYS_OFFSETS64;
    keys.data = bytes;
    keys.offsets = offsets;
    keys.count = count;
    return keys;
}

/// Keys given by pointer and size.
static inline bloomery_keys bloomery_keys_slices(const bloomery_slice* slices, uint64_t count) {
    bloomery_keys keys = bloomery_keys_init();
    keys.form = BLOOMERY_KEYS_SLICES;
    keys.data = slices;
    keys.count = count;
    return keys;
}

/// Keys that are already hashed.
static inline bloomery_keys bloomery_keys_digests(const bloomery_digest* digests, uint64_t count) {
    bloomery_keys keys = bloomery_keys_init();
    keys.form = BLOOMERY_KEYS_DIGESTS;
    keys.data = digests;
    keys.count = count;
    return keys;
}

#ifdef __cplusplus
}
#endif

#endif
