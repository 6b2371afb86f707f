#include "totals.hpp"

namespace bloomery::redis_module {

kind_totals bloom_totals;
kind_totals cuckoo_totals;

void tell_info(info_context* to, int /*for_crash_report*/) {
    if (server.info_add_section(to, "filters") != ok) return;
    const auto tell = [&](const char* name, const std::atomic<std::uint64_t>& value) {
        server.info_add_number(to, name, value.load(std::memory_order_relaxed));
    };
    tell("bloom_objects", bloom_totals.objects);
    tell("bloom_filters", bloom_totals.filters);
    tell("bloom_memory_bytes", bloom_totals.bytes);
    tell("cuckoo_objects", cuckoo_totals.objects);
    tell("cuckoo_filters", cuckoo_totals.filters);
    tell("cuckoo_memory_bytes", cuckoo_totals.bytes);
}

} // namespace bloomery::redis_module
