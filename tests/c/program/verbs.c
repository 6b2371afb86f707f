#include "check.h"

static void check_one_key(void) {
    bloomery_filter* seen = NULL;
    bool fresh = false, maybe = true;
    uint32_t outcome = BLOOMERY_OUTCOME_FULL;
    uint64_t count = 0;

    OK(bloomery_new(1000, 0.01, &seen));
    CHECK(!asked(seen, "apple"));
    OK(bloomery_insert(seen, "apple", 5));
    CHECK(asked(seen, "apple"));
    OK(bloomery_insert(seen, NULL, 0)); /* the empty key is a key */
    CHECK(asked(seen, ""));
    OK(bloomery_try_insert(seen, "pear", 4, &fresh, &outcome));
    CHECK(fresh && outcome == BLOOMERY_OUTCOME_DONE);
    OK(bloomery_try_insert(seen, "pear", 4, &fresh, NULL));
    CHECK(!fresh);
    OK(bloomery_try_insert(seen, "plum", 4, NULL, NULL));
    OK(bloomery_may_contain_u64(seen, 7, &maybe));
    CHECK(!maybe);
    OK(bloomery_insert_u64(seen, 7));
    OK(bloomery_may_contain_u64(seen, 7, &maybe));
    CHECK(maybe);
    OK(bloomery_try_insert_u64(seen, 7, &fresh, &outcome));
    CHECK(!fresh && outcome == BLOOMERY_OUTCOME_DONE);
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_erase(seen, "apple", 5, &outcome));
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_count(seen, "apple", 5, &count));
    OK(bloomery_clear(seen));
    CHECK(!asked(seen, "apple"));
    bloomery_close(seen);
}

/* Keys of every length, also of those that take another way through the library. */
static void check_lengths(void) {
    static const char bytes[1000] = "as long as it takes";
    bloomery_filter *seen = NULL, *bulk = NULL;
    int32_t offsets[] = {0, 0};
    size_t size;
    bool maybe = false, equal = false;
    OK(bloomery_new(1000, 0.001, &seen));
    OK(bloomery_new_like(seen, &bulk));
    for (size = 0; size <= sizeof bytes; ++size) {
        bloomery_keys one = bloomery_keys_offsets32(bytes, offsets, 1);
        offsets[1] = (int32_t)size;
        OK(bloomery_insert(seen, bytes, size));
        OK(bloomery_insert_many(bulk, &one));
        OK(bloomery_may_contain(bulk, bytes, size, &maybe));
        CHECK(maybe);
    }
    OK(bloomery_equal(seen, bulk, &equal));
    CHECK(equal);
    bloomery_close(seen);
    bloomery_close(bulk);
}

static void check_nulls(void) {
    bloomery_filter* seen = made_of_kind("counting");
    bool answer = false;
    uint32_t outcome = 77;
    uint64_t count = 77;
    bloomery_digest digest = {77, 77};

    BAD(bloomery_insert(NULL, "a", 1));
    BAD(bloomery_insert(seen, NULL, 1));
    BAD(bloomery_insert_u64(NULL, 1));
    answer = true;
    BAD(bloomery_try_insert(NULL, "a", 1, &answer, &outcome));
    CHECK(!answer && outcome == 77); /* what failed has no outcome */
    BAD(bloomery_try_insert_u64(NULL, 1, &answer, &outcome));
    BAD(bloomery_may_contain(NULL, "a", 1, &answer));
    CHECK(answer); /* a question that fails is answered "maybe" */
    BAD(bloomery_may_contain(seen, "a", 1, NULL));
    answer = false;
    BAD(bloomery_may_contain(seen, NULL, 1, &answer));
    CHECK(answer);
    BAD(bloomery_may_contain_u64(NULL, 1, &answer));
    BAD(bloomery_erase(NULL, "a", 1, &outcome));
    BAD(bloomery_erase_u64(NULL, 1, &outcome));
    BAD(bloomery_count(NULL, "a", 1, &count));
    CHECK(count == 0);
    BAD(bloomery_count(seen, "a", 1, NULL));
    BAD(bloomery_count_u64(seen, 1, NULL));
    BAD(bloomery_digest_of(NULL, "a", 1, &digest));
    CHECK(digest.low == 0 && digest.high == 0);
    BAD(bloomery_digest_of(seen, "a", 1, NULL));
    BAD(bloomery_digest_of_u64(seen, 1, NULL));
    BAD(bloomery_merge(NULL, seen));
    BAD(bloomery_merge(seen, NULL));
    BAD(bloomery_intersect(seen, NULL));
    BAD(bloomery_compatible(NULL, NULL));
    answer = true;
    BAD(bloomery_equal(seen, NULL, &answer));
    CHECK(!answer);
    BAD(bloomery_equal(seen, seen, NULL));
    BAD(bloomery_clear(NULL));
    BAD(bloomery_sync(NULL));
    BAD(bloomery_advance(NULL, 1));
    BAD(bloomery_reserve(NULL, 1, &outcome));
    bloomery_close(seen);
    BAD(bloomery_copy(NULL, &seen));
    CHECK(seen == NULL); /* what failed hands out nothing */
    BAD(bloomery_new_like(NULL, &seen));
    BAD(bloomery_add_exceptions(NULL, NULL));
    BAD(bloomery_report_false_positive(NULL, "a", 1, NULL));
    answer = true;
    BAD(bloomery_withdraw(NULL, "a", 1, &answer));
    CHECK(!answer);
}

static void check_sets(void) {
    bloomery_filter *a = NULL, *b = NULL, *both = NULL, *self = NULL;
    bool equal = false;

    OK(bloomery_new(1000, 0.01, &a));
    OK(bloomery_new_like(a, &b));
    OK(bloomery_insert(a, "apple", 5));
    OK(bloomery_insert(a, "pear", 4));
    OK(bloomery_insert(b, "pear", 4));
    OK(bloomery_insert(b, "plum", 4));
    OK(bloomery_compatible(a, b));
    OK(bloomery_copy(a, &both));
    OK(bloomery_equal(a, both, &equal));
    CHECK(equal);
    OK(bloomery_merge(both, b));
    CHECK(asked(both, "apple") && asked(both, "pear") && asked(both, "plum"));
    OK(bloomery_equal(a, both, &equal));
    CHECK(!equal);
    OK(bloomery_intersect(a, b));
    CHECK(asked(a, "pear"));
    OK(bloomery_fold(both, 0.01));
    CHECK(asked(both, "apple") && asked(both, "pear") && asked(both, "plum"));
    OK(bloomery_equal(b, both, &equal));
    CHECK(!equal);
    OK(bloomery_copy(a, &self));
    OK(bloomery_merge(self, self));
    OK(bloomery_intersect(self, self));
    OK(bloomery_equal(a, self, &equal));
    CHECK(equal);
    bloomery_close(self);
    bloomery_options large = {.struct_size = sizeof large, .items = 1000000, .foldable = true};
    bloomery_filter* folded = NULL;
    bloomery_info info = {.struct_size = sizeof info};
    OK(bloomery_new_with(&large, &folded));
    OK(bloomery_insert(folded, "apple", 5));
    OK(bloomery_fold(folded, 0.01));
    OK(bloomery_info_of(folded, &info));
    CHECK(info.byte_count < 1000 && asked(folded, "apple"));
    bloomery_close(folded);
    large.kind = "counting";
    BAD(bloomery_new_with(&large, &folded));
    BAD(bloomery_fold(both, 0));
    BAD(bloomery_fold(NULL, 0.01));
    bloomery_close(a);
    bloomery_close(b);
    bloomery_close(both);
}

/* A shared handle inserts and asks, says what the filter is, and refuses the rest. */
static void check_shared(void) {
    static const uint64_t numbers[] = {1, 2, 3};
    static const char bytes[] = "applepear";
    static const int32_t offsets[] = {0, 5, 9};
    const bloomery_keys keys = bloomery_keys_u64(numbers, 3);
    const bloomery_keys texts = bloomery_keys_offsets32(bytes, offsets, 2);
    bloomery_filter *seen = NULL, *shared = NULL, *again = NULL, *none = NULL;
    bloomery_filter* counting = made_of_kind("counting");
    bloomery_info info = bloomery_info_init();
    bloomery_digest digest;
    bloomery_keys hashed = bloomery_keys_digests(&digest, 1);
    bloomery_statistics now = bloomery_statistics_init();
    uint32_t outcome = BLOOMERY_OUTCOME_FULL;
    bool fresh = false, maybe = false;
    uint64_t count = 0;
    uint8_t bits = 0;
    double rate = 0;

    OK(bloomery_new(1000, 0.001, &seen));
    OK(bloomery_info_of(seen, &info));
    CHECK(info.can_share);
    OK(bloomery_shared(seen, &shared));
    OK(bloomery_shared(shared, &again));
    OK(bloomery_insert(shared, "kiwi", 4));
    CHECK(asked(again, "kiwi") && !asked(again, "plum"));
    OK(bloomery_insert_u64(again, 7));
    OK(bloomery_may_contain_u64(shared, 7, &maybe));
    CHECK(maybe);
    OK(bloomery_try_insert(shared, "plum", 4, &fresh, &outcome));
    CHECK(fresh && outcome == BLOOMERY_OUTCOME_DONE);
    OK(bloomery_try_insert_u64(shared, 7, &fresh, NULL));
    CHECK(!fresh);
    OK(bloomery_insert_many(shared, &keys));
    OK(bloomery_try_insert_many(again, &texts, &bits, &count));
    CHECK(bits == 3 && count == 2);
    OK(bloomery_may_contain_many(again, &keys, &bits, &count));
    CHECK(bits == 7 && count == 3);
    OK(bloomery_digest_of(shared, "pear", 4, &digest));
    OK(bloomery_may_contain_many(shared, &hashed, &bits, NULL));
    CHECK(bits == 1);
    OK(bloomery_info_of(shared, &info));
    CHECK(info.item_capacity == 1000);
    OK(bloomery_rate_at(shared, 1000, &rate));
    CHECK(rate > 0 && rate <= 0.001);

    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_clear(shared));
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_merge(shared, seen));
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_merge(seen, shared));
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_statistics_of(shared, &now));
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_copy(shared, &none));
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_erase(shared, "kiwi", 4, &outcome));
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_add_exceptions(shared, NULL));
    OK(bloomery_new_like(seen, &none)); /* what replaces the bits waits for them to be closed */
    BAD(bloomery_clear(seen));
    BAD(bloomery_merge(seen, none));
    BAD(bloomery_intersect(seen, none));
    BAD(bloomery_fold(seen, 0.5));
    BAD(bloomery_add_exceptions(seen, NULL));
    OK(bloomery_merge(none, seen));
    CHECK(asked(none, "kiwi"));
    bloomery_close(none);
    OK(bloomery_insert(shared, "melon", 5));
    CHECK(asked(seen, "melon")); /* still the same filter */
    BAD(bloomery_insert(shared, NULL, 1));
    BAD(bloomery_shared(NULL, &none));
    BAD(bloomery_shared(seen, NULL));
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_shared(counting, &none));
    CHECK(none == NULL);
    OK(bloomery_info_of(counting, &info));
    CHECK(!info.can_share);
    bloomery_close(counting);

    CHECK(asked(seen, "kiwi") && asked(seen, "apple") && asked(seen, "plum"));
    bloomery_close(shared);
    bloomery_close(seen); /* the other handle keeps the bits */
    CHECK(asked(again, "pear"));
    OK(bloomery_insert(again, "fig", 3));
    CHECK(asked(again, "fig"));
    bloomery_close(again);

    OK(bloomery_new(1000, 0.001, &seen)); /* closed handles are forgotten */
    OK(bloomery_shared(seen, &shared));
    OK(bloomery_insert(shared, "fig", 3));
    bloomery_close(shared);
    OK(bloomery_fold(seen, 0.5));
    OK(bloomery_add_exceptions(seen, NULL));
    CHECK(asked(seen, "fig"));
    OK(bloomery_clear(seen));
    bloomery_close(seen);
}

void check_verbs(void) {
    check_one_key();
    check_lengths();
    check_nulls();
    check_sets();
    check_shared();
}

static void check_counting(void) {
    static const char* const kinds[] = {
        "counting", "counting,layout=blocked", "spectral,bits=16", "dynamic-count", "dleft",
        "accurate"};
    size_t i;
    for (i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        bloomery_filter *of = made_of_kind(kinds[i]), *twice = NULL;
        bloomery_info info = bloomery_info_init();
        uint32_t outcome = BLOOMERY_OUTCOME_FULL;
        uint64_t count = 0;
        OK(bloomery_info_of(of, &info));
        CHECK(info.can_erase);
        OK(bloomery_insert(of, "apple", 5));
        OK(bloomery_insert_u64(of, 7));
        OK(bloomery_copy(of, &twice));
        if (bloomery_merge(twice, twice) == BLOOMERY_OK) { /* with itself */
            CHECK(asked(twice, "apple"));
            if (info.can_count) {
                OK(bloomery_count_u64(twice, 7, &count));
                CHECK(count == 2);
            }
        }
        bloomery_close(twice);
        if (info.can_count) {
            OK(bloomery_insert(of, "apple", 5));
            OK(bloomery_count(of, "apple", 5, &count));
            CHECK(count == 2);
            OK(bloomery_count_u64(of, 7, &count));
            CHECK(count == 1);
            OK(bloomery_erase(of, "apple", 5, NULL));
        }
        OK(bloomery_erase(of, "apple", 5, &outcome));
        CHECK(outcome == BLOOMERY_OUTCOME_DONE && !asked(of, "apple"));
        OK(bloomery_erase(of, "apple", 5, &outcome));
        CHECK(outcome == BLOOMERY_OUTCOME_NOT_PRESENT);
        OK(bloomery_erase_u64(of, 7, &outcome));
        CHECK(outcome == BLOOMERY_OUTCOME_DONE);
        bloomery_close(of);
    }
}

static void check_growth(void) {
    bloomery_filter *grows = made_of_kind("scalable,most-layers=1"), *other = made_of_kind(NULL);
    uint32_t outcome = BLOOMERY_OUTCOME_DONE;
    bloomery_status status = BLOOMERY_OK;
    bool fresh = true;
    uint64_t key = 0;
    while (status == BLOOMERY_OK && key < 100000) {
        status = bloomery_insert_u64(grows, key++);
    }
    CHECK(status == BLOOMERY_FILTER_FULL); /* nothing is lost in silence */
    OK(bloomery_try_insert_u64(grows, 1000001, &fresh, &outcome));
    CHECK(!fresh && outcome == BLOOMERY_OUTCOME_FULL);
    fresh = true; /* whoever does not look at the outcome is told by the status */
    REFUSED(BLOOMERY_FILTER_FULL, bloomery_try_insert_u64(grows, 1000001, &fresh, NULL));
    CHECK(!fresh);
    REFUSED(BLOOMERY_FILTER_FULL, bloomery_try_insert(grows, "plum", 4, NULL, NULL));
    OK(bloomery_reserve(grows, 100000, &outcome));
    CHECK(outcome == BLOOMERY_OUTCOME_FULL);
    REFUSED(BLOOMERY_FILTER_FULL, bloomery_reserve(grows, 100000, NULL));
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_reserve(other, 10, &outcome));
    bloomery_close(grows);
    grows = made_of_kind("scalable");
    OK(bloomery_reserve(grows, 100000, &outcome));
    CHECK(outcome == BLOOMERY_OUTCOME_DONE);
    bloomery_close(grows);
    bloomery_close(other);
}

static void check_window(void) {
    bloomery_filter *recent = made_of_kind("window,span=60s"), *other = made_of_kind(NULL);
    OK(bloomery_advance(recent, 1000));
    OK(bloomery_insert(recent, "apple", 5));
    OK(bloomery_advance(recent, 1030));
    CHECK(asked(recent, "apple"));
    OK(bloomery_advance(recent, 2000));
    CHECK(!asked(recent, "apple"));
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_merge(recent, recent));
    OK(bloomery_advance(other, 5)); /* takes no notice */
    bloomery_close(recent);
    bloomery_close(other);
}

static void check_cascade(void) {
    uint64_t stored[100], others[1000], i;
    bloomery_keys in, out;
    bloomery_filter* made = NULL;
    bool maybe = false;
    for (i = 0; i < 100; ++i) stored[i] = i;
    for (i = 0; i < 1000; ++i) others[i] = 100 + i;
    in = bloomery_keys_u64(stored, 100);
    out = bloomery_keys_u64(others, 1000);
    OK(bloomery_new_cascade(&in, &out, NULL, &made));
    for (i = 0; i < 1100; ++i) {
        OK(bloomery_may_contain_u64(made, i, &maybe));
        CHECK(maybe == (i < 100));
    }
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_insert_u64(made, 5));
    bloomery_close(made);
    others[5] = 5;
    BAD(bloomery_new_cascade(&in, &out, NULL, &made));
    BAD(bloomery_new_cascade(NULL, &out, NULL, &made));
}

static void check_exceptions(void) {
    bloomery_filter* of = made_of_kind(NULL);
    bloomery_exception_options options = bloomery_exception_options_init();
    uint32_t outcome = BLOOMERY_OUTCOME_DONE;
    bool listed = false, maybe = true;
    OK(bloomery_insert(of, "apple", 5));
    OK(bloomery_insert_u64(of, 7));
    REFUSED(BLOOMERY_UNSUPPORTED, bloomery_report_false_positive(of, "apple", 5, &outcome));
    options.fingerprints = true;
    OK(bloomery_add_exceptions(of, &options));
    OK(bloomery_add_exceptions(of, NULL)); /* it has them already */
    OK(bloomery_report_false_positive(of, "apple", 5, &outcome));
    CHECK(outcome == BLOOMERY_OUTCOME_DONE && !asked(of, "apple"));
    OK(bloomery_report_false_positive(of, "plum", 4, &outcome));
    CHECK(outcome == BLOOMERY_OUTCOME_NOT_PRESENT);
    OK(bloomery_report_false_positive_u64(of, 7, NULL));
    OK(bloomery_may_contain_u64(of, 7, &maybe));
    CHECK(!maybe);
    OK(bloomery_withdraw(of, "apple", 5, &listed));
    CHECK(listed && asked(of, "apple"));
    OK(bloomery_withdraw_u64(of, 7, NULL));
    OK(bloomery_withdraw_u64(of, 7, &listed));
    CHECK(!listed);
    bloomery_close(of);

    of = made_of_kind(NULL); /* a list that is full */
    OK(bloomery_insert(of, "apple", 5));
    OK(bloomery_insert(of, "pear", 4));
    options.most_entries = 1;
    OK(bloomery_add_exceptions(of, &options));
    OK(bloomery_report_false_positive(of, "apple", 5, NULL));
    OK(bloomery_report_false_positive(of, "pear", 4, &outcome));
    CHECK(outcome == BLOOMERY_OUTCOME_FULL);
    REFUSED(BLOOMERY_FILTER_FULL, bloomery_report_false_positive(of, "pear", 4, NULL));
    bloomery_close(of);
}

void check_kinds(void) {
    check_counting();
    check_growth();
    check_window();
    check_cascade();
    check_exceptions();
}
