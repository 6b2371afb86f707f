/* Compiled with -fshort-enums: the library does not care how wide a caller's enums are. And with
 * -Wpadded: a structure with padding could get a new field without becoming larger, and the library
 * could not tell the two versions apart. */
#include "check.h"

typedef char status_has_32_bits[sizeof(bloomery_status) == 4 ? 1 : -1];

void check_short_enums(void) {
    bloomery_filter* of = made_of_kind("counting");
    struct {
        uint8_t before[8];
        uint32_t outcome;
        uint8_t after[8];
    } guard;
    size_t i;
    CHECK(sizeof(status_has_32_bits) == 1);
    memset(&guard, 0xaa, sizeof guard);
    OK(bloomery_erase(of, "apple", 5, &guard.outcome));
    CHECK(guard.outcome == BLOOMERY_OUTCOME_NOT_PRESENT);
    for (i = 0; i < 8; ++i) {
        CHECK(guard.before[i] == 0xaa && guard.after[i] == 0xaa);
    }
    bloomery_close(of);
}

void check_reserved_bytes(void) {
    bloomery_filter *of = made_of_kind(NULL), *none = NULL;
    bloomery_write_options writing = bloomery_write_options_init();
    bloomery_read_options reading = bloomery_read_options_init();
    bloomery_exception_options listing = bloomery_exception_options_init();
    bloomery_info info = bloomery_info_init();
    uint64_t size = 0;
    writing.reserved[5] = 1;
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_encoded_size(of, &writing, &size));
    reading.reserved[0] = 1;
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_decode("", 0, &reading, &none));
    listing.reserved[0] = 1;
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_add_exceptions(of, &listing));
    memset(info.reserved, 1, sizeof info.reserved);
    OK(bloomery_info_of(of, &info));
    CHECK(info.reserved[0] == 0 && info.reserved[4] == 0);
    bloomery_close(of);
}
