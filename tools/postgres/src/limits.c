#include "limits.h"

#include "errors.h"

#include <utils/guc.h>

static int max_filter_kilobytes = 64 << 10;

void bloom_define_limits(void) {
    DefineCustomIntVariable(
        "bloomery.max_filter_size", "The largest filter that a query may make.",
        "A filter for ten million keys with 1 % false positives takes 12 MB. Filters that are "
        "stored already are not limited.",
        &max_filter_kilobytes, max_filter_kilobytes, 64, (int)(BLOOM_LARGEST_VALUE >> 10),
        PGC_USERSET, GUC_UNIT_KB, NULL, NULL, NULL);
    MarkGUCPrefixReserved("bloomery");
}

uint64 bloom_limit(void) { return (uint64)max_filter_kilobytes << 10; }

void bloom_require_size(uint64 bytes) {
    if (bytes <= bloom_limit()) return;
    ereport(ERROR, errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
            errmsg("the filter needs %.1f MB, but bloomery.max_filter_size is %.1f MB",
                   (double)bytes / (1 << 20), (double)bloom_limit() / (1 << 20)),
            bytes <= BLOOM_LARGEST_VALUE
                ? errhint("SET bloomery.max_filter_size to a larger value, or ask for fewer keys "
                          "or a higher false-positive rate.")
                : errhint("A value of type bloom has at most %d MB: ask for fewer keys or a higher "
                          "false-positive rate, or split the keys among several filters.",
                          (int)(BLOOM_LARGEST_VALUE >> 20)));
}

void bloom_require_small(const bloomery_filter* filter) {
    bloomery_info info = bloomery_info_init();
    bloom_require(bloomery_info_of(filter, &info));
    bloom_require_size(info.byte_count);
}

bloomery_read_options bloom_native_reading(void) {
    bloomery_read_options how = bloomery_read_options_init();
    how.format = "native";
    how.most_unseen_bytes = bloom_limit();
    return how;
}
