/* The least that a program in C needs to use the library. */
#include <bloomery.h>
#include <stdio.h>

int main(void) {
    bloomery_filter* seen = NULL;
    bool maybe = false;
    if (bloomery_new(1000, 0.01, &seen) != BLOOMERY_OK) return 1;
    if (bloomery_insert(seen, "a key", 5) != BLOOMERY_OK) return 1;
    if (bloomery_may_contain(seen, "a key", 5, &maybe) != BLOOMERY_OK) return 1;
    bloomery_close(seen);
    puts(bloomery_version());
    return maybe ? 0 : 1;
}
