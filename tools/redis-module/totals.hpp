// What INFO shows about all filters of the server together.
#pragma once

#include "api.hpp"

#include <atomic>
#include <cstdint>

namespace bloomery::redis_module {

/// Of one kind of filter. Values are freed on a thread of the server's own, hence the atomics.
struct kind_totals {
    std::atomic<std::uint64_t> objects{0};
    std::atomic<std::uint64_t> bytes{0};
    std::atomic<std::uint64_t> filters{0}; ///< layers, sub-filters
};
extern kind_totals bloom_totals;
extern kind_totals cuckoo_totals;

/// What one value adds to the totals while it exists. Values call `set` when they change.
class counted {
public:
    explicit counted(kind_totals& in) noexcept : in_(in) {
        in_.objects.fetch_add(1, std::memory_order_relaxed);
    }
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;
    ~counted() {
        set(0, 0);
        in_.objects.fetch_sub(1, std::memory_order_relaxed);
    }
    void set(std::uint64_t bytes, std::uint64_t filters) noexcept {
        in_.bytes.fetch_add(bytes - bytes_, std::memory_order_relaxed);
        in_.filters.fetch_add(filters - filters_, std::memory_order_relaxed);
        bytes_ = bytes;
        filters_ = filters;
    }

private:
    kind_totals& in_;
    std::uint64_t bytes_ = 0;
    std::uint64_t filters_ = 0;
};

/// The section `filters` of INFO.
void tell_info(info_context* to, int for_crash_report);

} // namespace bloomery::redis_module
