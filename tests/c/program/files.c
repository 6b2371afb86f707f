#include "check.h"

static char path_of_file[4096];

static const char* path_in(const char* folder, const char* name) {
    snprintf(path_of_file, sizeof path_of_file, "%s/%s", folder, name);
    return path_of_file;
}

static bloomery_status add_kiwi(bloomery_filter* filter, void* context) {
    *(int*)context += 1;
    return bloomery_insert(filter, "kiwi", 4);
}

static bloomery_status add_and_regret(bloomery_filter* filter, void* context) {
    const bloomery_status added = bloomery_insert(filter, "lemon", 5);
    (void)context;
    return added == BLOOMERY_OK ? BLOOMERY_STOPPED : added;
}

static bloomery_status find_it_bad(bloomery_filter* filter, void* context) {
    (void)filter;
    (void)context;
    return BLOOMERY_BAD_DATA; /* its own opinion: nothing of the library has failed */
}

static bloomery_status fail_to_erase(bloomery_filter* filter, void* context) {
    const bloomery_status status = bloomery_erase(filter, "apple", 5, NULL);
    return context == NULL ? status : BLOOMERY_STOPPED;
}

static bloomery_status share_and_keep(bloomery_filter* filter, void* context) {
    return bloomery_shared(filter, (bloomery_filter**)context);
}

static void check_save_and_load(const char* folder) {
    const char* const path = path_in(folder, "seen.bloom");
    bloomery_filter *made = NULL, *loaded = NULL;
    bloomery_write_options writing = bloomery_write_options_init();
    bloomery_read_options reading = bloomery_read_options_init();
    bool equal = false;
    int calls = 0;

    OK(bloomery_new(1000, 0.01, &made));
    OK(bloomery_insert(made, "apple", 5));
    writing.comment = "of a test";
    OK(bloomery_save(made, path, &writing));
    OK(bloomery_load(path, NULL, &loaded));
    OK(bloomery_equal(made, loaded, &equal));
    CHECK(equal);
    bloomery_close(loaded);
    writing.refuse_existing = true;
    REFUSED(BLOOMERY_IO_ERROR, bloomery_save(made, path, &writing));
    CHECK(bloomery_last_system_error() != 0);
    reading.largest_filter_bytes = 64;
    REFUSED(BLOOMERY_MEMORY_REFUSED, bloomery_load(path, &reading, &loaded));
    CHECK(loaded == NULL);

    OK(bloomery_update(path, add_kiwi, &calls, NULL));
    CHECK(calls == 1);
    CHECK(bloomery_update(path, add_and_regret, NULL, NULL) == BLOOMERY_STOPPED);
    OK(bloomery_load(path, NULL, &loaded));
    CHECK(asked(loaded, "apple") && asked(loaded, "kiwi") && !asked(loaded, "lemon"));
    bloomery_close(loaded);
    BAD(bloomery_update(path, NULL, NULL, NULL));
    REFUSED(BLOOMERY_BAD_DATA, bloomery_update(path, find_it_bad, NULL, NULL));
    CHECK(strstr(bloomery_last_error(), "bad_data") != NULL); /* not the error before */
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_update(path, fail_to_erase, NULL, NULL));
    CHECK(strstr(bloomery_last_error(), "updater") == NULL); /* what the library said */
    REFUSED(BLOOMERY_STOPPED, bloomery_update(path, fail_to_erase, &calls, NULL));
    BAD(bloomery_update(path, share_and_keep, &loaded, NULL)); /* it must not outlive the call */
    CHECK(asked(loaded, "apple"));
    bloomery_close(loaded);

    REFUSED(BLOOMERY_IO_ERROR, bloomery_load("/no/such/file", NULL, &loaded));
    BAD(bloomery_load(NULL, NULL, &loaded));
    BAD(bloomery_load(path, NULL, NULL));
    BAD(bloomery_save(made, NULL, NULL));
    BAD(bloomery_save(NULL, path, NULL));
    bloomery_close(made);
}

static void check_map(const char* folder) {
    const char* const path = path_in(folder, "mapped.bloom");
    bloomery_filter *made = NULL, *writer = NULL, *reader = NULL, *second = NULL;
    bloomery_read_options options = bloomery_read_options_init();
    OK(bloomery_new(1000, 0.01, &made));
    OK(bloomery_save(made, path, NULL));
    OK(bloomery_map(path, true, NULL, &writer));
    OK(bloomery_map(path, false, NULL, &reader));
    OK(bloomery_insert(writer, "apple", 5));
    CHECK(asked(reader, "apple"));
    OK(bloomery_sync(writer));
    options.refuse_locked = true;
    REFUSED(BLOOMERY_IO_ERROR, bloomery_map(path, true, &options, &second));
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_clear(writer));
    bloomery_close(writer);
    OK(bloomery_map(path, true, &options, &writer));
    CHECK(asked(writer, "apple"));
    OK(bloomery_copy(reader, &second));
    CHECK(asked(second, "apple"));
    bloomery_close(second);
    options.format = "guava";
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_map(path, false, &options, &second));
    BAD(bloomery_map(NULL, false, NULL, &second));
    OK(bloomery_sync(made)); /* in memory: nothing to do */
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_shared(reader, &second));
    OK(bloomery_shared(writer, &second));
    OK(bloomery_insert(second, "kiwi", 4));
    CHECK(asked(second, "apple") && asked(reader, "kiwi"));
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_sync(second));
    bloomery_close(second);
    OK(bloomery_sync(writer));
    bloomery_close(writer);
    bloomery_close(reader);
    bloomery_close(made);
}

void check_files(const char* folder) {
    check_save_and_load(folder);
    check_map(folder);
}

struct sink {
    uint8_t bytes[65536];
    size_t size;
    size_t most;
};

static int append(const uint8_t* bytes, size_t size, void* context) {
    struct sink* const to = context;
    if (to->size + size > to->most) return 1;
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    return 0;
}

static void check_native_bytes(void) {
    static struct sink all, little;
    bloomery_filter *made = made_of_kind(NULL), *again = NULL, *none = NULL;
    uint8_t* bytes = NULL;
    size_t cut;
    uint64_t size = 0, wanted = 0;
    bool equal = false;
    const char* name = NULL;
    bloomery_read_options reading = bloomery_read_options_init();

    all.most = sizeof all.bytes;
    little.most = 10;
    OK(bloomery_insert(made, "apple", 5));
    OK(bloomery_encode(made, NULL, &bytes, &size));
    OK(bloomery_encoded_size(made, NULL, &wanted));
    CHECK(wanted == size);
    OK(bloomery_encode_to(made, NULL, append, &all));
    CHECK(all.size == size && memcmp(all.bytes, bytes, size) == 0);
    REFUSED(BLOOMERY_STOPPED, bloomery_encode_to(made, NULL, append, &little));
    OK(bloomery_decode(bytes, size, NULL, &again));
    OK(bloomery_equal(made, again, &equal));
    CHECK(equal);
    OK(bloomery_detect(bytes, size, &name));
    CHECK(strcmp(name, "native") == 0);
    for (cut = 0; cut < size; cut += 97) { /* as many as the format has; none is a filter */
        CHECK(bloomery_decode(bytes, cut, NULL, &none) != BLOOMERY_OK && none == NULL);
    }
    bytes[5000 % size] ^= 1;
    REFUSED(BLOOMERY_BAD_DATA, bloomery_decode(bytes, size, NULL, &none));
    BAD(bloomery_decode(NULL, 10, NULL, &none));
    reading.format = "native";
    REFUSED(BLOOMERY_BAD_DATA, bloomery_decode("nonsense", 8, &reading, &none));
    CHECK(bloomery_decode(NULL, 0, NULL, &none) != BLOOMERY_OK);
    bloomery_free_memory(bytes); /* a call that fails hands out nothing, and forgets these */
    BAD(bloomery_encode(NULL, NULL, &bytes, &size));
    CHECK(bytes == NULL && size == 0);
    BAD(bloomery_encode(again, NULL, NULL, &size));
    BAD(bloomery_encode_to(again, NULL, NULL, NULL));
    BAD(bloomery_encoded_size(again, NULL, NULL));
    BAD(bloomery_detect("x", 1, NULL));
    CHECK(bloomery_detect("x", 1, &name) != BLOOMERY_OK && name == NULL);
    wanted = 5;
    BAD(bloomery_encoded_size(NULL, NULL, &wanted));
    CHECK(wanted == 0);
    bloomery_close(made);
    bloomery_close(again);
}

/* Every format that can be made and written: there and back. */
static void check_foreign_bytes(void) {
    uint32_t at, tried = 0;
    for (at = 1; bloomery_format_name(at) != NULL; ++at) {
        bloomery_format format = bloomery_format_init();
        bloomery_options options = bloomery_options_init();
        bloomery_write_options writing = bloomery_write_options_init();
        bloomery_filter* made = NULL;
        uint8_t* bytes = NULL;
        uint64_t size = 0, wanted = 0;
        OK(bloomery_format_named(bloomery_format_name(at), &format));
        CHECK(strcmp(format.name, bloomery_format_name(at)) == 0);
        CHECK(format.name[0] != '\0' && format.what[0] != '\0' && format.keys[0] != '\0');
        options.items = 100;
        options.rate = 0.01;
        options.format = format.name;
        if (!format.makeable || bloomery_new_with(&options, &made) != BLOOMERY_OK) continue;
        CHECK(bloomery_insert(made, "apple", 5) == BLOOMERY_OK && asked(made, "apple"));
        writing.format = format.name;
        if (format.writable && bloomery_encode(made, &writing, &bytes, &size) == BLOOMERY_OK) {
            OK(bloomery_encoded_size(made, &writing, &wanted));
            CHECK(wanted == size);
            ++tried;
            if (format.needs[0] == '\0') {
                bloomery_read_options reading = bloomery_read_options_init();
                bloomery_filter* again = NULL;
                reading.format = format.name;
                OK(bloomery_decode(bytes, size, &reading, &again));
                CHECK(again != NULL && asked(again, "apple"));
                bloomery_close(again);
            }
        }
        bloomery_free_memory(bytes);
        bloomery_close(made);
    }
    CHECK(tried >= 20);
}

void check_bytes(void) {
    bloomery_format format = bloomery_format_init();
    bloomery_write_options writing = bloomery_write_options_init();
    bloomery_filter* made = made_of_kind(NULL);
    uint8_t* bytes = NULL;
    uint64_t size = 0;
    check_native_bytes();
    check_foreign_bytes();
    CHECK(strcmp(bloomery_format_name(0), "native") == 0);
    OK(bloomery_format_named("native", &format));
    CHECK(strcmp(format.name, "native") == 0 && format.writable && format.makeable);
    BAD(bloomery_format_named("guvaa", &format));
    BAD(bloomery_format_named(NULL, &format));
    BAD(bloomery_format_named("native", NULL));
    CHECK(strcmp(format.name, "native") == 0); /* a structure is left as it was */
    writing.format = "guava";                  /* a filter of ours has other bits */
    REFUSED(BLOOMERY_INCOMPATIBLE, bloomery_encode(made, &writing, &bytes, &size));
    writing.comment = "of another system";
    BAD(bloomery_encode(made, &writing, &bytes, &size));
    writing.comment = NULL;
    writing.format = "parquet-file";
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_encode(made, &writing, &bytes, &size));
    CHECK(bytes == NULL && size == 0);
    bloomery_close(made);
}
