#include "check.h"

void check_facts(void) {
    bloomery_filter* of = NULL;
    bloomery_info info = bloomery_info_init();
    bloomery_statistics now = bloomery_statistics_init();
    double rate = 0;
    char* json = NULL;
    uint64_t i;

    OK(bloomery_new(1000, 0.01, &of));
    for (i = 0; i < 1000; ++i) {
        OK(bloomery_insert_u64(of, i));
    }
    OK(bloomery_info_of(of, &info));
    CHECK(strcmp(info.kind, "bloom") == 0 && strcmp(info.scheme, "native") == 0);
    CHECK(strcmp(info.hash, "xxh3_64") == 0 && !info.keyed && info.hashes_ahead);
    CHECK(info.item_capacity == 1000 && info.target_rate == 0.01 && !info.can_erase);
    OK(bloomery_statistics_of(of, &now));
    CHECK(now.bits_set > 0 && now.bits_set < now.bit_count && now.unit == BLOOMERY_UNIT_BIT);
    CHECK(now.items > 950 && now.items < 1050 && now.standard_error > 0 && !now.saturated);
    CHECK(now.fill_ratio > 0.3 && now.fill_ratio < 0.7 && now.expected_rate < 0.02);
    OK(bloomery_rate_at(of, 1000, &rate));
    CHECK(rate > 0.001 && rate <= 0.01);
    OK(bloomery_describe(of, NULL, &json));
    CHECK(strstr(json, "\"kind\":\"bloom\"") != NULL && json[strlen(json) - 1] == '}');
    bloomery_free_memory(json);
    OK(bloomery_describe(of, "native", &json));
    bloomery_free_memory(json);
    bloomery_close(of);

    BAD(bloomery_info_of(NULL, &info));
    of = made_of_kind("window");
    BAD(bloomery_info_of(of, NULL));
    info.struct_size = 3;
    BAD(bloomery_info_of(of, &info));
    BAD(bloomery_statistics_of(of, NULL));
    BAD(bloomery_rate_at(of, 5, NULL));
    rate = 5;
    BAD(bloomery_rate_at(NULL, 5, &rate));
    CHECK(rate == 0);
    BAD(bloomery_describe(of, NULL, NULL));
    BAD(bloomery_describe(of, "guvaa", &json));
    CHECK(json == NULL);
    OK(bloomery_describe(of, NULL, &json));
    CHECK(strstr(json, "\"facts\":{\"") != NULL);
    bloomery_free_memory(json);
    bloomery_close(of);

    OK(bloomery_advise("items=1M,rate=1%,remove=yes", &json));
    CHECK(strstr(json, "\"recommended\":{\"kind\":") != NULL);
    bloomery_free_memory(json);
    BAD(bloomery_advise("items=many", &json));
    BAD(bloomery_advise("itmes=5", &json));
    CHECK(strstr(bloomery_last_error(), "items=") != NULL);
    BAD(bloomery_advise("", &json));
    BAD(bloomery_advise(NULL, &json));
}
