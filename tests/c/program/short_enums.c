/* Compiled with -fshort-enums: the library does not care how wide a caller's enums are. */
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
