#include "check.h"

static void check_sizes(void) {
    bloomery_options options = bloomery_options_init();
    bloomery_filter* made = NULL;
    bloomery_info info = bloomery_info_init();
    bloomery_plan plan = bloomery_plan_init();

    options.bits = 4096;
    options.hashes = 5;
    OK(bloomery_new_with(&options, &made));
    OK(bloomery_info_of(made, &info));
    CHECK(info.bit_count == 4096 && info.hash_count == 5 && strcmp(info.layout, "classic") == 0);
    CHECK(info.struct_size == sizeof info && info.item_capacity == 0);
    bloomery_close(made);

    options = bloomery_options_init();
    options.bytes = 65536;
    options.items = 10000;
    options.layout = "split-8x64";
    OK(bloomery_plan_for(&options, &plan));
    OK(bloomery_new_with(&options, &made));
    OK(bloomery_info_of(made, &info));
    CHECK(info.byte_count == 65536 && plan.bytes == 65536 && plan.bits == info.bit_count);
    CHECK(strcmp(info.layout, "split-8x64") == 0 && strcmp(plan.layout, "split-8x64") == 0);
    CHECK(plan.items == 10000 && plan.meets_rate && plan.item_capacity >= 10000);
    bloomery_close(made);
}

static void check_hashes(void) {
    bloomery_options options = bloomery_options_init();
    bloomery_filter *plain = made_of_kind(NULL), *seeded = NULL, *keyed = NULL;
    bloomery_digest a = {0, 0}, b = {0, 0};
    bloomery_info info = bloomery_info_init();
    uint8_t secret[BLOOMERY_SECRET_SIZE];

    options.items = 1000;
    options.seed = 7;
    OK(bloomery_new_with(&options, &seeded));
    OK(bloomery_digest_of(plain, "key", 3, &a));
    OK(bloomery_digest_of(seeded, "key", 3, &b));
    CHECK(a.low != b.low);
    OK(bloomery_digest_of_u64(plain, 7, &b));
    CHECK(a.low != b.low);
    REFUSED(BLOOMERY_INCOMPATIBLE, bloomery_compatible(plain, seeded));
    REFUSED(BLOOMERY_INCOMPATIBLE, bloomery_merge(plain, seeded));

    OK(bloomery_random_secret(secret));
    options.secret = secret;
    BAD(bloomery_new_with(&options, &keyed)); /* a seed beside a secret */
    CHECK(keyed == NULL);
    options.seed = 0;
    OK(bloomery_new_with(&options, &keyed));
    OK(bloomery_info_of(keyed, &info));
    CHECK(info.keyed && strcmp(info.hash, "siphash13_64") == 0);
    bloomery_close(plain);
    bloomery_close(seeded);
    bloomery_close(keyed);
}

static void check_refusals(void) {
    bloomery_options options = bloomery_options_init();
    bloomery_filter* made = NULL;
    bloomery_plan plan = bloomery_plan_init();
    double rate = 0;
    struct {
        bloomery_options known;
        uint64_t later;
    } longer;

    BAD(bloomery_new(0, 0.01, &made));
    BAD(bloomery_new(1000, 0, &made));
    BAD(bloomery_new(1000, 1, &made));
    BAD(bloomery_new(1000, 0.01, NULL));
    BAD(bloomery_new(UINT64_MAX, 0.01, &made));
    BAD(bloomery_new_with(NULL, &made));
    BAD(bloomery_new_with(&options, &made)); /* nothing is said */
    options.items = 1000;
    options.struct_size = 0;
    BAD(bloomery_new_with(&options, &made));
    options.struct_size = sizeof options - 1;
    BAD(bloomery_new_with(&options, &made));

    memset(&longer, 0, sizeof longer); /* a caller of a later version */
    longer.known.struct_size = sizeof longer;
    longer.known.items = 1000;
    OK(bloomery_new_with(&longer.known, &made));
    bloomery_close(made);
    longer.later = 1;
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_new_with(&longer.known, &made));

    options = bloomery_options_init(); /* reserved bytes are fields of a later version */
    options.items = 1000;
    options.reserved[2] = 1;
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_new_with(&options, &made));

    options = bloomery_options_init();
    options.items = 1000;
    options.layout = "spilt-8x64";
    BAD(bloomery_new_with(&options, &made));
    CHECK(strstr(bloomery_last_error(), "split-8x64") != NULL); /* did you mean */
    options.layout = NULL;
    options.kind = "cuonting";
    BAD(bloomery_new_with(&options, &made));
    options.kind = "counting,bits";
    BAD(bloomery_new_with(&options, &made));
    options.kind = "counting,bites=4";
    BAD(bloomery_new_with(&options, &made));
    options.kind = "counting,bits=5000000000";
    BAD(bloomery_new_with(&options, &made));
    options.kind = "counting";
    options.bits = 4096;
    BAD(bloomery_new_with(&options, &made));
    BAD(bloomery_plan_for(NULL, &plan));
    options.bits = 0;
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_plan_for(&options, &plan));
    options.kind = NULL;
    BAD(bloomery_plan_for(&options, NULL));
    options.format = "guvaa";
    BAD(bloomery_new_with(&options, &made));
    options.format = "guava";
    options.kind = "bloom";
    BAD(bloomery_new_with(&options, &made));
    options.kind = NULL;
    options.format = "parquet-file"; /* for reading only */
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_new_with(&options, &made));
    BAD(bloomery_random_secret(NULL));
    rate = 5;
    BAD(bloomery_expected_rate(NULL, 1000, 4, 10, &rate));
    CHECK(rate == 0);
    BAD(bloomery_expected_rate("classic", 0, 4, 10, &rate));
    BAD(bloomery_expected_rate("classic", 1000, 4, 10, NULL));
    OK(bloomery_expected_rate("classic", 1000, 4, 100, &rate));
    CHECK(rate > 0.01 && rate < 0.02);
}

/* A filter for which the memory is not there: refused, and the program lives. */
static void check_too_much(void) {
    bloomery_options options = bloomery_options_init();
    bloomery_filter* made = NULL;
    bloomery_status status;
    options.bits = UINT64_C(1) << 62;
    options.hashes = 3;
    status = bloomery_new_with(&options, &made);
    CHECK(status == BLOOMERY_MEMORY_REFUSED || status == BLOOMERY_OUT_OF_MEMORY);
    CHECK(made == NULL);
}

void check_making(void) {
    uint32_t kinds = 0, layouts = 0;
    while (bloomery_kind_name(kinds) != NULL) {
        bloomery_close(made_of_kind(bloomery_kind_name(kinds)));
        ++kinds;
    }
    while (bloomery_layout_name(layouts) != NULL) {
        ++layouts;
    }
    CHECK(kinds == 8 && layouts == 5);
    check_sizes();
    check_hashes();
    check_refusals();
    check_too_much();
}
