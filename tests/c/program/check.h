/* What the parts of the program share. */
#ifndef CHECK_H
#define CHECK_H

#include <bloomery.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int failures;

/* Counts a failure and says where; the program goes on. */
#define CHECK(claim)                                                                               \
    do {                                                                                           \
        if (!(claim)) {                                                                            \
            fprintf(stderr, "%s:%d: not so: %s (last error: %s)\n", __FILE__, __LINE__, #claim,    \
                    bloomery_last_error());                                                        \
            ++failures;                                                                            \
        }                                                                                          \
    } while (0)
#define OK(call) CHECK((call) == BLOOMERY_OK)
/* A call that is refused with this status, and says why. */
#define REFUSED(status, call)                                                                      \
    do {                                                                                           \
        CHECK((call) == (status));                                                                 \
        CHECK(bloomery_last_status() == (status));                                                 \
        CHECK(bloomery_last_error()[0] != '\0');                                                   \
    } while (0)
#define BAD(call) REFUSED(BLOOMERY_BAD_ARGUMENT, call)

/* A filter of a kind for 1,000 keys; ends the program if there is none. */
bloomery_filter* made_of_kind(const char* kind);
bool asked(const bloomery_filter* filter, const char* key);
/* A bit of the answers of a bulk call. */
int bit(const uint8_t* bits, uint64_t at);

void check_making(void);
void check_verbs(void);
void check_kinds(void);
void check_bulk(void);
void check_where_it_failed(void);
void check_hostile_keys(void);
void check_encodings(void);
void check_files(const char* folder);
void check_bytes(void);
void check_facts(void);
void check_short_enums(void);
void check_reserved_bytes(void);

#endif
