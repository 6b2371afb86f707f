/* Every function of the C interface from C, with good arguments and with bad ones.
 *
 * usage: c_program FOLDER     an empty folder for its files */
#include "check.h"

int failures = 0;

bloomery_filter* made_of_kind(const char* kind) {
    bloomery_options options = bloomery_options_init();
    bloomery_filter* made = NULL;
    options.items = 1000;
    options.rate = 0.01;
    options.kind = kind;
    if (bloomery_new_with(&options, &made) != BLOOMERY_OK) {
        fprintf(stderr, "%s: %s\n", kind == NULL ? "bloom" : kind, bloomery_last_error());
        exit(1);
    }
    return made;
}

bool asked(const bloomery_filter* filter, const char* key) {
    bool maybe = false;
    OK(bloomery_may_contain(filter, key, strlen(key), &maybe));
    return maybe;
}

int bit(const uint8_t* bits, uint64_t at) { return bits[at / 8] >> at % 8 & 1; }

static void check_versions(void) {
    CHECK(bloomery_abi() == BLOOMERY_C_ABI);
    CHECK(strchr(bloomery_version(), '.') != NULL);
    CHECK(bloomery_kernel()[0] != '\0');
    CHECK(strcmp(bloomery_last_error(), "") == 0); /* nothing failed yet */
    CHECK(bloomery_last_status() == BLOOMERY_OK);
    CHECK(strcmp(bloomery_status_name(BLOOMERY_OK), "ok") == 0);
    CHECK(strcmp(bloomery_status_name(BLOOMERY_INTERNAL), "internal") == 0);
    CHECK(strcmp(bloomery_status_name((bloomery_status)1000), "unknown") == 0);
    bloomery_free_memory(NULL);
    bloomery_close(NULL);
}

int main(int argc, char** argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    check_versions();
    check_making();
    check_verbs();
    check_kinds();
    check_bulk();
    check_where_it_failed();
    check_hostile_keys();
    check_encodings();
    check_files(argv[1]);
    check_bytes();
    check_facts();
    check_short_enums();
    check_reserved_bytes();
    if (failures != 0) {
        fprintf(stderr, "%d failures\n", failures);
    }
    return failures == 0 ? 0 : 1;
}
