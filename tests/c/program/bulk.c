#include "check.h"

enum { many = 5000 }; /* several runs, and a last one that is not whole */

/* The same keys in every form are the same keys. */
static void check_integers(void) {
    static const struct {
        uint32_t form;
        int size;
    } forms[] = {{BLOOMERY_KEYS_U64, 8}, {BLOOMERY_KEYS_I64, 8}, {BLOOMERY_KEYS_U32, 4},
                 {BLOOMERY_KEYS_I32, 4}, {BLOOMERY_KEYS_U16, 2}, {BLOOMERY_KEYS_I16, 2}};
    uint8_t* const memory = malloc(many * 24 + 1);
    uint8_t maybe[(many + 7) / 8];
    uint64_t i, count = 0;
    size_t f;
    int adjacent;
    for (f = 0; f < sizeof forms / sizeof *forms; ++f) {
        for (adjacent = 0; adjacent < 2; ++adjacent) {
            bloomery_filter* of = NULL;
            bloomery_keys keys = bloomery_keys_init();
            const int64_t stride = adjacent != 0 ? forms[f].size : 24;
            /* adjacent ones are at an odd address */
            uint8_t* const data = memory + adjacent;
            OK(bloomery_new(many, 0.001, &of));
            for (i = 0; i < many; ++i) {
                const uint64_t value = i;
                const uint32_t value32 = (uint32_t)i;
                const uint16_t value16 = (uint16_t)i;
                memcpy(data + (int64_t)i * stride,
                       forms[f].size == 8   ? (const void*)&value
                       : forms[f].size == 4 ? (const void*)&value32
                                            : (const void*)&value16,
                       (size_t)forms[f].size);
            }
            keys.form = forms[f].form;
            keys.data = data;
            keys.stride = adjacent != 0 ? 0 : stride;
            keys.count = many;
            OK(bloomery_insert_many(of, &keys));
            for (i = 0; i < many; ++i) {
                bool in = false;
                OK(bloomery_may_contain_u64(of, i, &in));
                CHECK(in);
            }
            OK(bloomery_may_contain_many(of, &keys, maybe, &count));
            CHECK(count == many && bit(maybe, many - 1));
            bloomery_close(of);
        }
    }
    free(memory);
}

static void check_signs(void) {
    static const int8_t small[] = {-1, 5};
    bloomery_filter* of = made_of_kind(NULL);
    bloomery_keys keys = bloomery_keys_init();
    bool in = false;
    uint8_t byte = 0;
    keys.form = BLOOMERY_KEYS_I8;
    keys.data = small;
    keys.count = 2;
    OK(bloomery_insert_many(of, &keys));
    OK(bloomery_may_contain_u64(of, (uint64_t)-1, &in));
    CHECK(in);
    keys.form = BLOOMERY_KEYS_U8; /* 255 is not -1 */
    OK(bloomery_may_contain_many(of, &keys, &byte, NULL));
    CHECK(byte == 2);
    keys.data = small + 1; /* backwards */
    keys.form = BLOOMERY_KEYS_I8;
    keys.stride = -1;
    OK(bloomery_may_contain_many(of, &keys, &byte, NULL));
    CHECK(byte == 3);
    bloomery_close(of);
}

static void check_texts(void) {
    static const char bytes[] = "applepearplum";
    static const int32_t offsets[] = {0, 5, 9, 9, 13};
    static const int64_t long_offsets[] = {5, 9, 13};
    const bloomery_slice slices[] = {{"apple", 5}, {NULL, 0}, {"kiwi", 4}};
    bloomery_keys keys = bloomery_keys_offsets32(bytes, offsets, 4);
    bloomery_filter* of = made_of_kind(NULL);
    uint8_t bits = 0xff;
    uint64_t count = 99;
    OK(bloomery_try_insert_many(of, &keys, &bits, &count));
    CHECK(bits == 15 && count == 4);
    OK(bloomery_try_insert_many(of, &keys, &bits, &count));
    CHECK(bits == 0 && count == 0);
    CHECK(asked(of, "apple") && asked(of, "pear") && asked(of, "") && asked(of, "plum"));
    keys = bloomery_keys_offsets64(bytes, long_offsets, 2);
    keys.data_size = sizeof bytes - 1;
    OK(bloomery_may_contain_many(of, &keys, &bits, &count));
    CHECK(bits == 3 && count == 2);
    keys = bloomery_keys_slices(slices, 3);
    OK(bloomery_may_contain_many(of, &keys, &bits, NULL));
    CHECK(bits == 3);
    OK(bloomery_may_contain_many(of, &keys, NULL, &count));
    CHECK(count == 2);
    OK(bloomery_may_contain_many(of, &keys, NULL, NULL));
    keys = bloomery_keys_init(); /* fixed width */
    keys.form = BLOOMERY_KEYS_FIXED;
    keys.data = bytes + 5;
    keys.width = 4;
    keys.count = 2;
    OK(bloomery_may_contain_many(of, &keys, &bits, NULL));
    CHECK(bits == 3);
    keys.count = 0;
    keys.data = NULL;
    OK(bloomery_may_contain_many(of, &keys, NULL, &count));
    CHECK(count == 0);
    bloomery_close(of);
}

/* Arrow's views: short ones in place, long ones in a buffer. */
static void check_views(void) {
    static const char buffer[] = "xa key that is long";
    const void* const buffers[] = {buffer};
    const int64_t sizes[] = {sizeof buffer - 1};
    uint8_t views[32];
    const int32_t place[] = {0, 1};
    int32_t size = 5;
    uint8_t bits = 0;
    bloomery_keys keys = bloomery_keys_init();
    bloomery_filter* of = made_of_kind(NULL);
    memset(views, 0, sizeof views);
    memcpy(views, &size, 4);
    memcpy(views + 4, "apple", 5);
    size = 18;
    memcpy(views + 16, &size, 4);
    memcpy(views + 24, place, 8);
    keys.form = BLOOMERY_KEYS_VIEWS;
    keys.data = views;
    keys.count = 2;
    keys.buffers = buffers;
    keys.buffer_sizes = sizes;
    keys.buffer_count = 1;
    OK(bloomery_insert_many(of, &keys));
    CHECK(asked(of, "apple") && asked(of, "a key that is long"));
    size = 19; /* one too long */
    memcpy(views + 16, &size, 4);
    BAD(bloomery_may_contain_many(of, &keys, &bits, NULL));
    CHECK(bits == 3);
    size = -1;
    memcpy(views + 16, &size, 4);
    BAD(bloomery_insert_many(of, &keys));
    size = 18;
    memcpy(views + 16, &size, 4);
    keys.buffer_count = 0;
    BAD(bloomery_insert_many(of, &keys));
    keys.validity = (const uint8_t*)"\x01"; /* a view that does not count is not looked at */
    OK(bloomery_may_contain_many(of, &keys, &bits, NULL));
    CHECK(bits == 1);
    bloomery_close(of);
}

static void check_validity(void) {
    static uint64_t numbers[many];
    static uint8_t valid[many / 8 + 2], bits[(many + 7) / 8];
    uint64_t i, count = 0, wanted = 0;
    bloomery_keys keys = bloomery_keys_u64(numbers, many);
    bloomery_filter* of = NULL;
    OK(bloomery_new(many, 0.001, &of));
    for (i = 0; i < many; ++i) {
        numbers[i] = i;
        if (i % 3 == 0) {
            valid[(i + 3) / 8] = (uint8_t)(valid[(i + 3) / 8] | 1U << (i + 3) % 8);
            ++wanted;
        }
    }
    keys.validity = valid;
    keys.validity_offset = 3;
    OK(bloomery_try_insert_many(of, &keys, bits, &count));
    OK(bloomery_may_contain_many(of, &keys, bits, &count));
    CHECK(count == wanted);
    for (i = 0; i < many; ++i) {
        CHECK(bit(bits, i) == (i % 3 == 0));
    }
    keys.validity = NULL;
    OK(bloomery_may_contain_many(of, &keys, bits, &count));
    CHECK(count >= wanted && count < wanted + 100);
    bloomery_close(of);
}

static void check_counts_and_digests(void) {
    static const uint64_t numbers[] = {1, 2, 2, 3};
    bloomery_keys keys = bloomery_keys_u64(numbers, 4);
    bloomery_keys hashed;
    bloomery_filter *of = made_of_kind("spectral"), *plain = made_of_kind(NULL);
    uint64_t counts[4] = {9, 9, 9, 9}, count = 0;
    bloomery_digest digests[4], one;
    uint8_t bits = 0;
    OK(bloomery_insert_many(of, &keys));
    OK(bloomery_count_many(of, &keys, counts));
    CHECK(counts[0] == 1 && counts[1] == 2 && counts[2] == 2 && counts[3] == 1);
    OK(bloomery_digest_many(of, &keys, digests));
    OK(bloomery_digest_of_u64(of, 3, &one));
    CHECK(one.low == digests[3].low && one.high == digests[3].high);
    hashed = bloomery_keys_digests(digests, 4);
    OK(bloomery_may_contain_many(of, &hashed, &bits, NULL));
    CHECK(bits == 15);
    OK(bloomery_insert_many(plain, &hashed));
    OK(bloomery_may_contain_many(plain, &keys, &bits, NULL));
    CHECK(bits == 15);
    OK(bloomery_erase_many(of, &hashed, &bits, &count));
    CHECK(bits == 15 && count == 4);
    OK(bloomery_erase_many(of, &keys, &bits, &count));
    CHECK(bits == 0 && count == 0);
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_erase_many(plain, &keys, &bits, &count));
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_count_many(plain, &keys, counts));
    BAD(bloomery_count_many(of, &keys, NULL));
    BAD(bloomery_digest_many(of, &keys, NULL));
    bloomery_close(of);
    bloomery_close(plain);
}

void check_bulk(void) {
    check_integers();
    check_signs();
    check_texts();
    check_views();
    check_validity();
    check_counts_and_digests();
}

/* What must not be believed. */
void check_hostile_keys(void) {
    static const char bytes[] = "applepear";
    static const int32_t down[] = {0, 5, 3}, negative[] = {-1, 5, 9}, beyond[] = {0, 5, 10},
                         outside[] = {10, 10, 10};
    static const int64_t far_down[] = {0, INT64_MAX, INT64_MIN};
    const bloomery_slice nowhere = {NULL, 4};
    bloomery_filter* of = made_of_kind(NULL);
    uint64_t number = 1, count = 0;
    uint8_t bits = 0;
    bloomery_keys keys = bloomery_keys_offsets32(bytes, down, 2);
    BAD(bloomery_insert_many(of, &keys));
    BAD(bloomery_may_contain_many(of, &keys, &bits, &count));
    CHECK(bits == 3 && count == 2); /* nothing is denied */
    keys.offsets = negative;
    BAD(bloomery_insert_many(of, &keys));
    keys.offsets = beyond;
    keys.data_size = 9;
    BAD(bloomery_insert_many(of, &keys));
    keys.offsets = NULL;
    BAD(bloomery_insert_many(of, &keys));
    keys = bloomery_keys_offsets64(bytes, far_down, 2);
    keys.data_size = 9;
    BAD(bloomery_insert_many(of, &keys));
    keys = bloomery_keys_offsets32(NULL, beyond, 2);
    BAD(bloomery_insert_many(of, &keys));
    CHECK(strstr(bloomery_last_error(), "null") != NULL);
    keys = bloomery_keys_offsets32(bytes, outside, 2); /* nothing, from beyond the end */
    keys.data_size = 9;
    BAD(bloomery_insert_many(of, &keys));
    keys.data_size = 10;
    OK(bloomery_insert_many(of, &keys));
    keys.data = NULL; /* nothing, from nowhere */
    OK(bloomery_may_contain_many(of, &keys, &bits, &count));
    CHECK(bits == 3 && count == 2);
    keys = bloomery_keys_slices(&nowhere, 1);
    BAD(bloomery_insert_many(of, &keys));
    keys = bloomery_keys_u64(NULL, 1);
    BAD(bloomery_insert_many(of, &keys));
    keys = bloomery_keys_u64(&number, UINT64_MAX);
    BAD(bloomery_insert_many(of, &keys));
    BAD(bloomery_may_contain_many(of, &keys, &bits, &count));
    keys.count = UINT64_MAX / 8;
    BAD(bloomery_insert_many(of, &keys));
    keys.count = 1;
    keys.stride = INT64_MIN;
    BAD(bloomery_insert_many(of, &keys));
    keys = bloomery_keys_u64(&number, 1);
    keys.form = 99;
    BAD(bloomery_insert_many(of, &keys));
    keys.form = BLOOMERY_KEYS_F64;
    BAD(bloomery_insert_many(of, &keys));
    keys.form = BLOOMERY_KEYS_FIXED;
    keys.width = UINT64_MAX;
    BAD(bloomery_insert_many(of, &keys));
    keys = bloomery_keys_u64(&number, 1);
    keys.encoding = 99;
    BAD(bloomery_insert_many(of, &keys));
    keys.encoding = BLOOMERY_KEY_ENCODING_KRYO5; /* of texts */
    BAD(bloomery_insert_many(of, &keys));
    keys.encoding = 256; /* not bytes, though its low byte says so */
    BAD(bloomery_insert_many(of, &keys));
    keys = bloomery_keys_u64(&number, 1);
    keys.validity = &bits;
    keys.validity_offset = UINT64_MAX;
    BAD(bloomery_insert_many(of, &keys));
    keys = bloomery_keys_u64(&number, 1);
    keys.struct_size = 8;
    BAD(bloomery_insert_many(of, &keys));
    BAD(bloomery_insert_many(of, NULL));
    BAD(bloomery_insert_many(NULL, &keys));
    BAD(bloomery_try_insert_many(of, NULL, &bits, &count));
    BAD(bloomery_may_contain_many(NULL, &keys, &bits, &count));
    BAD(bloomery_erase_many(of, NULL, &bits, &count));
    bloomery_close(of);
}
