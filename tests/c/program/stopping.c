/* Calls for many keys that fail in the middle, or before they begin. */
#include "check.h"

/* Where a call ends that fails: the keys before that one are in, those from it on are not. */
static void check_bad_texts(const char* kind, bool excluding) {
    enum { texts = 3000, bad = 2500 };
    static char bytes[texts * 4 + 1];
    static int32_t offsets[texts + 1];
    static uint8_t fresh[(texts + 7) / 8], valid[(texts + 7) / 8];
    bloomery_filter *of = made_of_kind(kind), *alone = NULL;
    bloomery_keys keys = bloomery_keys_offsets32(bytes, offsets, texts);
    uint64_t count = 0, number = 0;
    bool equal = false, in = false;
    int i;
    OK(bloomery_new_like(of, &alone));
    for (i = 0; i < texts; ++i) {
        snprintf(bytes + 4 * i, 5, "%04d", i);
        offsets[i + 1] = 4 * (i + 1);
    }
    memset(valid, excluding ? 0x7f : 0xff, sizeof valid);
    if (excluding) keys.validity = valid;
    keys.data_size = 4 * texts;
    offsets[bad + 1] = 4 * texts + 1; /* beyond the end */
    for (i = 0; i < bad; ++i) {
        if (excluding && i % 8 == 7) continue;
        OK(bloomery_try_insert(alone, bytes + 4 * i, 4, &in, NULL));
        number += in ? 1 : 0;
    }
    BAD(bloomery_try_insert_many(of, &keys, fresh, &count));
    CHECK(bloomery_last_key_index() == bad);
    OK(bloomery_equal(of, alone, &equal));
    CHECK(equal && count == number);
    for (i = 0; i < texts; ++i) count -= (uint64_t)bit(fresh, (uint64_t)i);
    CHECK(count == 0);
    OK(bloomery_clear(of));
    BAD(bloomery_insert_many(of, &keys));
    CHECK(bloomery_last_key_index() == bad);
    OK(bloomery_equal(of, alone, &equal));
    CHECK(equal);
    BAD(bloomery_may_contain_many(of, &keys, fresh, &count));
    CHECK(bloomery_last_key_index() == bad && count == texts);
    bloomery_close(of);
    bloomery_close(alone);
}

/* Filters that take no more keys: the same number one by one and many at once. */
static void check_full(const char* kind, uint64_t seed) {
    static uint64_t numbers[100000];
    static uint8_t fresh[100000 / 8];
    const uint64_t all = sizeof numbers / sizeof *numbers;
    bloomery_filter *of = made_of_kind(kind), *alone = NULL;
    bloomery_keys keys = bloomery_keys_u64(numbers, all);
    bloomery_status status = BLOOMERY_OK;
    uint64_t i, taken = 0, count = 0;
    bool equal = false;
    OK(bloomery_new_like(of, &alone));
    for (i = 0; i < all; ++i) numbers[i] = seed + i / 2; /* each twice */
    while (taken < all && (status = bloomery_insert_u64(alone, numbers[taken])) == BLOOMERY_OK) {
        ++taken;
    }
    CHECK(status == BLOOMERY_FILTER_FULL && bloomery_last_key_index() == BLOOMERY_NO_KEY);
    REFUSED(BLOOMERY_FILTER_FULL, bloomery_insert_many(of, &keys));
    CHECK(bloomery_last_key_index() == taken);
    OK(bloomery_equal(of, alone, &equal));
    CHECK(equal);
    OK(bloomery_clear(of));
    REFUSED(BLOOMERY_FILTER_FULL, bloomery_try_insert_many(of, &keys, fresh, &count));
    CHECK(bloomery_last_key_index() == taken && count > 0 && count <= (taken + 1) / 2);
    for (i = taken; i < all; ++i) CHECK(bit(fresh, i) == 0);
    bloomery_close(of);
    bloomery_close(alone);
}

/* Hadoop refuses the empty key. */
static void check_no_place(void) {
    static const char bytes[] = "applepearplum";
    static const int32_t offsets[] = {0, 5, 9, 9, 13};
    static const uint8_t valid[] = {13};
    bloomery_options options = bloomery_options_init();
    bloomery_keys keys = bloomery_keys_offsets32(bytes, offsets, 4);
    bloomery_filter* of = NULL;
    bloomery_digest digests[4];
    uint64_t count = 0;
    uint8_t bits = 0xff;
    options.bits = 10000;
    options.hashes = 5;
    options.format = "hadoop";
    OK(bloomery_new_with(&options, &of));
    REFUSED(BLOOMERY_NO_PLACE, bloomery_insert_many(of, &keys));
    CHECK(bloomery_last_key_index() == 2);
    CHECK(asked(of, "apple") && asked(of, "pear") && !asked(of, "plum"));
    OK(bloomery_clear(of));
    REFUSED(BLOOMERY_NO_PLACE, bloomery_try_insert_many(of, &keys, &bits, &count));
    CHECK(bloomery_last_key_index() == 2 && bits == 3 && count == 2);
    OK(bloomery_clear(of));
    keys.validity = valid; /* not the second */
    REFUSED(BLOOMERY_NO_PLACE, bloomery_try_insert_many(of, &keys, &bits, &count));
    CHECK(bloomery_last_key_index() == 2 && bits == 1 && count == 1);
    REFUSED(BLOOMERY_NO_PLACE, bloomery_may_contain_many(of, &keys, &bits, &count));
    CHECK(bloomery_last_key_index() == 2 && bits == 15 && count == 4);
    if (bloomery_digest_many(of, &keys, digests) == BLOOMERY_NO_PLACE) {
        CHECK(bloomery_last_key_index() == 2);
    }
    bloomery_close(of);
}

static void check_bad_encodings(void) {
    static const int64_t numbers[] = {1, 2, -3, 4};
    bloomery_filter *of = made_of_kind(NULL), *counting = made_of_kind("counting");
    bloomery_keys keys = bloomery_keys_init();
    uint64_t count = 0;
    uint8_t bits = 0xff;
    keys.form = BLOOMERY_KEYS_I64;
    keys.data = numbers;
    keys.count = 4;
    keys.encoding = BLOOMERY_KEY_ENCODING_U32BE;
    BAD(bloomery_try_insert_many(of, &keys, &bits, &count));
    CHECK(bloomery_last_key_index() == 2 && bits == 3 && count == 2);
    OK(bloomery_insert(counting, "\0\0\0\1", 4));
    OK(bloomery_insert(counting, "\0\0\0\4", 4));
    BAD(bloomery_erase_many(counting, &keys, &bits, &count));
    CHECK(bloomery_last_key_index() == 2 && bits == 1 && count == 1);
    BAD(bloomery_insert(NULL, "a", 1)); /* one key has no index */
    CHECK(bloomery_last_key_index() == BLOOMERY_NO_KEY);
    bloomery_close(of);
    bloomery_close(counting);
}

/* Whatever is wrong with the keys, nothing is denied and nothing is called new. */
static void check_bits_after_refusal(bloomery_filter* of, bloomery_keys keys) {
    uint8_t bits = 0;
    uint64_t count = 0;
    keys.count = 3;
    CHECK(bloomery_may_contain_many(of, &keys, &bits, &count) != BLOOMERY_OK);
    CHECK(bits == 7 && count == 3);
    CHECK(bloomery_last_key_index() == BLOOMERY_NO_KEY);
    CHECK(bloomery_try_insert_many(of, &keys, &bits, &count) != BLOOMERY_OK);
    CHECK(bits == 0 && count == 0);
    bits = 0xff;
    CHECK(bloomery_erase_many(of, &keys, &bits, &count) != BLOOMERY_OK);
    CHECK(bits == 0 && count == 0);
}

static void check_refused_structures(void) {
    static const uint64_t numbers[] = {1, 2, 3};
    const bloomery_keys good = bloomery_keys_u64(numbers, 3);
    bloomery_filter* of = made_of_kind(NULL);
    bloomery_keys keys = good;
    uint8_t bits = 0x55;
    uint64_t count = 9;
    check_bits_after_refusal(NULL, keys);
    keys.form = 99;
    check_bits_after_refusal(of, keys);
    keys = good;
    keys.encoding = 99;
    check_bits_after_refusal(of, keys);
    keys = good;
    keys.data = NULL;
    check_bits_after_refusal(of, keys);
    keys = good;
    keys.stride = INT64_MIN;
    check_bits_after_refusal(of, keys);
    keys = good;
    keys.struct_size = 8; /* nobody knows how many bits there are */
    BAD(bloomery_may_contain_many(of, &keys, &bits, &count));
    CHECK(bits == 0x55 && count == 0);
    bloomery_close(of);
}

void check_where_it_failed(void) {
    check_bad_texts(NULL, false);
    check_bad_texts(NULL, true);
    check_bad_texts("counting", false);
    check_bad_texts("counting", true);
    check_full("scalable,most-layers=2", 0);
    check_full("dleft", 1);
    check_no_place();
    check_bad_encodings();
    check_refused_structures();
}
