#include "check.h"

static void check_text(uint32_t encoding, const char* text, const char* bytes, size_t size) {
    uint8_t* key = NULL;
    uint64_t key_size = 0;
    OK(bloomery_key_from_text(encoding, text, strlen(text), &key, &key_size));
    CHECK(key_size == size && memcmp(key, bytes, size) == 0);
    bloomery_free_memory(key);
}

static void check_number(uint32_t encoding, int64_t number, const char* bytes, size_t size) {
    uint8_t* key = NULL;
    uint64_t key_size = 0;
    OK(bloomery_key_from_integer(encoding, number, &key, &key_size));
    CHECK(key_size == size && memcmp(key, bytes, size) == 0);
    bloomery_free_memory(key);
}

/* Bulk keys in an encoding are the keys that the single functions make. */
static void check_encoded_bulk(void) {
    static const char bytes[] = "h\xc3\xa9llopear";
    static const int32_t offsets[] = {0, 6, 10};
    static const int64_t numbers[] = {-2, 70000};
    static const double floats[] = {1.5, -0.0};
    bloomery_keys keys = bloomery_keys_offsets32(bytes, offsets, 2);
    bloomery_filter* of = made_of_kind(NULL);
    uint8_t *key = NULL, bits = 0;
    uint64_t size = 0;
    bool maybe = false;

    keys.encoding = BLOOMERY_KEY_ENCODING_UTF16LE;
    OK(bloomery_insert_many(of, &keys));
    CHECK(!asked(of, "pear"));
    OK(bloomery_key_from_text(BLOOMERY_KEY_ENCODING_UTF16LE, "pear", 4, &key, &size));
    OK(bloomery_may_contain(of, key, size, &maybe));
    CHECK(maybe && size == 8);
    bloomery_free_memory(key);
    OK(bloomery_may_contain_many(of, &keys, &bits, NULL));
    CHECK(bits == 3);

    keys = bloomery_keys_init();
    keys.form = BLOOMERY_KEYS_I64;
    keys.data = numbers;
    keys.count = 2;
    keys.encoding = BLOOMERY_KEY_ENCODING_I64BE;
    OK(bloomery_insert_many(of, &keys));
    OK(bloomery_may_contain(of, "\xff\xff\xff\xff\xff\xff\xff\xfe", 8, &maybe));
    CHECK(maybe);
    keys.encoding = BLOOMERY_KEY_ENCODING_JAVA_INT;
    OK(bloomery_insert_many(of, &keys));
    OK(bloomery_may_contain_u64(of, 70000, &maybe));
    CHECK(maybe);
    keys.encoding = BLOOMERY_KEY_ENCODING_U32BE; /* has no -2 */
    BAD(bloomery_insert_many(of, &keys));

    keys.form = BLOOMERY_KEYS_F64;
    keys.data = floats;
    keys.encoding = BLOOMERY_KEY_ENCODING_F32LE;
    OK(bloomery_insert_many(of, &keys));
    OK(bloomery_may_contain(of, "\x00\x00\xc0\x3f", 4, &maybe));
    CHECK(maybe);
    bloomery_close(of);
}

void check_encodings(void) {
    uint32_t found = 99;
    uint8_t* key = NULL;
    uint64_t size = 0;
    uint32_t at;
    for (at = 0; bloomery_key_encoding_name(at) != NULL; ++at) {
        OK(bloomery_key_encoding_named(bloomery_key_encoding_name(at), &found));
        CHECK(found == at);
    }
    CHECK(at == BLOOMERY_KEY_ENCODING_F64LE_CANONICAL + 1);
    BAD(bloomery_key_encoding_named("utf-8", &found));
    CHECK(found == 0);
    BAD(bloomery_key_encoding_named(NULL, &found));
    BAD(bloomery_key_encoding_named("utf8", NULL));

    check_text(BLOOMERY_KEY_ENCODING_BYTES, "key", "key", 3);
    check_text(BLOOMERY_KEY_ENCODING_HEX, "6b6579", "key", 3);
    check_text(BLOOMERY_KEY_ENCODING_UTF8, "\xc3\xa9", "\xc3\xa9", 2);
    check_text(BLOOMERY_KEY_ENCODING_UTF16LE, "k\xc3\xa9", "k\0\xe9\0", 4);
    check_text(BLOOMERY_KEY_ENCODING_UTF16LE_TEXT, "\xed\xa0\x80", "\xfd\xff", 2);
    check_text(BLOOMERY_KEY_ENCODING_LATIN1, "\xc3\xa9\xe2\x82\xac", "\xe9?", 2);
    check_text(BLOOMERY_KEY_ENCODING_KRYO5, "key", "\x03ke\xf9", 4);
    check_text(BLOOMERY_KEY_ENCODING_UTF8, "", "", 0);
    check_number(BLOOMERY_KEY_ENCODING_I32LE, -2, "\xfe\xff\xff\xff", 4);
    check_number(BLOOMERY_KEY_ENCODING_I32BE, 1, "\0\0\0\1", 4);
    check_number(BLOOMERY_KEY_ENCODING_U32BE, 4294967295, "\xff\xff\xff\xff", 4);
    check_number(BLOOMERY_KEY_ENCODING_I64LE, 1, "\1\0\0\0\0\0\0\0", 8);
    check_number(BLOOMERY_KEY_ENCODING_KRYO5_INT, 1, "\x02\x02", 2);
    check_number(BLOOMERY_KEY_ENCODING_KRYO5_LONG, -1, "\x09\x01", 2);
    OK(bloomery_key_from_float(BLOOMERY_KEY_ENCODING_F64LE, 1.0, &key, &size));
    CHECK(size == 8 && memcmp(key, "\0\0\0\0\0\0\xf0\x3f", 8) == 0);
    bloomery_free_memory(key);
    OK(bloomery_key_from_float(BLOOMERY_KEY_ENCODING_F64LE_CANONICAL, -0.0, &key, &size));
    CHECK(size == 8 && memcmp(key, "\0\0\0\0\0\0\0\0", 8) == 0);
    bloomery_free_memory(key);

    BAD(bloomery_key_from_text(BLOOMERY_KEY_ENCODING_HEX, "6b657", 5, &key, &size));
    CHECK(key == NULL && size == 0);
    BAD(bloomery_key_from_text(BLOOMERY_KEY_ENCODING_HEX, "zz", 2, &key, &size));
    BAD(bloomery_key_from_text(BLOOMERY_KEY_ENCODING_KRYO5, "\xff", 1, &key, &size));
    BAD(bloomery_key_from_text(BLOOMERY_KEY_ENCODING_I32LE, "1", 1, &key, &size));
    BAD(bloomery_key_from_text(99, "1", 1, &key, &size));
    BAD(bloomery_key_from_text(BLOOMERY_KEY_ENCODING_UTF8, NULL, 1, &key, &size));
    BAD(bloomery_key_from_text(BLOOMERY_KEY_ENCODING_UTF8, "1", 1, NULL, &size));
    BAD(bloomery_key_from_integer(BLOOMERY_KEY_ENCODING_I32LE, 4294967296, &key, &size));
    BAD(bloomery_key_from_integer(BLOOMERY_KEY_ENCODING_UTF8, 1, &key, &size));
    BAD(bloomery_key_from_integer(BLOOMERY_KEY_ENCODING_I32LE, 1, &key, NULL));
    BAD(bloomery_key_from_float(BLOOMERY_KEY_ENCODING_I32LE, 1, &key, &size));
    check_encoded_bulk();
}
