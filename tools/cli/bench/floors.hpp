// What no filter can be faster than, measured beside the filters.
#pragma once

#include "bench/harness.hpp"

#include <cstdint>
#include <span>

namespace bloomery::cli {

/// The operations of the floors, as results name them.
inline constexpr const char* hash_operation = "floor: hash";
inline constexpr const char* gather_operation = "floor: gather";

/// Adds four cases: hashing the integers, hashing the URLs, and one load from a random cache line
/// of `byte_count` bytes for each key, both plainly and with memory asked for 128 keys ahead: which
/// of the two is faster depends on the size and on the caches. Throws memory_refused.
void add_floors(bench_cases& to, const shared_keys& keys, std::uint64_t byte_count);

/// The least time of a bulk lookup of integers: that of the hash or of the faster gather, whichever
/// takes longer, since a processor can do both at once.
struct lookup_floor {
    double least_ns = 0;
    double median_ns = 0;
};

/// The floor of one size. `results` has the floors of that size.
[[nodiscard]] lookup_floor floor_of(std::span<const bench_result> results,
                                    std::uint64_t item_count);

} // namespace bloomery::cli
